/* SPDX-License-Identifier: Apache-2.0 */
/* Exact jumps: when a direction does the same thing again, it is not played again.
 *
 * A moment is the state of a direction between two frames. If everything that can influence the future is the same at
 * two moments, relative to the time and the frame of each, then the time between them is a period, which repeats as
 * long as nothing from outside interferes. From then on, at any point of the period, n periods add n times the counts
 * of one and make all times later. Moments are compared where the pacer's own recurrence allows it, by Brent's method:
 * the moment to compare with is replaced at doubling intervals. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_JUMP_H
#define FPGAUGE_SIM_TWIN_SKIP_JUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/twin/play/receiver.h"
#include "sim/twin/play/sender.h"
#include "sim/twin/skip/octets.h"
#include "sim/twin/skip/tally.h"

struct direction;

/* Times of the receiver: last end and start on the line, last frame received, last after a loss. */
enum { JUMP_RECEIVED = 4 };

struct jump {
	bool enabled;
	uint64_t spacing_frames; /* distance of the moments that are compared; 0: no jumps in this phase */
	uint32_t phase;
	uint64_t rule_frames;     /* frames of rules that it has sent */
	uint64_t steady_until_ot; /* the DUT's, since the last jump_forget() */

	/* the search for a period */
	bool saved;          /* there is a moment to compare with: */
	struct octets state; /* written in relative terms: equal octets mean an equal future */
	uint64_t frame, start_ot;
	struct tally tally;
	uint64_t looks, renew;  /* comparisons since it was saved; after how many to save a new one */
	uint64_t credit_octets; /* octets of state that may be compared, limited so that comparing costs less than
	                           playing */
	struct octets now;

	/* the period found; then tally holds what it adds, and instead of a time whether it advances (0: no) */
	bool found;
	bool drifts; /* instead of that, it goes on as in drift_play.h */
	uint64_t period_frames, period_ot;

	/* it was found, but then a draw of the device has hit a frame */
	bool strayed;
	unsigned strays_left;             /* comparisons with the saved moment until the period is given up */
	uint64_t since_ot[JUMP_RECEIVED]; /* ages of the receiver's times at the saved moment */
};

void jump_release(struct jump *jump);

/* Something from outside changes what the direction does: discards what was saved and found. */
void jump_forget(struct jump *jump);

/* Frames after which a sender repeats itself within its phase, apart from sequence numbers and frames of rules; 0: it
 * does not, or not in a time that matters. *period_ot: the octet times that they take, a multiple of 8. */
uint64_t jump_period_frames(const struct sender *sender, uint64_t *period_ot);

/* A trial begins, or a phase of it. */
void jump_start(struct direction *direction);

/* True if all frames made have gone through, and nothing requested earlier still waits for frames to come. */
bool jump_is_moment(const struct direction *direction);

/* Frames to play until the next look, at most `most`. */
size_t jump_frames(const struct jump *jump, const struct sender *sender, size_t most);

/* Tells that the device is about to take the next frames: if a draw of it hits one of them, this is not in a period,
 * but may be again. */
void jump_pass(struct direction *direction, size_t frames);

/* Looks for a period between two blocks, `played` frames after the last call, all of which are counted. Out of memory,
 * it finds none. */
void jump_look(struct direction *direction, size_t played);

/* Skips all whole periods before this clock, between two blocks. True if the direction is in a period and less than one
 * of them is left. */
bool jump_ahead(struct direction *direction, uint64_t clock);

#endif
