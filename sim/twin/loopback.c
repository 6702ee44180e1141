// SPDX-License-Identifier: Apache-2.0
/* Loopback: a port that receives its own frames (hw/rtl/core/fpgauge_core.v loops the line back). Its sender leads over
 * a wire to its own receiver, its partner's frames leave the DUT unseen, and its partner's receiver gets nothing.
 * (Where a device reads frames, so do those of all others, who go on without it.)
 *
 * In the core a change takes effect at once: it cuts a frame that is just coming in, and the frames that the DUT still
 * holds come out. The twin has no partial frames, so it refuses a change while frames are in flight between the ports.
 */
#include "sim/twin/exchange.h"
#include "sim/twin/twin.h"
#include "sim/twin/wiring.h"

/* True if everything that the sender has sent has come out of the DUT and is counted. */
static bool at_rest(struct twin *twin, unsigned port, uint64_t clock)
{
	const struct direction *direction = &twin->directions[port];

	if (sender_sending(&direction->sender, clock) || direction->sender.pending != 0)
		return false;
	if (twin->device->reads_frames && twin->unseen[port].end != 0) /* what comes to a port in loopback */
		return false;
	if (twin_exchanges(twin, port))
		return exchange_at_rest(twin, port);
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
	const unsigned partner = twin_partner_of(twin, port);
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
