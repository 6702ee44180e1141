/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about a throughput test before its first trial. */
#include <math.h>

#include "host/bench/goals.h"
#include "host/bench/rfc2544/throughput.h"

/* Full-length trials after a search with shorter ones: at the load found, and at the one above. */
enum { FULL_TRIALS = 2 };

static bool by_goals(const struct plan_test *test)
{
	return test->search == PLAN_SEARCH_MLRSEARCH;
}

int throughput_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	struct load_grid grid;

	if (by_goals(test))
		return goals_check(test, frame_octets, link_bps, error);
	grid = load_grid_of_steps(plan_max_rate(test, frame_octets, link_bps), &throughput_settings(test)->resolution);
	return load_range_check(test, &grid, error);
}

/* Least: the first trial passes, at line rate. Most: every trial waits the whole drain time for a frame that is lost,
 * and the full-length trials fail all the way down to the lowest load. */
static struct extent bisection_extent(const struct plan_test *test, double line_fps)
{
	const struct throughput_settings *settings = throughput_settings(test);
	double short_s = extent_seconds(settings->search_trial_duration_ns);
	double full_s = extent_seconds(settings->trial_duration_ns), drain_s = extent_seconds(test->drain_ns);
	double resolution =
	        quantity_number(&settings->resolution) / (settings->resolution.unit == QUANTITY_PERCENT ? 1 : line_fps);
	double searching = effort_bisection_trials(test, 1 / resolution);
	struct extent extent = {.least = effort_of(test, 1, short_s, 0),
	                        .most = effort_of(test, searching, short_s, drain_s)};

	if (short_s < full_s) {
		struct effort least = effort_of(test, 1, full_s, 0);
		struct effort most = effort_of(test, searching, full_s, drain_s);
		struct effort settled = effort_of(test, FULL_TRIALS, full_s, drain_s);

		extent.expected = extent.most; /* every search narrows down to its resolution, then confirms */
		effort_add(&extent.expected, &settled);
		effort_add(&extent.least, &least);
		effort_add(&extent.most, &most);
		return extent;
	}
	extent.expected = extent.most;
	return extent;
}

struct extent throughput_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	if (by_goals(test))
		return goals_extent(test, frame_octets, link_bps);
	return bisection_extent(test, rate_fps(plan_max_rate(test, frame_octets, link_bps)));
}

double throughput_longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return by_goals(test) ? goals_longest_trial_s(test, frame_octets, link_bps)
	                      : extent_seconds(throughput_settings(test)->trial_duration_ns);
}

/* The length of the final determination. MLRsearch mixes lengths as it goes, and its estimate covers them all. */
double throughput_settling_trial_s(const struct plan_test *test)
{
	return by_goals(test) ? 0 : extent_seconds(throughput_settings(test)->trial_duration_ns);
}

/* trial_duration, and search_trial_duration where the plan sets it, since that must not be longer. */
void throughput_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	double short_s = extent_seconds(throughput_settings(test)->search_trial_duration_ns);
	double full_s = extent_seconds(throughput_settings(test)->trial_duration_ns);
	double final_s = shorter_time_s(full_s, factor);

	if (by_goals(test)) {
		goals_shorten(test, factor, link_bps, settings);
		return;
	}
	shorter_add(settings, "trial_duration", final_s);
	if (short_s < full_s && short_s > final_s / 10)
		shorter_add(settings, "search_trial_duration", fmin(short_s, final_s / 10));
}

bool throughput_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                             const struct known_queue *queue, struct needed_trial *needed)
{
	const struct load_grid grid =
	        load_grid_of_steps(plan_max_rate(test, frame_octets, link_bps), &throughput_settings(test)->resolution);

	if (by_goals(test))
		return goals_needed_trial(test, frame_octets, link_bps, queue, needed);
	need_overflow(queue, &grid, needed);
	return true;
}
