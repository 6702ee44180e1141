/* SPDX-License-Identifier: Apache-2.0 */
/* Exact frame rates, against the table of 19 sizes at 8 speeds, RFC 2544 Appendix B, and the promises of rate.h. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/rate.h"

static const uint64_t G = 1000000000;

Test(rate, maximum_agrees_with_the_table_of_frame_rates)
{
	static const uint64_t SPEEDS[] = {1, 10, 25, 40, 50, 100, 200, 400};
	FILE *file = fopen(FPGAUGE_VECTORS "/frame_rates.csv", "r");
	char line[512];
	unsigned checked = 0;

	cr_assert_not_null(file);
	cr_assert_not_null(fgets(line, sizeof(line), file)); /* heading */
	while (fgets(line, sizeof(line), file)) {
		char *rest;
		uint32_t size = (uint32_t)strtoul(line, &rest, 10);

		for (size_t i = 0; i < 8; i++, checked++) {
			cr_assert_eq(*rest, ',', "size %u: column %zu is missing", size, i);
			double expected = strtod(rest + 1, &rest);
			double got = rate_fps(rate_max_theoretical(SPEEDS[i] * G, size));

			cr_expect_lt(fabs(got - expected), 0.000501, "%u octets at %" PRIu64 "G: %.4f, not %.3f", size,
			             SPEEDS[i], got, expected);
		}
	}
	fclose(file);
	cr_expect_eq(checked, 19 * 8, "the table has %u values", checked);
}

Test(rate, maximum_agrees_with_rfc2544_appendix_b_at_10_megabit)
{
	static const uint32_t SIZES[] = {64, 128, 256, 512, 768, 1024, 1280, 1518};
	static const uint64_t EXPECTED[] = {14880, 8445, 4528, 2349, 1586, 1197, 961, 812};

	for (size_t i = 0; i < 8; i++) {
		struct rate rate = rate_max_theoretical(10000000, SIZES[i]);

		cr_expect_eq(rate.numerator / rate.denominator, EXPECTED[i], "%u octets", SIZES[i]);
	}
}

Test(rate, maximum_is_a_reduced_exact_fraction)
{
	struct rate rate = rate_max_theoretical(100 * G, 64);

	cr_expect_eq(rate.numerator, 3125000000u);
	cr_expect_eq(rate.denominator, 21);
}

Test(rate, scaling_is_exact_while_the_fraction_fits)
{
	struct rate line = rate_max_theoretical(100 * G, 65);
	struct rate back = rate_scale(rate_scale(line, 672, 1000), 1000, 672);

	cr_expect_eq(rate_compare(line, back), 0);
	cr_expect_eq(rate_compare(rate_scale(line, 0, 7), (struct rate){0, 1}), 0);
	/* A product above 2^64 that reduces to fit again. */
	back = rate_scale((struct rate){UINT64_MAX, 3}, 3, UINT64_MAX);
	cr_expect(back.numerator == 1 && back.denominator == 1);
}

Test(rate, scaling_keeps_62_bits_when_the_fraction_does_not_fit)
{
	unsigned seed = 2544;

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t part[4];

		for (unsigned k = 0; k < 4; k++) {
			part[k] =
			        (uint64_t)rand_r(&seed) << 33 ^ (uint64_t)rand_r(&seed) << 11 ^ (uint64_t)rand_r(&seed);
			part[k] = (part[k] >> (unsigned)(rand_r(&seed) % 40)) | 1;
		}
		struct rate got = rate_scale((struct rate){part[0], part[1]}, part[2], part[3]);
		long double exact =
		        (long double)part[0] / (long double)part[1] * (long double)part[2] / (long double)part[3];
		long double ratio = (long double)got.numerator / (long double)got.denominator;

		cr_assert_gt(got.denominator, 0);
		if (exact >= 0x1p63L || exact <= 0x1p-63L)
			continue;
		/* 2^-60: 2^-62 promised, and the yardstick itself is a long double. */
		cr_assert_lt(fabsl(ratio / exact - 1), 0x1p-60L, "%" PRIu64 "/%" PRIu64 " x %" PRIu64 "/%" PRIu64,
		             part[0], part[1], part[2], part[3]);
	}
}

Test(rate, comparison_sees_a_difference_that_a_double_does_not)
{
	struct rate a = {UINT64_MAX, UINT64_MAX - 1};
	struct rate b = {UINT64_MAX - 1, UINT64_MAX - 2};

	cr_assert_eq(rate_fps(a), rate_fps(b));
	cr_expect_lt(rate_compare(a, b), 0);
	cr_expect_gt(rate_compare(b, a), 0);
	cr_expect_eq(rate_compare(a, a), 0);
}

Test(rate, octet_times_are_rounded_up_and_exact_on_whole_ones)
{
	cr_expect_eq(octet_times_from_ns(0, 100 * G), 0);
	cr_expect_eq(octet_times_from_ns(1, 100 * G), 13); /* 12.5 */
	cr_expect_eq(octet_times_from_ns(2, 100 * G), 25);
	cr_expect_eq(octet_times_from_ns(60 * G, 100 * G), 750 * G);
	cr_expect_eq(octet_times_from_ns(1, 10000000), 1); /* 0.00125 */
	cr_expect_eq(octet_times_from_ns(604800 * G, 400 * G),
	             604800 * 50 * G); /* a week: the product needs 128 bits */
	cr_expect_eq(octet_times_from_ns(UINT64_MAX, 800 * G), UINT64_MAX);
	cr_expect_float_eq(seconds_from_octet_times(750 * G, 100 * G), 60.0, 1e-9);
}

/* The senders of an external tester, which counts and measures. */
Test(rate, what_was_offered_is_what_was_intended_to_a_frame_of_each_sender)
{
	const double line = 1e8;

	cr_expect_eq(rate_offered_fps(5e7, line, 2, 100000002, 1), 5e7, "a frame of each");
	cr_expect_eq(rate_offered_fps(5e7, line, 2, 99999998, 1), 5e7);
	cr_expect_eq(rate_offered_fps(5e7, line, 2, 100000004, 1), 50000002);
	cr_expect_eq(rate_offered_fps(5e7, line, 1, 91000000, 2), 45500000);
	cr_expect_eq(rate_offered_fps(5e7, line, 1, 1000000, 0), 5e7, "nobody measured the time");
	cr_expect_eq(rate_offered_fps(line, line, 1, 99990000, 1), line, "clocks may differ by 100 ppm");
	cr_expect_eq(rate_offered_fps(line, line, 1, 99989999, 1), 99989999, "and by no more");
	cr_expect_eq(rate_offered_fps(9.9e7, line, 1, 110000000, 1), line, "no more fits into the line");
}
