/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which frames a fault hits: every Nth, or at random with one draw for each frame. */
#ifndef FPGAUGE_SIM_DUT_FAULTS_DRAWS_H
#define FPGAUGE_SIM_DUT_FAULTS_DRAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
	bool on, at_random;
	uint32_t every, left; /* every Nth: frames up to the next one */
	/* random faults: */
	uint64_t limit;  /* a draw up to this is a hit */
	uint64_t draws;  /* the generator, as many draws ahead of the frames as the next two say */
	uint64_t spared; /* frames from the next one on that it has been found not to hit, */
	bool hits;       /* and whether it has been found to hit the one after them */
};

/* Sets a bit of each of the next frames that are hit, and goes on to those after them. */
void fault_draw(struct fault *fault, uint8_t bit, uint8_t *hits, size_t count);

/* Number of the next frames that a fault at random does not hit, at most `most`. Draws ahead up to the first that it
 * hits, but not for more than `most` frames. */
uint64_t fault_spares(struct fault *fault, uint64_t most);

/* Goes on by frames that it has been found not to hit. */
void fault_skip(struct fault *fault, uint64_t frames);

#endif
