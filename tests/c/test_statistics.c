/* SPDX-License-Identifier: Apache-2.0 */
/* Means and their differences, against tables of Student's t and samples from a known distribution. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "host/base/statistics.h"

Test(statistics, a_sample_has_the_divisor_of_a_sample)
{
	struct sample s = sample_of((double[]){2, 4, 4, 4, 5, 5, 7, 9}, 8);

	cr_expect_eq(s.count, 8);
	cr_expect_float_eq(s.mean, 5, 1e-12);
	cr_expect_float_eq(s.stddev, sqrt(32.0 / 7), 1e-12);
	cr_expect(isnan(sample_of((double[]){3}, 1).stddev), "one value has no spread");
	cr_expect(isnan(sample_of(NULL, 0).mean));
}

/* Published tables: columns 0.10, 0.02, 0.01 and 0.001, two-sided. */
Test(statistics, the_probability_of_t_is_that_of_the_printed_tables)
{
	static const struct {
		size_t degrees;
		double t, p;
	} ROWS[] = {{1, 6.3138, 0.1},   {1, 31.8205, 0.02}, {2, 2.9200, 0.1},    {2, 9.9248, 0.01},
	            {3, 2.3534, 0.1},   {3, 12.924, 0.001}, {4, 4.6041, 0.01},   {4, 8.6103, 0.001},
	            {5, 6.8688, 0.001}, {10, 3.1693, 0.01}, {30, 3.6460, 0.001}, {120, 2.6174, 0.01}};

	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
		cr_expect_float_eq(student_t_p(ROWS[i].t, ROWS[i].degrees), ROWS[i].p, 1e-3 * ROWS[i].p, "%zu degrees",
		                   ROWS[i].degrees);
		cr_expect_eq(student_t_p(-ROWS[i].t, ROWS[i].degrees), student_t_p(ROWS[i].t, ROWS[i].degrees));
	}
	for (size_t degrees = 1; degrees < 200; degrees++) {
		cr_expect_float_eq(student_t_p(student_t_95(degrees), degrees), 0.05, 1e-5, "%zu degrees", degrees);
		cr_expect_eq(student_t_p(0, degrees), 1);
		cr_expect_float_eq(student_t_p(INFINITY, degrees), 0, 1e-12);
	}
	cr_expect(isnan(student_t_p(NAN, 3)) && isnan(student_t_p(1, 0)));
}

Test(statistics, samples_that_vary_alike_have_the_sum_of_their_degrees_of_freedom)
{
	/* 18 degrees: t = 2.1009 (any table); 8 degrees: 2.3060. */
	const struct sample ten = {10, 100, 1}, five = {5, 101, 2};
	struct mean_difference d = mean_difference(&ten, &(struct sample){10, 102, 1});

	cr_expect_float_eq(d.difference, 2, 1e-12);
	cr_expect_float_eq(d.high - d.difference, 2.1009 * sqrt(0.2), 1e-4);
	cr_expect_float_eq(d.low + d.high, 4, 1e-12);
	cr_expect_float_eq(d.p, 0.00029456, 1e-8); /* t = 4.4721 with 18 degrees, density integrated */
	d = mean_difference(&five, &five);
	cr_expect_float_eq(d.high, 2.3060 * 2 * sqrt(0.4), 1e-4);
}

Test(statistics, samples_that_do_not_vary_alike_have_fewer)
{
	/* Welch-Satterthwaite by hand: variances of the means 1 and 0.01: (1.01)^2 / (1 / 9 + 0.0001 / 9) = 9.18, so 9
	 * degrees, t = 2.2622. */
	struct mean_difference d =
	        mean_difference(&(struct sample){10, 0, sqrt(10)}, &(struct sample){10, 0, sqrt(0.1)});

	cr_expect_float_eq(d.high, 2.2622 * sqrt(1.01), 1e-4);
}

Test(statistics, a_single_value_is_taken_to_vary_as_the_other_sample_does)
{
	struct mean_difference d = mean_difference(&(struct sample){1, 10, NAN}, &(struct sample){10, 12, 3});

	cr_expect_float_eq(d.high - 2, 2.2622 * sqrt(9 + 0.9), 1e-3);
	d = mean_difference(&(struct sample){1, 10, NAN}, &(struct sample){1, 12, NAN});
	cr_expect_eq(d.difference, 2);
	cr_expect(isnan(d.low) && isnan(d.high) && isnan(d.p), "nothing is known of the spread");
}

Test(statistics, values_that_never_vary_differ_for_certain)
{
	struct mean_difference d = mean_difference(&(struct sample){5, 10, 0}, &(struct sample){5, 9, 0});

	cr_expect_eq(d.low, -1);
	cr_expect_eq(d.high, -1);
	cr_expect_float_eq(d.p, 0, 1e-12);
	cr_expect_eq(mean_difference(&(struct sample){5, 10, 0}, &(struct sample){5, 10, 0}).p, 1);
}

Test(statistics, equal_laws_are_told_apart_once_in_twenty)
{
	enum { ROUNDS = 4000, N = 12 };
	unsigned wrong = 0;

	srand48(20260101);
	for (unsigned round = 0; round < ROUNDS; round++) {
		double values[2][N];
		struct sample a, b;
		struct mean_difference d;

		for (unsigned i = 0; i < 2 * N; i++) { /* nearly normal: the sum of twelve uniform values */
			values[i / N][i % N] = 0;
			for (unsigned k = 0; k < 12; k++)
				values[i / N][i % N] += drand48();
		}
		a = sample_of(values[0], N);
		b = sample_of(values[1], N);
		d = mean_difference(&a, &b);
		wrong += d.low > 0 || d.high < 0;
	}
	/* 200 expected, standard deviation 14 */
	cr_expect(wrong > 140 && wrong < 260, "%u of %u", wrong, ROUNDS);
}
