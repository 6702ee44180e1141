/* SPDX-License-Identifier: Apache-2.0 */
/* Describes as numbers what drift_play.c goes on with, and changes a direction accordingly. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_LEAP_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_LEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/skip/drift.h"

struct direction;
struct leap;

/* A server that the frames go through: a fifo, or something that is as good as one. */
struct leap_server {
	void *state;
	const bool *gone; /* flows that never come to it; NULL: all do */
	/* Its part of drift_fifo: services, buffer, line out. False: numbers that are too long, or it does not look
	 * like any state of drift.h. */
	bool (*describe)(const void *state, uint32_t octets, uint64_t base_ot, struct drift_fifo *is);
	/* True if all frames inside are served one straight after the other: what a full fifo needs. */
	bool (*is_straight)(const void *state, uint32_t octets, uint64_t base_ot);
	/* Changes it as if the frames had been played. */
	void (*take)(void *state, uint32_t octets, const struct leap *leap);
};

struct leap {
	uint64_t base_ot; /* a multiple of 8, at which the first frame starts */
	struct drift_fifo is;
	struct drift_flows *flows; /* borrowed, */
	struct drift_sums *sums;   /* too */
	struct drift_end end;
};

/* -- drift_describe.c ---------------------------------------------------------------------------------------------- */

/* True if the direction has frames of one length with nothing special about any of them, and everything has begun that
 * begins only once. */
bool leap_is_plain(const struct direction *direction);

/* Describes the flows that take turns, from the next frame on; gone: as of a leap_server. False: too many flows or
 * turns. */
bool leap_describe_turns(const struct direction *direction, const bool *gone, struct drift_flows *flows);

/* Describes the turns, and what has arrived of each flow. False: too many flows or turns, or the receiver does not
 * follow them. */
bool leap_describe_flows(const struct direction *direction, const bool *gone, struct drift_flows *flows);

/* Returns the octet time before which a frame must start so that its sender's meter is done with it by this clock and
 * nothing that is due comes first. */
uint64_t leap_undisturbed_until(const struct direction *direction, uint64_t clock);

/* Load and server, with times relative to leap->base_ot. False: numbers that are too long, or a server that does not
 * look like any state of drift.h. */
bool leap_describe(const struct direction *direction, const struct leap_server *server, struct leap *leap);

/* True if this octet time is near enough to another one for numbers that are not too long. */
bool leap_is_near(uint64_t ot, uint64_t base_ot);

/* -- drift_change.c ------------------------------------------------------------------------------------------------ */

/* True if the frame before is the one that it goes on from. *silence: there is a longest one, and when would have to be
 * found. */
bool leap_agrees(const struct direction *direction, const struct leap *leap, bool *silence);

/* Changes the sender and the receiver as if the frames had been played. */
void leap_take(struct direction *direction, const struct leap *leap);

/* -- drift_fifo.c -------------------------------------------------------------------------------------------------- */

struct fifo;

struct leap_server leap_server_of(struct fifo *fifo);

#endif
