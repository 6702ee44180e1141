/* SPDX-License-Identifier: Apache-2.0 */
/* Frame rates as fractions. Products are formed in 128 bits; nothing here rounds unless it says so. */
#include "host/base/rate.h"

#include <math.h>

#include "host/base/uint128.h"

enum { BITS_PER_OCTET = 8 };

struct rate rate_max_theoretical(uint64_t link_bps, uint32_t frame_octets)
{
	uint64_t denominator = BITS_PER_OCTET * ((uint64_t)frame_octets + LINE_OVERHEAD_OCTETS);
	uint64_t divisor = (uint64_t)greatest_common_divisor(link_bps, denominator);

	return (struct rate){link_bps / divisor, denominator / divisor};
}

/* The nearest fraction with 64-bit parts. The smaller part is cut to fit and the larger computed from it, so that the
 * error is that of one rounding of a number near 2^63; halving both would erode the smaller part. */
static struct rate fraction_that_fits(uint128 numerator, uint128 denominator)
{
	uint128 larger = numerator > denominator ? numerator : denominator;
	uint128 smaller = numerator > denominator ? denominator : numerator;
	long double ratio = (long double)larger / (long double)smaller;
	unsigned shift = 0;
	uint64_t small, large;

	while (larger >> shift >= (uint128)1 << 63)
		shift++;
	small = (uint64_t)(smaller >> shift);
	if (small == 0)
		small = 1;
	/* Beyond 2^64 to one there is no such fraction, and no rate on earth comes near. */
	large = (long double)small * ratio < 0x1p64L ? (uint64_t)roundl((long double)small * ratio) : UINT64_MAX;
	return numerator > denominator ? (struct rate){large, small} : (struct rate){small, large};
}

struct rate rate_scale(struct rate rate, uint64_t numerator, uint64_t denominator)
{
	uint128 product = (uint128)rate.numerator * numerator;
	uint128 divisor = (uint128)rate.denominator * denominator;
	uint128 common;

	if (product == 0 || divisor == 0)
		return (struct rate){0, 1};
	common = greatest_common_divisor(product, divisor);
	product /= common;
	divisor /= common;
	if (product > UINT64_MAX || divisor > UINT64_MAX)
		return fraction_that_fits(product, divisor);
	return (struct rate){(uint64_t)product, (uint64_t)divisor};
}

double rate_fps(struct rate rate)
{
	return (double)rate.numerator / (double)rate.denominator;
}

int rate_compare(struct rate a, struct rate b)
{
	uint128 left = (uint128)a.numerator * b.denominator;
	uint128 right = (uint128)b.numerator * a.denominator;

	return (left > right) - (left < right);
}

uint64_t octet_times_from_ns(uint64_t ns, uint64_t link_bps)
{
	uint128 bits = (uint128)ns * link_bps; /* times 10^9 */
	uint128 unit = (uint128)BITS_PER_OCTET * NS_PER_S;
	uint128 octet_times = bits / unit + (bits % unit != 0);

	return octet_times > UINT64_MAX ? UINT64_MAX : (uint64_t)octet_times;
}

double seconds_from_octet_times(uint64_t octet_times, uint64_t link_bps)
{
	return (double)octet_times * BITS_PER_OCTET / (double)link_bps;
}

double rate_offered_fps(double intended_fps, double line_fps, unsigned senders, uint64_t frames, double seconds)
{
	const double counted = (double)frames, time_s = seconds * senders;
	double fps;

	if (!(time_s > 0) || fabs(counted - intended_fps * time_s) <= senders)
		return intended_fps;
	fps = fmin(counted / time_s, line_fps);
	if (intended_fps >= line_fps && fps >= line_fps * (1 - RATE_CLOCK_TOLERANCE))
		return intended_fps;
	return fps;
}
