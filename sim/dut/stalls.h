/* SPDX-License-Identifier: Apache-2.0 */
/* When a server stands still: for a fixed time, at an interval or at random (Poisson). The times depend on the settings
 * and the seed alone, on no frame. */
#ifndef FPGAUGE_SIM_DUT_STALLS_H
#define FPGAUGE_SIM_DUT_STALLS_H

#include <stdbool.h>
#include <stdint.h>

struct stalls {
	uint64_t length_ot;
	uint64_t every_ot; /* start to start; at random: the mean of the time from an end to the next start */
	bool at_random;
	uint64_t draws; /* state of the generator */

	uint64_t start_ot, end_ot; /* the first stall that may still touch a service; UINT64_MAX: there is none */
};

/* None at all: never a stall. */
void stalls_none(struct stalls *stalls);

/* every_ot > length_ot when not at random; `draws` as random_state() made it. The first one begins at every_ot, or
 * after a drawn time. */
void stalls_init(struct stalls *stalls, uint64_t length_ot, uint64_t every_ot, bool at_random, uint64_t draws);

/* On to the first stall that ends behind a time. */
void stalls_skip_to(struct stalls *stalls, uint64_t ot);

/* On to the next stall. */
void stalls_next(struct stalls *stalls);

#endif
