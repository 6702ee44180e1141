/* SPDX-License-Identifier: Apache-2.0 */
/* Products of 64-bit numbers, exactly. ISO C has no such type: gcc and clang do, on machines of 64 bits. */
#ifndef FPGAUGE_BASE_UINT128_H
#define FPGAUGE_BASE_UINT128_H

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

/* Euclid's algorithm; of 0 and a number it is that number. */
static inline uint128 greatest_common_divisor(uint128 a, uint128 b)
{
	while (b) {
		uint128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
