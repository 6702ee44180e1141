// SPDX-License-Identifier: Apache-2.0
/* Loopback: a port that receives its own frames (hw/rtl/core/fpgauge_core.v loops the line back). Its sender leads over
 * a wire to its own receiver, its partner's frames leave the DUT unseen, and its partner's receiver gets nothing.
 * (Where a device reads frames, so do those of all others, who go on without it.)
 *
 * In the core a change takes effect at once: it cuts a frame that is just coming in, and the frames that the DUT still
 * holds come out. The twin has no partial frames, so it refuses a change while frames are in flight between the ports.
 */
#include "sim/twin/twin.h"

#include <string.h>

enum { NO_PORT = TWIN_MOST_PORTS };

static const struct fpgauge_sim_option WIRE = {"dut.model", "wire"};

/* Ports are wired in pairs, so the last one of an odd number is alone. */
static unsigned partner_of(const struct twin *twin, unsigned port)
{
	return (port ^ 1) < twin->port_count ? port ^ 1 : NO_PORT;
}

/* True if the cable leads to a port of another twin. */
static bool is_joined(const struct twin *twin, unsigned port)
{
	return twin->cable.peer != NULL && port < twin->cable.peer->port_count;
}

/* To the port of the same number. */
static void connect_cable(struct twin *twin, unsigned port)
{
	struct direction *direction = &twin->directions[port];
	const bool joined = is_joined(twin, port);

	direction->dut = joined ? twin->cable.wires[port] : twin->duts[port];
	direction->receiver = joined ? &twin->cable.peer->receivers[port] : &twin->unseen[port];
	direction->map = joined ? &twin->cable.map : NULL;
}

/* Plays what comes from there, by its clock, and counts it by that of this twin. */
static bool play_cable(struct twin *twin, unsigned port, uint64_t clock)
{
	struct twin *peer = twin->cable.peer;

	if (is_joined(twin, port) && !twin_play_port(peer, port, cable_clock(&twin->cable.map, clock), true))
		return twin_fail(twin, "%s", peer->error);
	receiver_count(&twin->receivers[port], twin_records(twin, port), clock);
	return true;
}

/* Connects every sender to where it leads, depending on the loopback of both ports. */
void twin_connect(struct twin *twin, unsigned port)
{
	const unsigned partner = partner_of(twin, port);
	struct direction *direction = &twin->directions[port];

	direction->dut = twin->looped[port] ? twin->turns[port] : twin->duts[port];
	direction->map = NULL;
	if (cable_is_there(&twin->cable))
		connect_cable(twin, port);
	else if (twin->looped[port])
		direction->receiver = &twin->receivers[port];
	else if (partner == NO_PORT || twin->looped[partner])
		direction->receiver = &twin->unseen[port];
	else
		direction->receiver = &twin->receivers[partner];
	jump_forget(&direction->jump);
	exchange_jump_forget(&twin->jump);
}

bool twin_loopback_open(struct twin *twin, const struct sim_options *options, uint64_t link_bps)
{
	struct sim_options wire = *options;

	wire.given = &WIRE;
	wire.count = 1;
	if (dut_create(&wire, NULL, 0, link_bps, twin->turns, twin->port_count) != 0) {
		memset(twin->turns, 0, sizeof(twin->turns));
		return false;
	}
	for (unsigned i = 0; i < twin->port_count; i++)
		twin_connect(twin, i);
	return true;
}

struct direction *twin_feeder(struct twin *twin, unsigned port)
{
	const unsigned partner = partner_of(twin, port);

	if (cable_is_there(&twin->cable))
		return is_joined(twin, port) ? &twin->cable.peer->directions[port] : NULL;
	if (twin->looped[port])
		return &twin->directions[port];
	if (twin_exchanges(twin, port))
		return NULL;
	return partner == NO_PORT || twin->looped[partner] ? NULL : &twin->directions[partner];
}

const struct records *twin_records(struct twin *twin, unsigned port)
{
	const struct direction *feeder = twin_feeder(twin, port);

	return feeder != NULL ? feeder->records : twin->records; /* if none leads there, the queue is empty */
}

bool twin_play_receiver(struct twin *twin, unsigned port, uint64_t clock)
{
	const struct direction *feeder = twin_feeder(twin, port);

	if (cable_is_there(&twin->cable))
		return play_cable(twin, port, clock);
	if (feeder != NULL)
		return twin_play_port(twin, feeder->sender.port, clock, true);
	if (twin_exchanges(twin, port))
		return twin_play_port(twin, port, clock, true);
	receiver_count(&twin->receivers[port], twin_records(twin, port), clock);
	return true;
}

/* True if everything that the sender has sent has come out of the DUT and is counted. */
static bool at_rest(struct twin *twin, unsigned port, uint64_t clock)
{
	const struct direction *direction = &twin->directions[port];

	if (sender_sending(&direction->sender, clock) || direction->sender.pending != 0)
		return false;
	if (twin->device->reads_frames && twin->unseen[port].end != 0) /* what comes to a port in loopback */
		return false;
	if (twin_exchanges(twin, port))
		return twin_exchange_at_rest(twin, port);
	return dut_oldest_id(direction->dut) == UINT64_MAX && direction->receiver->end == 0;
}

bool twin_at_rest(struct twin *twin)
{
	if (twin->tcp || cable_is_there(&twin->cable) || twin->device->reads_frames || twin_keeps_mail(twin) ||
	    !twin_play(twin, twin->clock, true))
		return false;
	for (unsigned i = 0; i < twin->port_count; i++)
		if (twin->looped[i] || !at_rest(twin, i, twin->clock))
			return false;
	return dut_device_at_rest(twin->device, twin_now_ot(twin));
}

bool twin_loopback_set(struct twin *twin, unsigned port, bool looped, uint64_t clock)
{
	const unsigned partner = partner_of(twin, port);
	const bool alone = partner == NO_PORT || twin->device->reads_frames;

	if (looped == twin->looped[port])
		return true;
	if (cable_is_there(&twin->cable)) {
		twin->ports[port].value[PORT_LOOPBACK] = false;
		return twin_fail(twin, "port %u: loopback is not simulated at a port with device.cable", port);
	}
	if (!twin_play(twin, clock, true))
		return false;
	if (!at_rest(twin, port, clock) || (!alone && !at_rest(twin, partner, clock))) {
		twin->ports[port].value[PORT_LOOPBACK] = twin->looped[port];
		return twin_fail(twin,
		                 "port %u: loopback changes while frames are in flight: the twin plays whole frames "
		                 "only",
		                 port);
	}
	twin->looped[port] = looped;
	twin_connect(twin, port);
	if (!alone)
		twin_connect(twin, partner);
	return true;
}
