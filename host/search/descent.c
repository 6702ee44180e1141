/* SPDX-License-Identifier: Apache-2.0 */
/* Descent: one trial at each point from the highest down, until two successive ones lose nothing (RFC 2544 section
 * 26.3). */
#include <stdlib.h>

#include "host/search/stepper.h"

enum { SUCCESSIVE = 2 };

struct descent {
	struct search base;
	uint64_t index;          /* index of the next point; last_index first */
	uint64_t passed, failed; /* points: the first of those that passed in a row; the last that failed */
	unsigned passed_in_a_row;
	bool has_failed, at_end; /* at_end: the lowest point was tried */
};

static void descent_plan(struct search *search, struct search_request *request)
{
	struct descent *descent = (struct descent *)search;

	if (search->trials == 0)
		descent->index = search->last_index;
	if (descent->passed_in_a_row == SUCCESSIVE)
		search->end = descent->has_failed ? SEARCH_FOUND : SEARCH_NO_UPPER;
	else if (descent->at_end)
		search->end = SEARCH_NO_LOWER;
	else
		*request = (struct search_request){.point = grid_point(search, descent->index),
		                                   .duration_ns = search->config.duration_ns};
}

static int descent_observe(struct search *search, const struct search_observation *observed)
{
	struct descent *descent = (struct descent *)search;
	const uint64_t point = grid_point(search, descent->index);

	if (observed->lost_frames <= search->config.goal_frames) {
		if (descent->passed_in_a_row++ == 0)
			descent->passed = point;
	} else {
		descent->passed_in_a_row = 0;
		descent->failed = point;
		descent->has_failed = true;
	}
	descent->at_end = descent->index == 0;
	descent->index -= !descent->at_end;
	return 0;
}

static void descent_bounds(const struct search *search, struct search_result *result)
{
	const struct descent *descent = (const struct descent *)search;

	result->has_lower = descent->passed_in_a_row == SUCCESSIVE;
	result->lower = descent->passed;
	result->has_upper = descent->has_failed;
	result->upper = descent->failed;
}

static unsigned descent_trials_estimate(const struct search *search)
{
	const struct descent *descent = (const struct descent *)search;

	return search->trials + (unsigned)(descent->index + !descent->at_end);
}

static struct search *descent_copy(const struct search *search)
{
	return stepper_copy(search, sizeof(struct descent));
}

static void descent_destroy(struct search *search)
{
	free(search);
}

struct search *descent_create(struct error *error)
{
	static const struct search_ops OPS = {.plan = descent_plan,
	                                      .observe = descent_observe,
	                                      .bounds = descent_bounds,
	                                      .trials_estimate = descent_trials_estimate,
	                                      .copy = descent_copy,
	                                      .destroy = descent_destroy};
	struct descent *descent = calloc(1, sizeof(*descent));

	if (!descent) {
		error_set(error, ERROR_INTERNAL, "search: out of memory");
		return NULL;
	}
	descent->base.ops = &OPS;
	return &descent->base;
}
