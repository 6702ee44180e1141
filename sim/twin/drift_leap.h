/* SPDX-License-Identifier: Apache-2.0 */
/* What drift_play.c goes on with, as numbers, and what becomes of a direction then. */
#ifndef FPGAUGE_SIM_TWIN_DRIFT_LEAP_H
#define FPGAUGE_SIM_TWIN_DRIFT_LEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/drift.h"

struct direction;
struct fifo;

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

/* Whose they are, from the next one on. False: too many flows or turns, or the receiver does not follow them. */
bool leap_describe_flows(const struct direction *direction, struct drift_flows *flows);

/* What the sender starts before this octet time is over for both its meter by this clock, and for all that is due. */
uint64_t leap_undisturbed_until(const struct direction *direction, uint64_t clock);

/* Load and fifo, with times relative to leap->base_ot. False: numbers that are too long, or a fifo that does not look
 * like either state of drift.h. */
bool leap_describe(const struct direction *direction, const struct fifo *fifo, struct leap *leap);

/* True if all frames inside are served one straight after the other: what a full fifo needs. */
bool leap_is_straight(const struct fifo *fifo, uint32_t octets);

/* -- drift_change.c ------------------------------------------------------------------------------------------------ */

/* True if the frame before is the one that it goes on from. *silence: there is a longest one, and when would have to be
 * found. */
bool leap_agrees(const struct direction *direction, const struct leap *leap, bool *silence);

/* Changes everything as if the frames had been played. */
void leap_take(struct direction *direction, struct fifo *fifo, const struct leap *leap);

#endif
