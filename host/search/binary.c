/* SPDX-License-Identifier: Apache-2.0 */
/* Binary Search and Binary Search with Loss Verification (ETSI GS NFV-TST 009 12.3.2 and 12.3.3) as one stepper.
 *
 *     pass(i): for r = 1..max_trials { lost <= goal: true; lost >= z: false }; false
 *     L = -1; R = n + 1; i = first; while R - L > 1 { pass(i) ? L = i : R = i; i = next }
 *
 * TST 009 starts at the last point n: if it passes there is no upper bound and the search is over. With config.first
 * the search starts there instead and doubles the value of the point until one fails (or n passes). From then on both
 * are the same bisection. */
#include <inttypes.h>
#include <stdlib.h>

#include "host/base/uint128.h"
#include "host/search/stepper.h"

struct binary {
	struct search base;
	unsigned max_trials; /* most trials at one point */
	uint64_t current;    /* index */
	int64_t lower;       /* index of the largest point that passed; -1: none */
	int64_t upper;       /* index of the smallest point that failed; last_index + 1: none */
	unsigned trials_here;
	bool begun, bracketing, by_doubling;
};

/* The next point while doubling: the grid point at or below twice the value, but at least one further on. */
static uint64_t doubled(const struct binary *binary)
{
	const struct search *search = &binary->base;
	uint64_t point = grid_point(search, binary->current);
	uint64_t next = point > search->config.high / 2 ? search->last_index : grid_index_below(search, point * 2);

	return next > binary->current ? next : binary->current + 1;
}

static void begin(struct binary *binary)
{
	const struct search *search = &binary->base;

	binary->begun = true;
	binary->lower = -1;
	binary->upper = (int64_t)search->last_index + 1;
	binary->bracketing = true;
	binary->current = search->config.first ? grid_index_below(search, search->config.first) : search->last_index;
	binary->by_doubling = binary->current != search->last_index;
}

static void binary_plan(struct search *search, struct search_request *request)
{
	struct binary *binary = (struct binary *)search;

	if (!binary->begun)
		begin(binary);
	if (binary->upper - binary->lower <= 1) {
		search->end = binary->lower < 0                             ? SEARCH_NO_LOWER
		              : binary->upper > (int64_t)search->last_index ? SEARCH_NO_UPPER
		                                                            : SEARCH_FOUND;
		return;
	}
	*request = (struct search_request){.point = grid_point(search, binary->current),
	                                   .duration_ns = search->config.duration_ns};
}

static void point_decided(struct binary *binary, bool passed)
{
	binary->trials_here = 0;
	if (passed) {
		binary->lower = (int64_t)binary->current;
	} else {
		binary->upper = (int64_t)binary->current;
		binary->bracketing = false;
	}
	if (binary->upper - binary->lower <= 1)
		return;
	/* L may be -1; R - L >= 2, so the middle is at least 0 and strictly between them. */
	binary->current =
	        binary->bracketing ? doubled(binary) : (uint64_t)(binary->lower + (binary->upper - binary->lower) / 2);
}

/* lost >= z. A ratio is compared as a product, because in frames it differs from point to point. */
static bool needs_no_second_look(const struct search_z *z, const struct search_observation *observed)
{
	if (z->denominator == 0)
		return observed->lost_frames >= z->numerator;
	return (uint128)observed->lost_frames * z->denominator >= (uint128)observed->expected_frames * z->numerator;
}

static int binary_observe(struct search *search, const struct search_observation *observed)
{
	struct binary *binary = (struct binary *)search;

	binary->trials_here++;
	if (observed->lost_frames <= search->config.goal_frames)
		point_decided(binary, true);
	else if (binary->trials_here >= binary->max_trials || needs_no_second_look(&search->config.z, observed))
		point_decided(binary, false);
	/* else: loss verification asks for the same point again */
	return 0;
}

/* Bisecting w undecided points takes ceil(log2(w + 1)) points, the number of bits of w; the doubling before it takes at
 * most as many. */
static unsigned binary_trials_estimate(const struct search *search)
{
	const struct binary *binary = (const struct binary *)search;
	uint64_t width = (uint64_t)(binary->upper - binary->lower - 1); /* undecided points */
	unsigned points = 0;

	for (; width; width >>= 1)
		points++;
	if (binary->bracketing && binary->current != search->last_index)
		points *= 2;
	else if (binary->bracketing)
		points += 1;
	return search->trials + points * binary->max_trials;
}

static void binary_bounds(const struct search *search, struct search_result *result)
{
	const struct binary *binary = (const struct binary *)search;

	result->has_lower = binary->lower >= 0;
	result->has_upper = binary->upper <= (int64_t)search->last_index;
	result->lower = result->has_lower ? grid_point(search, (uint64_t)binary->lower) : 0;
	result->upper = result->has_upper ? grid_point(search, (uint64_t)binary->upper) : 0;
	result->bracket_by_doubling = binary->by_doubling;
}

static struct search *binary_copy(const struct search *search)
{
	return stepper_copy(search, sizeof(struct binary));
}

static void binary_destroy(struct search *search)
{
	free(search);
}

static const struct search_ops binary_ops = {
        .plan = binary_plan,
        .observe = binary_observe,
        .bounds = binary_bounds,
        .trials_estimate = binary_trials_estimate,
        .copy = binary_copy,
        .destroy = binary_destroy,
};

static int check_binary(const struct search_config *config, struct error *error)
{
	if (config->first && (config->first < config->low || config->first > config->high))
		return error_set(error, ERROR_PLAN,
		                 "search: first = %" PRIu64 ": must be 0 or from %" PRIu64 " to %" PRIu64,
		                 config->first, config->low, config->high);
	if (config->kind == SEARCH_LOSS_VERIFICATION && config->repeat_unit == SEARCH_MAX_TRIALS &&
	    config->max_repeat == 0)
		return error_set(error, ERROR_PLAN, "search: max(r) = 0 trials: must be at least 1");
	return 0;
}

struct search *binary_create(const struct search_config *config, struct error *error)
{
	struct binary *binary;

	if (check_binary(config, error))
		return NULL;
	binary = calloc(1, sizeof(*binary));
	if (binary == NULL) {
		error_set(error, ERROR_INTERNAL, "search: out of memory");
		return NULL;
	}
	binary->base.ops = &binary_ops;
	binary->max_trials = 1;
	if (config->kind == SEARCH_LOSS_VERIFICATION)
		binary->max_trials = config->max_repeat + (config->repeat_unit == SEARCH_MAX_REPEATS);
	return &binary->base;
}
