// SPDX-License-Identifier: Apache-2.0
/* A device that reads frames stands between all ports, so that these are played together: in windows of time, the
 * frames of every sender go into it, and what leaves goes to the receivers. A port in loopback has no part in that: it
 * sends nothing to the device, and what the device sends to it, nobody sees. */
#include "sim/twin/exchange.h"

#include "sim/twin/exchange_port.h"
#include "sim/twin/twin.h"

static int play_window(struct twin *twin, uint64_t clock, uint64_t end_ot)
{
	for (unsigned i = 0; i < twin->port_count; i++)
		if (!twin->looped[i] && exchange_send(twin, i, clock, end_ot) != 0)
			return -1;
	dut_device_known(twin->device, end_ot);
	for (unsigned i = 0; i < twin->port_count; i++)
		if (exchange_receive(twin, i, clock) != 0)
			return -1;
	return twin->device->failed ? -1 : 0;
}

/* Plays at least a window, and up to the next moment at which periods are looked for at most. */
static int play_some(struct twin *twin, uint64_t clock, uint64_t until_ot, uint64_t *end_ot)
{
	uint64_t stretch_ot = until_ot;
	bool long_windows = true;

	if (twin->skips != NULL)
		long_windows = twin->skips->window(twin, &stretch_ot) || exchange_may_hold(twin);
	if (long_windows && !twin->tcp && relay_is_worth(twin, stretch_ot))
		return relay_play(twin, clock, stretch_ot, end_ot);
	*end_ot = exchange_window_end_ot(twin, stretch_ot);
	return play_window(twin, clock, *end_ot);
}

int exchange_play(struct twin *twin, uint64_t clock, uint64_t until_ot, bool to_the_end)
{
	/* What a pause frame does depends on where its receiver is. */
	const struct ports_skips *skips = exchange_may_hold(twin) || twin->tcp ? NULL : twin->skips;
	uint64_t end_ot;

	if (clock <= twin->exchanged_clock && until_ot <= twin->exchanged_ot)
		return 0;
	if (until_ot < twin->exchanged_ot)
		until_ot = twin->exchanged_ot;
	if (skips != NULL)
		skips->resume(twin, clock);
	do {
		if (skips != NULL && skips->ahead(twin, clock, until_ot, to_the_end))
			return 0;
		if (play_some(twin, clock, until_ot, &end_ot) != 0)
			return -1;
		twin->exchanged_ot = end_ot;
		if (skips != NULL)
			skips->look(twin, end_ot);
	} while (end_ot != until_ot);
	twin->exchanged_clock = clock;
	return 0;
}

bool exchange_at_rest(struct twin *twin, unsigned port)
{
	if (dut_device_oldest_id(twin->device, port) != UINT64_MAX || exchange_receiver(twin, port)->end != 0)
		return false;
	for (unsigned i = 0; i < twin->port_count; i++)
		if (receiver_oldest_id(exchange_receiver(twin, i), port, UINT64_MAX) != UINT64_MAX)
			return false;
	return true;
}
