/* SPDX-License-Identifier: Apache-2.0 */
/* Exact jumps: where a direction does the same again, it is not played again.
 *
 * A moment is the state of a direction between two frames. When everything that can influence what comes is the same at
 * two moments, relative to the time and the frame of each, then what lies between them is a period, and it repeats as
 * long as nothing from outside breaks in. From then on, wherever in it the direction is, n periods are n times the
 * counts of one, and all times later. Moments are compared where the pacer's own recurrence allows it, by Brent's
 * method: the moment to compare with is renewed at doubling distances. */
#ifndef FPGAUGE_SIM_TWIN_JUMP_H
#define FPGAUGE_SIM_TWIN_JUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/twin/receiver.h"
#include "sim/twin/sender.h"
#include "sim/twin/tally.h"

struct direction;

/* Octets that grow. */
struct octets {
	uint8_t *data;
	size_t size, capacity;
};

struct jump {
	bool enabled;
	uint64_t spacing_frames;  /* between moments that are looked at; 0: no jumps in this trial */
	uint64_t steady_until_ot; /* of the DUT, since the last jump_forget() */

	/* the search for a period */
	bool saved;          /* there is a moment to compare with: */
	struct octets state; /* relative: equal octets, equal future */
	uint64_t frame, start_ot;
	struct tally tally;
	uint64_t looks, renew;  /* since it was saved; at how many to save a new one */
	uint64_t credit_octets; /* of state that may be compared: so many that looking costs less than playing */
	struct octets now;

	/* what was found: then tally holds what a period adds, and in place of a time whether it moves (0: it stands)
	 */
	bool found;
	uint64_t period_frames, period_ot;
};

void jump_release(struct jump *jump);

/* Something from outside changes what the direction does: what was saved and found is of no use any more. */
void jump_forget(struct jump *jump);

/* A trial begins. */
void jump_start(struct jump *jump, const struct sender *sender);

/* Frames to play until the next look, at most `most`. */
size_t jump_frames(const struct jump *jump, const struct sender *sender, size_t most);

/* Between two blocks, `played` frames after the last call: looks for a period. Without memory it finds none. */
void jump_look(struct direction *direction, size_t played);

/* Between two blocks: leaves out what periods there are before this clock. True when the direction is in a period and
 * less than one of them is left. */
bool jump_ahead(struct direction *direction, uint64_t clock);

#endif
