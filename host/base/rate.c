/* SPDX-License-Identifier: Apache-2.0 */
/* Frame rates as fractions. Products are formed in 128 bits; nothing here rounds unless it says so. */
#include "host/base/rate.h"

#include <math.h>

#include "host/base/ratio.h"

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
	/* No such fraction exists beyond 2^64 to one, and no rate on earth comes near. */
	large = (long double)small * ratio < 0x1p64L ? (uint64_t)roundl((long double)small * ratio) : UINT64_MAX;
	return numerator > denominator ? (struct rate){large, small} : (struct rate){small, large};
}

static struct rate reduced(uint128 numerator, uint128 denominator)
{
	const uint128 common = greatest_common_divisor(numerator, denominator);

	numerator /= common;
	denominator /= common;
	if (numerator > UINT64_MAX || denominator > UINT64_MAX)
		return fraction_that_fits(numerator, denominator);
	return (struct rate){(uint64_t)numerator, (uint64_t)denominator};
}

struct rate rate_scale(struct rate rate, uint64_t numerator, uint64_t denominator)
{
	uint128 product = (uint128)rate.numerator * numerator;
	uint128 divisor = (uint128)rate.denominator * denominator;

	if (product == 0 || divisor == 0)
		return (struct rate){0, 1};
	return reduced(product, divisor);
}

struct rate rate_of(double fps)
{
	int exponent, shift;

	if (!(fps >= 0 && fps < 0x1p63))
		return (struct rate){0, 0};
	frexp(fps, &exponent); /* fps is below 2^exponent, with 53 bits */
	shift = exponent > 53 ? 0 : exponent < -10 ? 63 : 53 - exponent;
	return (struct rate){(uint64_t)ldexp(fps, shift), UINT64_C(1) << shift};
}

struct rate rate_add(struct rate a, struct rate b)
{
	const uint128 common = greatest_common_divisor(a.denominator, b.denominator);
	uint128 left, right;

	if (a.denominator == 0 || b.denominator == 0)
		return (struct rate){0, 0};
	left = (uint128)a.numerator * (uint64_t)(b.denominator / common);
	right = (uint128)b.numerator * (uint64_t)(a.denominator / common);
	if (left + right < left) /* the sum is beyond 2^64 frames a second, however the denominators are */
		return (struct rate){UINT64_MAX, 1};
	return reduced(left + right, (uint128)a.denominator * (uint64_t)(b.denominator / common));
}

double rate_fps(struct rate rate)
{
	return ratio_nearest(rate.numerator, rate.denominator);
}

double rate_ratio(struct rate part, struct rate whole)
{
	return ratio_nearest((uint128)part.numerator * whole.denominator, (uint128)part.denominator * whole.numerator);
}

double rate_percent(struct rate part, struct rate whole)
{
	const uint128 above = (uint128)part.numerator * whole.denominator;
	const uint128 below = (uint128)part.denominator * whole.numerator;
	const uint128 common = above ? greatest_common_divisor(above, below) : 1;

	/* Numbers too large for that come from no plan, and are 2^53 times more precise than a double. */
	return above / common >> 121 ? 100 * rate_ratio(part, whole) : ratio_percent(above / common, below / common);
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
	return ratio_nearest((uint128)octet_times * BITS_PER_OCTET, link_bps);
}

double ns_from_octet_times(uint64_t octet_times, uint64_t link_bps)
{
	return ratio_nearest((uint128)octet_times * BITS_PER_OCTET * NS_PER_S, link_bps);
}

double ns_from_mean(double octet_times, uint64_t count, uint64_t link_bps)
{
	const uint64_t common = (uint64_t)greatest_common_divisor(BITS_PER_OCTET * NS_PER_S, link_bps);
	uint64_t sum;

	if (ratio_numerator(octet_times, count, &sum))
		return ratio_nearest((uint128)sum * BITS_PER_OCTET * NS_PER_S, (uint128)count * link_bps);
	return octet_times * ((double)(BITS_PER_OCTET * NS_PER_S / common)) / (double)(link_bps / common);
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
