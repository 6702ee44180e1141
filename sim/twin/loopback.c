// SPDX-License-Identifier: Apache-2.0
/* Loopback: a port that receives its own frames (hw/rtl/core/fpgauge_core.v loops the line back). Its sender leads over
 * a wire to its own receiver, its partner's frames leave the DUT unseen, and its partner's receiver gets nothing.
 * (Where a device reads frames, so do those of all others, who go on without it.)
 *
 * In the core a change takes effect at once: it cuts a frame that is just coming in, and the frames that the DUT still
 * holds come out. The twin has no partial frames, so it refuses a change while frames are in flight between the ports.
 */
#include "sim/twin/play/exchange.h"
#include "sim/twin/play/wiring.h"
#include "sim/twin/twin.h"

/* True if everything that the sender has sent has come out of the DUT and is counted. */
static bool at_rest(struct twin *twin, unsigned port, uint64_t clock)
{
	const struct direction *direction = &twin->play.directions[port];

	if (sender_sending(&direction->sender, clock) || direction->sender.pending != 0)
		return false;
	if (twin->play.device->reads_frames && twin->play.unseen[port].end != 0) /* frames reach the looped port */
		return false;
	if (play_exchanges(&twin->play, port))
		return exchange_at_rest(&twin->play, port);
	return dut_oldest_id(direction->dut) == UINT64_MAX && direction->receiver->end == 0;
}

bool twin_at_rest(struct twin *twin)
{
	if (twin->play.tcp || cable_is_there(&twin->play.cable) || twin->play.device->reads_frames ||
	    twin_keeps_mail(twin) || !play_all(&twin->play, twin->clock, true))
		return false;
	for (unsigned i = 0; i < twin->play.port_count; i++)
		if (twin->play.looped[i] || !at_rest(twin, i, twin->clock))
			return false;
	return dut_device_at_rest(twin->play.device, twin_now_ot(twin));
}

bool twin_loopback_set(struct twin *twin, unsigned port, bool looped, uint64_t clock)
{
	const unsigned partner = play_partner_of(&twin->play, port);
	const bool alone = partner == NO_PORT || twin->play.device->reads_frames;

	if (looped == twin->play.looped[port])
		return true;
	if (cable_is_there(&twin->play.cable)) {
		twin->ports[port].value[PORT_LOOPBACK] = false;
		return play_fail(&twin->play, "port %u: loopback is not simulated at a port with device.cable", port);
	}
	if (!play_all(&twin->play, clock, true))
		return false;
	if (!at_rest(twin, port, clock) || (!alone && !at_rest(twin, partner, clock))) {
		twin->ports[port].value[PORT_LOOPBACK] = twin->play.looped[port];
		return play_fail(&twin->play,
		                 "port %u: loopback changes while frames are in flight: the twin plays whole frames "
		                 "only",
		                 port);
	}
	twin->play.looped[port] = looped;
	play_connect(&twin->play, port);
	if (!alone)
		play_connect(&twin->play, partner);
	return true;
}
