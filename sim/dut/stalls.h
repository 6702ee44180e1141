/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a server stalls: for a fixed time, at an interval or at random (Poisson). The times depend only on the
 * settings and the seed, not on frames. */
#ifndef FPGAUGE_SIM_DUT_STALLS_H
#define FPGAUGE_SIM_DUT_STALLS_H

#include <stdbool.h>
#include <stdint.h>

struct stalls {
	uint64_t length_ot;
	uint64_t every_ot; /* start to start; at random: the mean time from an end to the next start */
	bool at_random;
	uint64_t draws; /* state of the generator */

	uint64_t start_ot, end_ot; /* the first stall that may still affect a service; UINT64_MAX: none */
};

/* Never stalls. */
void stalls_none(struct stalls *stalls);

/* every_ot > length_ot unless at random; `draws` comes from random_state(). The first stall begins at every_ot, or
 * after a random time. */
void stalls_init(struct stalls *stalls, uint64_t length_ot, uint64_t every_ot, bool at_random, uint64_t draws);

/* Skips to the first stall that ends after the given time. */
void stalls_skip_to(struct stalls *stalls, uint64_t ot);

/* Goes on to the next stall. */
void stalls_next(struct stalls *stalls);

#endif
