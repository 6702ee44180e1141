/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 9971 sections 6.1 and 6.2 in exact fractions. */
#include "mlrsearch_oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "host/base/uint128.h"

static int128 common_divisor(int128 a, int128 b)
{
	if (a < 0)
		a = -a;
	while (b) {
		int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Numbers here are below 2^60 / 10^6; a test that overflows 128 bits must fail, not wrap. */
static int128 times(int128 a, int128 b)
{
	int128 product = 0;

	cr_assert_not(__builtin_mul_overflow(a, b, &product), "the oracle is out of its depth");
	return product;
}

static struct fraction fraction(int128 numerator, int128 denominator)
{
	int128 divisor = common_divisor(numerator, denominator);

	return (struct fraction){numerator / divisor, denominator / divisor};
}

static struct fraction whole(uint64_t number)
{
	return fraction((int128)number, 1);
}

static struct fraction plus(struct fraction a, struct fraction b)
{
	return fraction(times(a.numerator, b.denominator) + times(b.numerator, a.denominator),
	                times(a.denominator, b.denominator));
}

static struct fraction minus(struct fraction a, struct fraction b)
{
	b.numerator = -b.numerator;
	return plus(a, b);
}

static struct fraction product(struct fraction a, struct fraction b)
{
	return fraction(times(a.numerator, b.numerator), times(a.denominator, b.denominator));
}

static struct fraction quotient(struct fraction a, struct fraction b)
{
	return fraction(times(a.numerator, b.denominator), times(a.denominator, b.numerator));
}

int fraction_compare(struct fraction a, struct fraction b)
{
	int128 left = times(a.numerator, b.denominator), right = times(b.numerator, a.denominator);

	return (left > right) - (left < right);
}

static struct fraction larger(struct fraction a, struct fraction b)
{
	return fraction_compare(a, b) > 0 ? a : b;
}

static struct fraction loss_ratio(const struct mlrsearch_trial *trial)
{
	return fraction((int128)trial->lost_frames, (int128)trial->expected_frames);
}

/* A sum of Trial Effective Durations: full-length or short, high-loss or low-loss. */
static struct fraction sum_of(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials, size_t count,
                              uint64_t point, bool full_length, bool high_loss)
{
	struct fraction goal_loss_ratio = fraction(goal->loss_ppm, 1000000), sum = whole(0);

	for (size_t i = 0; i < count; i++) {
		bool is_full_length = trials[i].duration_ns >= goal->final_ns;
		bool is_high_loss = fraction_compare(loss_ratio(&trials[i]), goal_loss_ratio) > 0;

		if (trials[i].point == point && is_full_length == full_length && is_high_loss == high_loss)
			sum = plus(sum, whole(trials[i].effective_ns));
	}
	return sum;
}

enum mlrsearch_class oracle_class(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials, size_t count,
                                  uint64_t point)
{
	struct fraction full_length_high_loss = sum_of(goal, trials, count, point, true, true);
	struct fraction full_length_low_loss = sum_of(goal, trials, count, point, true, false);
	struct fraction short_high_loss = sum_of(goal, trials, count, point, false, true);
	struct fraction short_low_loss = sum_of(goal, trials, count, point, false, false);
	struct fraction exceed_ratio = fraction(goal->exceed_ppm, 1000000);
	struct fraction subceed_ratio = minus(whole(1), exceed_ratio);
	struct fraction exceed_coefficient = quotient(exceed_ratio, subceed_ratio);
	struct fraction balancing = product(short_low_loss, exceed_coefficient);
	struct fraction excess = minus(short_high_loss, balancing);
	struct fraction positive_excess = larger(whole(0), excess);
	struct fraction effective_high_loss = plus(full_length_high_loss, positive_excess);
	struct fraction effective_full = plus(effective_high_loss, full_length_low_loss);
	struct fraction effective_whole = larger(effective_full, whole(goal->sum_ns));
	struct fraction missing = minus(effective_whole, effective_full);
	struct fraction pessimistic_high_loss = plus(effective_high_loss, missing);
	struct fraction optimistic_exceed_ratio = quotient(effective_high_loss, effective_whole);
	struct fraction pessimistic_exceed_ratio = quotient(pessimistic_high_loss, effective_whole);

	if (fraction_compare(optimistic_exceed_ratio, exceed_ratio) > 0)
		return MLRSEARCH_UPPER;
	if (fraction_compare(pessimistic_exceed_ratio, exceed_ratio) <= 0)
		return MLRSEARCH_LOWER;
	return MLRSEARCH_UNDECIDED;
}

static int by_loss_ratio(const void *a, const void *b)
{
	return fraction_compare(loss_ratio(a), loss_ratio(b));
}

struct fraction oracle_conditional_throughput(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                              size_t count, uint64_t point)
{
	struct mlrsearch_trial *full_length_trials = malloc((count + 1) * sizeof(*full_length_trials));
	struct fraction full_length =
	        plus(sum_of(goal, trials, count, point, true, true), sum_of(goal, trials, count, point, true, false));
	struct fraction subceed_ratio = minus(whole(1), fraction(goal->exceed_ppm, 1000000));
	struct fraction remaining = product(larger(whole(goal->sum_ns), full_length), subceed_ratio);
	struct fraction quantile_loss_ratio = whole(1);
	size_t full_length_count = 0, i;

	for (i = 0; i < count; i++)
		if (trials[i].point == point && trials[i].duration_ns >= goal->final_ns)
			full_length_trials[full_length_count++] = trials[i];
	qsort(full_length_trials, full_length_count, sizeof(*full_length_trials), by_loss_ratio);
	for (i = 0; i < full_length_count; i++) {
		if (i > 0 && fraction_compare(remaining, whole(0)) <= 0)
			break;
		quantile_loss_ratio = loss_ratio(&full_length_trials[i]);
		remaining = minus(remaining, whole(full_length_trials[i].effective_ns));
	}
	if (i == full_length_count && fraction_compare(remaining, whole(0)) > 0)
		quantile_loss_ratio = whole(1);
	free(full_length_trials);
	return product(whole(point), minus(whole(1), quantile_loss_ratio));
}
