/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from a seed, the same on every machine. For tests; not for anything that needs good randomness. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_RANDOM_H
#define FPGAUGE_TESTS_DIFFERENTIAL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/splitmix64.h"

struct random {
	uint64_t state;
};

/* Any state is a good one, so trial n of a run has the seed run + n. */
static inline uint64_t random_bits(struct random *random)
{
	return splitmix64(&random->state);
}

/* least to most, both inclusive. */
static inline uint64_t random_between(struct random *random, uint64_t least, uint64_t most)
{
	return least + random_bits(random) % (most - least + 1);
}

static inline bool random_chance(struct random *random, unsigned percent)
{
	return random_bits(random) % 100 < percent;
}

/* 0 to most, with every number of bits equally likely: small numbers are as likely as large ones. */
static inline uint64_t random_spread(struct random *random, uint64_t most)
{
	unsigned bits = 0;

	while (bits < 64 && most >> bits != 0)
		bits++;
	bits = (unsigned)random_between(random, 0, bits);
	return bits == 0 ? 0 : random_bits(random) >> (64 - bits) & most;
}

#endif
