/* SPDX-License-Identifier: Apache-2.0 */
/* What the models draw at random: SplitMix64 (Steele, Lea, Flood 2014), one generator for each thing that is drawn for.
 * Integers only, so that every machine draws alike. */
#ifndef FPGAUGE_SIM_DUT_RANDOM_H
#define FPGAUGE_SIM_DUT_RANDOM_H

#include <stdint.h>

#include "host/base/quantity.h"

static inline uint64_t random_mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static inline uint64_t random_next(uint64_t *state)
{
	return random_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Generator number `use` of a direction: dut.seed mixed with both, so that none repeats another. */
uint64_t random_state(uint64_t seed, unsigned direction, unsigned use);

/* A draw hits a share (above 0, at most 1) when it is not above this. */
uint64_t random_limit(const struct quantity *share);

/* An exponentially distributed time: mean x -ln(u), rounded down; u is one draw. mean_ot below 2^48. */
uint64_t random_exponential_ot(uint64_t *state, uint64_t mean_ot);

#endif
