/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest doubles of ratios, against products of integers: nearest is what no neighbour is nearer than. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/rate.h"
#include "host/base/ratio.h"

static uint64_t state = 0x9E3779B97F4A7C15;

static uint64_t any(unsigned bits)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return bits ? state >> (64 - bits) : 0;
}

/* value = mantissa x 2^exponent, exactly. */
static uint64_t mantissa_of(double value, int *exponent)
{
	const double part = frexp(value, exponent);

	*exponent -= 53;
	return (uint64_t)ldexp(part, 53);
}

/* n / d lies within half a unit of the last place of value. n and d are below 2^60. */
static bool is_nearest(double value, uint64_t n, uint64_t d)
{
	int exponent;
	uint128 twice = 2 * (uint128)mantissa_of(value, &exponent), left = n, right = d;

	/* 2 n / d x 2^-exponent is within twice - 1 and twice + 1; both sides below 2^127 for these exponents. */
	if (exponent < 0)
		left <<= -exponent;
	else
		right <<= exponent;
	return 2 * left <= right * (twice + 1) && 2 * left >= right * (twice - 1);
}

Test(ratio, is_the_nearest_double_of_numbers_of_any_length)
{
	for (unsigned i = 0; i < 200000; i++) {
		const uint64_t n = any(1 + i % 60) + 1, d = any(1 + i / 60 % 60) + 1;
		const double value = ratio_nearest(n, d);
		int exponent;

		mantissa_of(value, &exponent);
		if (exponent > -66 && exponent < 13) /* a range that 128 bits can check */
			cr_assert(is_nearest(value, n, d), "%llu / %llu is not %.17g", (unsigned long long)n,
			          (unsigned long long)d, value);
		cr_assert_eq(ratio_nearest((uint128)n << 60, (uint128)d << 60), value,
		             "a fraction need not be reduced");
	}
}

Test(ratio, rounds_ties_to_even_and_no_further)
{
	const uint64_t one = UINT64_C(1) << 53;

	cr_expect_eq(ratio_nearest(one + 1, 1), 0x1p53);
	cr_expect_eq(ratio_nearest(one + 3, 1), 0x1p53 + 4);
	cr_expect_eq(ratio_nearest(((uint128)(one + 1) << 64) + 1, (uint128)1 << 64), 0x1p53 + 2);
	cr_expect_eq(ratio_nearest(((uint128)(one + 1) << 64) - 1, (uint128)1 << 64), 0x1p53);
	cr_expect_eq(ratio_nearest(~(uint128)0, 1), 0x1p128);
	cr_expect_eq(ratio_nearest(~(uint128)0, ~(uint128)0), 1);
	cr_expect_eq(ratio_nearest(1, ~(uint128)0), 0x1p-128);
	cr_expect_eq(ratio_nearest(0, ~(uint128)0), 0);
	cr_expect(isnan(ratio_nearest(0, 0)));
	cr_expect(isinf(ratio_nearest(1, 0)));
}

Test(ratio, of_a_rate_and_a_line_is_the_percentage_that_stands_in_a_plan)
{
	const struct rate line = rate_max_theoretical(UINT64_C(100000000000), 64);

	for (uint64_t tenths = 1; tenths <= 1000; tenths++)
		cr_assert_eq(rate_percent(rate_scale(line, tenths, 1000), line), ratio_nearest(tenths, 10), "%llu",
		             (unsigned long long)tenths);
	cr_expect(isnan(rate_percent((struct rate){0, 0}, line)), "an unknown rate");
	cr_expect_eq(rate_percent((struct rate){0, 1}, line), 0);
}

Test(ratio, of_sums_of_rates_is_that_of_their_fractions)
{
	struct rate sum = {0, 1};

	for (unsigned i = 0; i < 10; i++)
		sum = rate_add(sum, (struct rate){1, 10});
	cr_expect_eq(rate_fps(sum), 1, "ten tenths, and not 0.99999999999999989");
	sum = rate_add((struct rate){1, 21}, (struct rate){3, 14});
	cr_expect_eq(sum.numerator, 11);
	cr_expect_eq(sum.denominator, 42);
	cr_expect(isnan(rate_fps(rate_add(sum, (struct rate){0, 0}))));
	cr_expect_float_eq(rate_fps(rate_add((struct rate){UINT64_MAX, 3}, (struct rate){UINT64_MAX, 7})),
	                   0x1p64 / 3 + 0x1p64 / 7, 0x1p20);
}

/* One octet time is 8 s / link, which is a decimal at every speed that a link has. */
Test(ratio, of_whole_octet_times_is_the_decimal_of_nanoseconds_at_every_speed)
{
	static const uint64_t SPEEDS[] = {10000000,    100000000,   1000000000,   2500000000,   10000000000,
	                                  25000000000, 40000000000, 100000000000, 400000000000, 800000000000};
	unsigned checked = 0;

	for (size_t i = 0; i < 10; i++)
		for (uint64_t ot = 1; ot <= 1000; ot++, checked++) {
			const double limit = ratio_nearest(ot * 8000000000, SPEEDS[i]);
			char decimal[32];

			/* Hundredths of a nanosecond are whole. */
			snprintf(decimal, sizeof(decimal), "%llu.%02llu",
			         (unsigned long long)(ot * 800000000000 / SPEEDS[i] / 100),
			         (unsigned long long)(ot * 800000000000 / SPEEDS[i] % 100));
			cr_assert_eq(limit, strtod(decimal, NULL), "%s", decimal);
			cr_assert_eq(ns_from_octet_times(ot, SPEEDS[i]), limit, "%s", decimal);
			cr_assert_eq(ns_from_mean((double)ot, 7, SPEEDS[i]), limit, "mean %s", decimal);
			cr_assert_eq(ns_from_mean((double)ot / 7, 7, SPEEDS[i]),
			             ratio_nearest(ot * 8000000000, 7 * (uint128)SPEEDS[i]), "a seventh of %s",
			             decimal);
		}
	cr_expect_eq(checked, 10000);
}
