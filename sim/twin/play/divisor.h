/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers: how periods of the twin fit together. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_DIVISOR_H
#define FPGAUGE_SIM_TWIN_PLAY_DIVISOR_H

#include <stdint.h>

/* The other one where one is 0. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* 0: more than `most`, and stays so. */
static inline uint64_t least_common_multiple(uint64_t a, uint64_t b, uint64_t most)
{
	uint64_t product;

	if (a == 0 || b == 0 || __builtin_mul_overflow(a, b / common_divisor(a, b), &product) || product > most)
		return 0;
	return product;
}

#endif
