// SPDX-License-Identifier: Apache-2.0
/* Random draws that take more than one line of code. */
#include "sim/dut/random.h"

#include "host/base/uint128.h"

uint64_t random_state(uint64_t seed, unsigned direction, unsigned use)
{
	return splitmix64_mix(splitmix64_mix(seed) + ((uint64_t)direction << 32 | use));
}

uint64_t random_limit(const struct quantity *share)
{
	/* Draws from 0 to limit out of 2^64 are hits: share x 2^64 of them, rounded up, so that even the smallest share
	 * sometimes hits. */
	uint64_t whole = share->numerator / share->denominator;
	uint128 rest = (uint128)(share->numerator % share->denominator) << 64;

	if (whole != 0)
		return UINT64_MAX;
	return (uint64_t)((rest + share->denominator - 1) / share->denominator - 1);
}

/* log2 of mantissa / 2^63, a value from 1 to 2, in units of 2^-32: each squaring gives the next bit. */
static uint64_t log2_fraction(uint64_t mantissa)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 32; i++) {
		uint128 square = (uint128)mantissa * mantissa;
		const unsigned bit = (unsigned)(square >> 127);

		bits = bits << 1 | bit;
		mantissa = (uint64_t)(square >> (63 + bit));
	}
	return bits;
}

uint64_t random_exponential_ot(uint64_t *state, uint64_t mean_ot)
{
	static const uint64_t LN2 = UINT64_C(2977044472); /* ln 2 in units of 2^-32 */
	const uint64_t draw = splitmix64(state) | 1;
	const unsigned zeros = (unsigned)__builtin_clzll(draw);
	const uint64_t minus_log2 = ((uint64_t)(zeros + 1) << 32) - log2_fraction(draw << zeros);

	return (uint64_t)((uint128)minus_log2 * LN2 * mean_ot >> 64);
}
