/* SPDX-License-Identifier: Apache-2.0 */
/* Percentage of variation and relative standard deviation of RFC 8239, by cases worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "host/bench/rfc8239/rfc8239_common.h"

#define ABOUT(value, true_value) cr_assert_float_eq(value, true_value, 1e-9, "%.12g", value)

Test(rfc8239, percentage_of_variation_is_that_of_3_3)
{
	/* 100 to 110: +10%; 110 to 99: -10%; 99 to 99: 0. */
	static const double VALUES[] = {100, 110, 99, 99};
	const struct variation variation = variation_of(VALUES, 4);

	ABOUT(variation.min, -10);
	ABOUT(variation.mean, 0);
	ABOUT(variation.max, 10);
	/* mean 102; squares of 2, 8, 3, 3 sum up to 86; sqrt(86 / 3) / 102 */
	ABOUT(variation.relative_stddev, 100 * sqrt(86.0 / 3) / 102);
}

Test(rfc8239, one_repetition_does_not_vary)
{
	static const double VALUE[] = {7};
	const struct variation variation = variation_of(VALUE, 1);

	cr_assert(isnan(variation.min) && isnan(variation.mean) && isnan(variation.max));
	cr_assert(isnan(variation.relative_stddev));
}

Test(rfc8239, nothing_twice_is_no_variation_and_from_nothing_there_is_no_percentage)
{
	static const double NOTHING[] = {0, 0, 0}, FROM_NOTHING[] = {0, 5, 10};
	struct variation variation = variation_of(NOTHING, 3);

	ABOUT(variation.min, 0);
	ABOUT(variation.max, 0);
	ABOUT(variation.relative_stddev, 0);
	variation = variation_of(FROM_NOTHING, 3);
	ABOUT(variation.min, 100);
	ABOUT(variation.mean, 100);
	ABOUT(variation.relative_stddev, 100);
}

static size_t flags_with(double relative_stddev)
{
	const struct variation variation = {.relative_stddev = relative_stddev};
	json_t *result = json_object();
	size_t flags;

	json_object_set_new(result, "flags", json_array());
	variation_flag(&variation, "the burst", result);
	flags = json_array_size(json_object_get(result, "flags"));
	json_decref(result);
	return flags;
}

Test(rfc8239, ten_percent_and_more_is_flagged)
{
	cr_assert_eq(flags_with(9.999), 0);
	cr_assert_eq(flags_with(10), 1);
	cr_assert_eq(flags_with(NAN), 0);
}
