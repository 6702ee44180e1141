// SPDX-License-Identifier: Apache-2.0
/* A device that reads frames stands between all ports, so that these are played together: in windows of time, the
 * frames of every sender go into it, and what leaves goes to the receivers. A port in loopback has no part in that: it
 * sends nothing to the device, and what the device sends to it, nobody sees. */
#include "sim/twin/play/exchange.h"

#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"

static int play_window(struct play *play, uint64_t clock, uint64_t end_ot)
{
	for (unsigned i = 0; i < play->port_count; i++)
		if (!play->looped[i] && exchange_send(play, i, clock, end_ot) != 0)
			return -1;
	dut_device_known(play->device, end_ot);
	for (unsigned i = 0; i < play->port_count; i++)
		if (exchange_receive(play, i, clock) != 0)
			return -1;
	return play->device->failed ? -1 : 0;
}

/* Plays at least a window, and up to the next moment at which periods are looked for at most. */
static int play_some(struct play *play, uint64_t clock, uint64_t until_ot, uint64_t *end_ot)
{
	uint64_t stretch_ot = until_ot;
	bool long_windows = true;

	if (play->skips != NULL)
		long_windows = play->skips->window(play, &stretch_ot) || exchange_may_hold(play);
	if (long_windows && !play->tcp && relay_is_worth(play, stretch_ot))
		return relay_play(play, clock, stretch_ot, end_ot);
	*end_ot = exchange_window_end_ot(play, stretch_ot);
	return play_window(play, clock, *end_ot);
}

int exchange_play(struct play *play, uint64_t clock, uint64_t until_ot, bool to_the_end)
{
	/* The effect of a pause frame depends on where its receiver is. */
	const struct ports_skips *skips = exchange_may_hold(play) || play->tcp ? NULL : play->skips;
	uint64_t end_ot;

	if (clock <= play->exchanged_clock && until_ot <= play->exchanged_ot)
		return 0;
	if (until_ot < play->exchanged_ot)
		until_ot = play->exchanged_ot;
	if (skips != NULL)
		skips->resume(play, clock);
	do {
		if (skips != NULL && skips->ahead(play, clock, until_ot, to_the_end))
			return 0;
		if (play_some(play, clock, until_ot, &end_ot) != 0)
			return -1;
		play->exchanged_ot = end_ot;
		if (skips != NULL)
			skips->look(play, end_ot);
	} while (end_ot != until_ot);
	play->exchanged_clock = clock;
	return 0;
}

bool exchange_at_rest(struct play *play, unsigned port)
{
	if (dut_device_oldest_id(play->device, port) != UINT64_MAX || exchange_receiver(play, port)->end != 0)
		return false;
	for (unsigned i = 0; i < play->port_count; i++)
		if (receiver_oldest_id(exchange_receiver(play, i), port, UINT64_MAX) != UINT64_MAX)
			return false;
	return true;
}
