// SPDX-License-Identifier: Apache-2.0
/* Plays as far as somebody asks: a port by itself, all ports with a device between them, or all with their connections.
 */
#include "sim/twin/play/play.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/exchange.h"
#include "sim/twin/play/wiring.h"

bool play_fail(struct play *play, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(play->error, sizeof(play->error), format, arguments);
	va_end(arguments);
	return false;
}

/* Pairs of ports with TCP connections: 0, or -1: out of memory. */
static int play_pairs(struct play *play, uint64_t clock, uint64_t until_ot)
{
	enum { WINDOW_OT = CONNECTIONS_WINDOW_WORDS * WORD_OCTETS };

	while (play->tcp_ot < until_ot || play->tcp_clock < clock) {
		const uint64_t left_ot = until_ot > play->tcp_ot ? until_ot - play->tcp_ot : 0;

		play->tcp_ot += left_ot < WINDOW_OT ? left_ot : WINDOW_OT;
		for (unsigned i = 0; i < play->port_count; i++)
			if (direction_play_until(&play->directions[i], clock, play->tcp_ot) != 0)
				return -1;
		if (play->tcp_ot >= until_ot)
			play->tcp_clock = clock;
	}
	return 0;
}

/* A connection may answer what has arrived by this clock, so that what a port sends is known as far as its pacer is. */
static bool play_connections(struct play *play, uint64_t clock)
{
	const uint64_t until_ot = (clock + TX_LATENCY) * WORD_OCTETS;
	const int status = play->device->reads_frames ? exchange_play(play, clock, until_ot, true)
	                                              : play_pairs(play, clock, until_ot);

	for (unsigned i = 0; i < play->port_count; i++)
		if (status != 0 || play->receivers[i].tcp.failed)
			return play_fail(play, "out of memory for the frames in the DUT");
	return true;
}

bool play_port(struct play *play, unsigned port, uint64_t clock, bool to_the_end)
{
	const bool done =
	        play->tcp ? play_connections(play, clock)
	        : play_exchanges(play, port)
	                ? exchange_play(play, clock, (clock + TX_COUNT_LEAD + 1) * WORD_OCTETS, to_the_end) == 0
	                : direction_play(&play->directions[port], clock, to_the_end) == 0;

	return done || play_fail(play, "out of memory for the frames in the DUT");
}

bool play_port_ahead(struct play *play, unsigned port, uint64_t clock, uint64_t word)
{
	const bool done = play->tcp ? play_connections(play, clock)
	                  : play_exchanges(play, port)
	                          ? exchange_play(play, clock, (word + 1) * WORD_OCTETS, true) == 0
	                          : direction_play_ahead(&play->directions[port], clock, word) == 0;

	return done || play_fail(play, "out of memory for the frames in the DUT");
}

/* Plays what comes from there, by its clock, and counts it by that of this twin. */
static bool play_cable(struct play *play, unsigned port, uint64_t clock)
{
	struct play *peer = play->cable.peer;

	if (play_is_joined(play, port) && !play_port(peer, port, cable_clock(&play->cable.map, clock), true))
		return play_fail(play, "%s", peer->error);
	receiver_count(&play->receivers[port], play_records(play, port), clock);
	return true;
}

bool play_receiver(struct play *play, unsigned port, uint64_t clock)
{
	const struct direction *feeder = play_feeder(play, port);

	if (cable_is_there(&play->cable))
		return play_cable(play, port, clock);
	if (feeder != NULL)
		return play_port(play, feeder->sender.port, clock, true);
	if (play_exchanges(play, port))
		return play_port(play, port, clock, true);
	receiver_count(&play->receivers[port], play_records(play, port), clock);
	return true;
}

bool play_all(struct play *play, uint64_t clock, bool to_the_end)
{
	for (unsigned i = 0; i < play->port_count; i++)
		if (!play_port(play, i, clock, to_the_end))
			return false;
	for (unsigned i = 0; i < play->port_count; i++)
		if ((play_feeder(play, i) == NULL || cable_is_there(&play->cable)) && !play_exchanges(play, i) &&
		    !play_receiver(play, i, clock))
			return false;
	return true;
}
