/* SPDX-License-Identifier: Apache-2.0 */
/* Means and their differences against tables of Student's t and samples of a known law. */
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

Test(statistics, samples_that_vary_alike_have_the_sum_of_their_degrees_of_freedom)
{
	/* 18 degrees: t = 2.1009 (any table); 8 degrees: 2.3060. */
	const struct sample ten = {10, 100, 1}, five = {5, 101, 2};
	struct mean_difference d = mean_difference(&ten, &(struct sample){10, 102, 1});

	cr_expect_float_eq(d.difference, 2, 1e-12);
	cr_expect_float_eq(d.high - d.difference, 2.1009 * sqrt(0.2), 1e-4);
	cr_expect_float_eq(d.low + d.high, 4, 1e-12);
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
	cr_expect(isnan(d.low) && isnan(d.high), "nothing is known of the spread");
}

Test(statistics, values_that_never_vary_differ_for_certain)
{
	struct mean_difference d = mean_difference(&(struct sample){5, 10, 0}, &(struct sample){5, 9, 0});

	cr_expect_eq(d.low, -1);
	cr_expect_eq(d.high, -1);
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
