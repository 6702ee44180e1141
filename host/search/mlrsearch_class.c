/* SPDX-License-Identifier: Apache-2.0 */
/* Exact load classification and conditional throughput (RFC 9971 sections 6.1 and 6.2, Appendices A and B).
 *
 * The pseudocode of the RFC divides by the subceed ratio q = 1 - e; here everything is multiplied by q instead, with e
 * and q in parts per million, so nothing is ever rounded. Durations are below 2^64 ns and ratios below 2^20, so the
 * largest product, the sum of two durations times P^2, is below 2^106. */
#include <inttypes.h>
#include <string.h>

#include "host/base/uint128.h"
#include "host/search/mlrsearch.h"

bool mlrsearch_is_high_loss(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trial)
{
	return (uint128)trial->lost_frames * MLRSEARCH_PPM > (uint128)trial->expected_frames * goal->loss_ppm;
}

void mlrsearch_add(const struct mlrsearch_goal *goal, struct mlrsearch_sums *sums, const struct mlrsearch_trial *trial)
{
	bool high = mlrsearch_is_high_loss(goal, trial);

	if (trial->duration_ns >= goal->final_ns)
		*(high ? &sums->full_high_ns : &sums->full_low_ns) += trial->effective_ns;
	else
		*(high ? &sums->short_high_ns : &sums->short_low_ns) += trial->effective_ns;
}

enum mlrsearch_class mlrsearch_classify(const struct mlrsearch_goal *goal, const struct mlrsearch_sums *sums)
{
	const uint128 e = goal->exceed_ppm, q = MLRSEARCH_PPM - goal->exceed_ppm;
	const uint128 short_high = sums->short_high_ns * q, balance = sums->short_low_ns * e;
	/* Short low-loss trials only offset short high-loss ones. */
	const uint128 high = sums->full_high_ns * q + (short_high > balance ? short_high - balance : 0);
	const uint128 low = sums->full_low_ns * q, full = low + high, goal_sum = goal->sum_ns * q;
	const uint128 whole = full > goal_sum ? full : goal_sum;
	const bool optimistic_is_lower = high * MLRSEARCH_PPM <= whole * e;
	const bool pessimistic_is_lower = (whole - low) * MLRSEARCH_PPM <= whole * e;

	if (optimistic_is_lower && pessimistic_is_lower)
		return MLRSEARCH_LOWER;
	if (!optimistic_is_lower && !pessimistic_is_lower)
		return MLRSEARCH_UPPER;
	return MLRSEARCH_UNDECIDED;
}

static int compare_loss(const struct mlrsearch_trial *a, const struct mlrsearch_trial *b)
{
	uint128 left = (uint128)a->lost_frames * b->expected_frames;
	uint128 right = (uint128)b->lost_frames * a->expected_frames;

	return (left > right) - (left < right);
}

static bool counts_for(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trial, uint64_t point)
{
	return trial->point == point && trial->duration_ns >= goal->final_ns;
}

/* The trial with the least loss among those that lose more than `than`; if `than` is NULL, among all trials. */
static const struct mlrsearch_trial *next_worse(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                                size_t count, uint64_t point, const struct mlrsearch_trial *than)
{
	const struct mlrsearch_trial *next = NULL;

	for (size_t i = 0; i < count; i++)
		if (counts_for(goal, &trials[i], point) && (than == NULL || compare_loss(&trials[i], than) > 0) &&
		    (next == NULL || compare_loss(&trials[i], next) < 0))
			next = &trials[i];
	return next;
}

/* RFC 9971 Appendix B, but takes all trials of equal loss at once instead of sorting. */
void mlrsearch_quantile(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials, size_t count,
                        struct mlrsearch_goal_result *result)
{
	const uint64_t full = result->lower_sums.full_low_ns + result->lower_sums.full_high_ns;
	const struct mlrsearch_trial *worst = NULL;
	int128 remaining = (int128)(full > goal->sum_ns ? full : goal->sum_ns) * (MLRSEARCH_PPM - goal->exceed_ppm);

	result->quantile_lost_frames = result->quantile_expected_frames = 1; /* 100% */
	do {
		worst = next_worse(goal, trials, count, result->lower, worst);
		if (worst == NULL)
			return;
		for (size_t i = 0; i < count; i++)
			if (counts_for(goal, &trials[i], result->lower) && compare_loss(&trials[i], worst) == 0)
				remaining -= (int128)trials[i].effective_ns * MLRSEARCH_PPM;
	} while (remaining > 0);
	result->quantile_lost_frames = worst->lost_frames;
	result->quantile_expected_frames = worst->expected_frames;
}

int mlrsearch_check_goal(const struct mlrsearch_goal *goal, struct error *error)
{
	if (goal->loss_ppm >= MLRSEARCH_PPM)
		return error_set(error, ERROR_PLAN, "goal loss ratio = %" PRIu32 " ppm: must be below 1000000",
		                 goal->loss_ppm);
	if (goal->exceed_ppm >= MLRSEARCH_PPM)
		return error_set(error, ERROR_PLAN, "goal exceed ratio = %" PRIu32 " ppm: must be below 1000000",
		                 goal->exceed_ppm);
	if (goal->width_ppm == 0 || goal->width_ppm >= MLRSEARCH_PPM)
		return error_set(error, ERROR_PLAN, "goal width = %" PRIu32 " ppm: must be above 0 and below 1000000",
		                 goal->width_ppm);
	if (goal->final_ns == 0)
		return error_set(error, ERROR_PLAN, "goal final trial duration = 0 ns: must be above 0");
	if (goal->sum_ns == 0)
		return error_set(error, ERROR_PLAN, "goal duration sum = 0 ns: must be above 0");
	if (goal->initial_ns == 0 || goal->initial_ns > goal->final_ns)
		return error_set(error, ERROR_PLAN,
		                 "goal initial trial duration = %" PRIu64
		                 " ns: must be above 0 and at most the final trial duration, %" PRIu64 " ns",
		                 goal->initial_ns, goal->final_ns);
	return 0;
}

#define S UINT64_C(1000000000)

static const struct {
	const char *name;
	size_t count;
	struct mlrsearch_goal goals[2];
} presets[] = {
        {"rfc2544", 1, {{.width_ppm = 5000, .final_ns = 60 * S, .sum_ns = 60 * S, .initial_ns = S}}},
        {"tst009",
         1,
         {{.exceed_ppm = 500000, .width_ppm = 5000, .final_ns = 60 * S, .sum_ns = 120 * S, .initial_ns = S}}},
        {"ndrpdr",
         2,
         {{.exceed_ppm = 500000, .width_ppm = 5000, .final_ns = S, .sum_ns = 21 * S, .initial_ns = S},
          {.loss_ppm = 5000,
           .exceed_ppm = 500000,
           .width_ppm = 5000,
           .final_ns = S,
           .sum_ns = 21 * S,
           .initial_ns = S}}},
};

size_t mlrsearch_preset(const char *name, struct mlrsearch_goal *goals)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(*presets); i++)
		if (strcmp(name, presets[i].name) == 0) {
			memcpy(goals, presets[i].goals, presets[i].count * sizeof(*goals));
			return presets[i].count;
		}
	return 0;
}
