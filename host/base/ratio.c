/* SPDX-License-Identifier: Apache-2.0 */
/* Long division in binary. */
#include "host/base/ratio.h"

#include <math.h>

/* The conversion rounds as if it knew all of the quotient, with at least two bits more than the 53 of a double, and
 * one that says whether the division goes on. */
enum { QUOTIENT_BITS = 56 };

/* Integers below this are doubles, of which IEEE 754 divides two with one rounding. */
static const uint128 EXACT = (uint128)1 << 53;

double ratio_nearest(uint128 numerator, uint128 denominator)
{
	uint128 quotient, rest;
	bool more = false;
	int exponent = 0;

	if (denominator == 0)
		return numerator ? (double)INFINITY : (double)NAN;
	if (numerator == 0 || (numerator < EXACT && denominator < EXACT))
		return (double)(uint64_t)numerator / (double)(uint64_t)denominator;
	quotient = numerator / denominator;
	rest = numerator % denominator;
	for (; quotient >> QUOTIENT_BITS == 0; exponent--) {
		const bool bit = rest >= denominator - rest;

		rest = bit ? rest - (denominator - rest) : rest + rest;
		quotient = quotient << 1 | bit;
	}
	for (; quotient >> (QUOTIENT_BITS + 1) != 0; exponent++) {
		more |= quotient & 1;
		quotient >>= 1;
	}
	return ldexp((double)((uint64_t)quotient | (more || rest)), exponent);
}

bool ratio_numerator(double ratio, uint64_t denominator, uint64_t *numerator)
{
	const double product = round(ratio * (double)denominator);

	if (!(product >= 0 && product < 0x1p52) || denominator == 0)
		return false;
	*numerator = (uint64_t)product;
	return ratio_nearest(*numerator, denominator) == ratio;
}

double ratio_percent(uint128 part, uint128 whole)
{
	return ratio_nearest(100 * part, whole);
}
