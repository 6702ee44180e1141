// SPDX-License-Identifier: Apache-2.0
/* Decides what need not be played yet while somebody only waits. */
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"
#include "sim/twin/skip/exchange_jump.h"

/* A time that far back has been counted everywhere. */
enum { LAGS_OT = (TX_COUNT_LEAD + TX_METER_LAG + RX_COMMIT_LAG + RX_METER_LAG + 2) * WORD_OCTETS };

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* End of all that has left the device or is on its way out of it. */
static uint64_t busy_until(struct play *play)
{
	uint64_t until_ot = 0;

	for (unsigned i = 0; i < play->port_count; i++) {
		const struct receiver *receiver = exchange_receiver(play, i);

		until_ot = later(until_ot, play->directions[i].sender.meter.ended_ot);
		until_ot = later(until_ot, receiver->meter.ended_ot);
		if (receiver->end != 0)
			until_ot = later(until_ot, dut_frame_end_ot(&receiver->queue[receiver->end - 1]));
	}
	return until_ot;
}

/* The rest is bounded: by what is on its way, or by a period, which has been played before. */
bool exchange_jump_can_wait(struct play *play, uint64_t base_ot, uint64_t until_ot)
{
	const struct ports_skip *jump = play->skip;

	if (jump->early)
		return until_ot < busy_until(play) + LAGS_OT;
	if (!jump->found || !exchange_is_moment(play, base_ot))
		return false;
	return until_ot < later(base_ot, busy_until(play)) + jump->period_ot + LAGS_OT;
}
