// SPDX-License-Identifier: Apache-2.0
/* Plays as far as somebody asks: a port by itself, all ports with a device between them, or all with their connections.
 */
#include "sim/twin/clocks.h"
#include "sim/twin/exchange.h"
#include "sim/twin/twin.h"
#include "sim/twin/wiring.h"

/* Pairs of ports with TCP connections: 0, or -1: out of memory. */
static int play_pairs(struct twin *twin, uint64_t clock, uint64_t until_ot)
{
	enum { WINDOW_OT = CONNECTIONS_WINDOW_WORDS * WORD_OCTETS };

	while (twin->tcp_ot < until_ot || twin->tcp_clock < clock) {
		const uint64_t left_ot = until_ot > twin->tcp_ot ? until_ot - twin->tcp_ot : 0;

		twin->tcp_ot += left_ot < WINDOW_OT ? left_ot : WINDOW_OT;
		for (unsigned i = 0; i < twin->port_count; i++)
			if (direction_play_until(&twin->directions[i], clock, twin->tcp_ot) != 0)
				return -1;
		if (twin->tcp_ot >= until_ot)
			twin->tcp_clock = clock;
	}
	return 0;
}

/* A connection may answer what has arrived by this clock, so that what a port sends is known as far as its pacer is. */
static bool play_connections(struct twin *twin, uint64_t clock)
{
	const uint64_t until_ot = (clock + TX_LATENCY) * WORD_OCTETS;
	const int status = twin->device->reads_frames ? exchange_play(twin, clock, until_ot, true)
	                                              : play_pairs(twin, clock, until_ot);

	for (unsigned i = 0; i < twin->port_count; i++)
		if (status != 0 || twin->receivers[i].tcp.failed)
			return twin_fail(twin, "out of memory for the frames in the DUT");
	return true;
}

bool twin_play_port(struct twin *twin, unsigned port, uint64_t clock, bool to_the_end)
{
	const bool done =
	        twin->tcp ? play_connections(twin, clock)
	        : twin_exchanges(twin, port)
	                ? exchange_play(twin, clock, (clock + TX_COUNT_LEAD + 1) * WORD_OCTETS, to_the_end) == 0
	                : direction_play(&twin->directions[port], clock, to_the_end) == 0;

	return done || twin_fail(twin, "out of memory for the frames in the DUT");
}

bool twin_play_port_ahead(struct twin *twin, unsigned port, uint64_t clock, uint64_t word)
{
	const bool done = twin->tcp ? play_connections(twin, clock)
	                  : twin_exchanges(twin, port)
	                          ? exchange_play(twin, clock, (word + 1) * WORD_OCTETS, true) == 0
	                          : direction_play_ahead(&twin->directions[port], clock, word) == 0;

	return done || twin_fail(twin, "out of memory for the frames in the DUT");
}

/* Plays what comes from there, by its clock, and counts it by that of this twin. */
static bool play_cable(struct twin *twin, unsigned port, uint64_t clock)
{
	struct twin *peer = twin->cable.peer;

	if (twin_is_joined(twin, port) && !twin_play_port(peer, port, cable_clock(&twin->cable.map, clock), true))
		return twin_fail(twin, "%s", peer->error);
	receiver_count(&twin->receivers[port], twin_records(twin, port), clock);
	return true;
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

bool twin_play(struct twin *twin, uint64_t clock, bool to_the_end)
{
	for (unsigned i = 0; i < twin->port_count; i++)
		if (!twin_play_port(twin, i, clock, to_the_end))
			return false;
	for (unsigned i = 0; i < twin->port_count; i++)
		if ((twin_feeder(twin, i) == NULL || cable_is_there(&twin->cable)) && !twin_exchanges(twin, i) &&
		    !twin_play_receiver(twin, i, clock))
			return false;
	return true;
}
