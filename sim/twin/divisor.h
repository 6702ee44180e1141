/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers: how periods of the twin fit together. */
#ifndef FPGAUGE_SIM_TWIN_DIVISOR_H
#define FPGAUGE_SIM_TWIN_DIVISOR_H

#include <stdint.h>

/* The other one where one is 0. */
static inline uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
