/* SPDX-License-Identifier: Apache-2.0 */
/* Exact jumps: where a direction does the same again, it is not played again.
 *
 * A moment is the state of a direction between two frames. When everything that can influence what comes is the same at
 * two moments, relative to the time and the frame of each, then what lies between them is a period, and it repeats as
 * long as nothing from outside breaks in: n times the counts that a period gave, and all times later. Moments are
 * compared where the pacer's own recurrence allows it, by Brent's method: the moment to compare with is renewed at
 * doubling distances. */
#ifndef FPGAUGE_SIM_TWIN_JUMP_H
#define FPGAUGE_SIM_TWIN_JUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/twin/receiver.h"
#include "sim/twin/sender.h"

struct direction;

/* Octets that grow. */
struct octets {
	uint8_t *data;
	size_t size, capacity;
};

struct moment {
	struct octets state; /* relative: equal octets, equal future */
	uint64_t frame, start_ot;
	uint64_t steady_until_ot;
	uint64_t tag_due_ot;
	/* what counts */
	uint64_t sent[SENDER_ENTRIES];
	uint64_t bad_fcs_frames;
	struct line_meter sent_line, received_line;
	struct receiver_counts counts;
};

struct jump {
	bool enabled;
	bool ready;              /* saved holds a moment */
	uint64_t spacing_frames; /* between moments that are looked at; 0: no jumps in this trial */
	uint64_t looks, renew;   /* since the moment was saved; at how many to save a new one */
	uint64_t credit_octets;  /* of state that may be compared: so many that looking costs less than playing */
	struct moment saved;
	struct octets now;
};

void jump_release(struct jump *jump);

/* What is saved is of no use any more: something from outside changes what the direction does. */
void jump_forget(struct jump *jump);

/* A trial begins. */
void jump_start(struct jump *jump, const struct sender *sender);

/* Frames to play until the next look, at most `most`. */
size_t jump_frames(const struct jump *jump, const struct sender *sender, size_t most);

/* Between two blocks, `played` frames after the last call: looks and jumps, no further than what has its effect by
 * this clock. Without memory it does not jump. */
void jump_look(struct direction *direction, size_t played, uint64_t clock);

#endif
