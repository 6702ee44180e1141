/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about an MLRsearch test before its first trial. */
#include <math.h>
#include <stdio.h>

#include "host/bench/goals.h"

int goals_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	struct goal_search goals;
	struct search *search;

	goals_configure(test, plan_max_rate(test, frame_octets, link_bps), &goals);
	search = search_create(&goals.config, error);
	if (!search)
		return error->code;
	search_free(search);
	return 0;
}

/* The traffic without which no search can end: one goal's trials at its lower bound, plus the very first trial. */
double goals_longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	struct goal_search goals;
	double most_s = 0;

	goals_configure(test, plan_max_rate(test, frame_octets, link_bps), &goals);
	for (size_t i = 0; i < goals.mlrsearch.goal_count; i++) {
		const struct mlrsearch_goal *goal = &goals.goals[i];
		/* Full-length trials without loss make a load LOWER once they add up to D (1 - e). */
		double lower_s = (double)goal->sum_ns / 1e9 * (1 - (double)goal->exceed_ppm / MLRSEARCH_PPM);

		most_s = fmax(most_s, lower_s + (double)goal->initial_ns / 1e9);
	}
	return most_s;
}

struct extent goals_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	struct effort least = {1, goals_longest_trial_s(test, frame_octets, link_bps), 0};

	return (struct extent){.least = least, .most = {INFINITY, INFINITY, INFINITY}, .open = true};
}

static void shorten_goal(const struct plan_goal *goal, size_t index, double factor, struct shorter *settings)
{
	double final_s = shorter_time_s(extent_seconds(goal->final_trial_duration_ns), factor);
	double sum_s = shorter_time_s(extent_seconds(goal->duration_sum_ns), factor);
	double initial_s = shorter_time_s(extent_seconds(goal->initial_trial_duration_ns), factor);
	char key[64];

	snprintf(key, sizeof(key), "goals[%zu].final_trial_duration", index);
	shorter_add(settings, key, final_s);
	snprintf(key, sizeof(key), "goals[%zu].duration_sum", index);
	shorter_add(settings, key, sum_s);
	snprintf(key, sizeof(key), "goals[%zu].initial_trial_duration", index);
	shorter_add(settings, key, fmin(initial_s, final_s));
}

static void shorten_preset(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	struct goal_search goals;
	double final_s;

	goals_configure(test, plan_max_rate(test, test->frame_sizes[0], link_bps), &goals);
	final_s = shorter_time_s(extent_seconds(goals.goals[0].final_ns), factor);
	shorter_add(settings, "trial_duration", final_s);
	if (extent_seconds(test->initial_trial_duration_ns) > final_s)
		shorter_add(settings, "initial_trial_duration", final_s);
}

void goals_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	for (size_t i = 0; i < test->goal_count; i++)
		shorten_goal(&test->goals[i], i, factor, settings);
	if (test->goal_count == 0)
		shorten_preset(test, factor, link_bps, settings);
}
