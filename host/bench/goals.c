/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the keys of a plan into MLRsearch goals, and those into the parameters of a result. */
#include "host/bench/goals.h"

#include "host/base/json_write.h"
#include "host/base/uint128.h"
#include "host/bench/result.h"

/* The plan has ratios in whole parts per million only. */
static uint32_t ppm(const struct quantity *ratio)
{
	return (uint32_t)((uint128)ratio->numerator * MLRSEARCH_PPM / ratio->denominator);
}

static struct mlrsearch_goal goal_of_plan(const struct plan_goal *goal)
{
	return (struct mlrsearch_goal){.loss_ppm = ppm(&goal->loss_ratio),
	                               .exceed_ppm = ppm(&goal->exceed_ratio),
	                               .width_ppm = ppm(&goal->width),
	                               .final_ns = goal->final_trial_duration_ns,
	                               .sum_ns = goal->duration_sum_ns,
	                               .initial_ns = goal->initial_trial_duration_ns};
}

static const char *preset_name(enum plan_preset preset)
{
	static const char *const NAMES[] = {
	        [PLAN_PRESET_RFC2544] = "rfc2544", [PLAN_PRESET_TST009] = "tst009", [PLAN_PRESET_NDRPDR] = "ndrpdr"};

	return NAMES[preset];
}

static uint64_t scaled(uint64_t ns, uint64_t numerator, uint64_t denominator)
{
	uint64_t result = (uint64_t)((uint128)ns * numerator / denominator);

	return result ? result : 1;
}

/* Replaces values of the preset with those that the test sets itself. */
static void adapt(const struct plan_test *test, struct mlrsearch_goal *goal)
{
	uint64_t preset_ns = goal->final_ns;

	if (test->has_width)
		goal->width_ppm = ppm(&test->width);
	if (test->preset_trial_duration_ns) {
		goal->final_ns = test->preset_trial_duration_ns;
		goal->sum_ns = scaled(goal->sum_ns, goal->final_ns, preset_ns);
		goal->initial_ns = scaled(goal->initial_ns, goal->final_ns, preset_ns);
	}
	if (test->initial_trial_duration_ns)
		goal->initial_ns = test->initial_trial_duration_ns;
}

static size_t make_goals(const struct plan_test *test, struct mlrsearch_goal *goals)
{
	size_t count = test->goal_count;

	for (size_t i = 0; i < count; i++)
		goals[i] = goal_of_plan(&test->goals[i]);
	if (count)
		return count;
	count = mlrsearch_preset(preset_name(test->preset), goals);
	for (size_t i = 0; i < count; i++)
		adapt(test, &goals[i]);
	return count;
}

/* The share of line rate where the plan says no min_load: a point must be above 0, and a search needs an end. */
static const struct quantity DEFAULT_MIN_LOAD = {QUANTITY_PERCENT, 1, 10000};

static void make_range(const struct plan_test *test, struct goal_search *search)
{
	struct plan_test limited = *test;

	if (limited.min_load.denominator == 0)
		limited.min_load = DEFAULT_MIN_LOAD;
	/* false: nothing is between them, and search_create() complains that high is below low */
	if (!load_range_of(&limited, &search->grid, &search->range))
		search->range.low = 1;
	search->range.has_min = test->min_load.denominator != 0;
	if (search->range.low == 0)
		search->range.low = 1;
}

void goals_configure(const struct plan_test *test, struct rate line, struct goal_search *search)
{
	*search = (struct goal_search){.grid = load_grid_of_parts(line)};
	make_range(test, search);
	search->mlrsearch = (struct mlrsearch_config){
	        .goals = search->goals, .goal_count = make_goals(test, search->goals), .warm_up_ns = test->warm_up_ns};
	search->config = (struct search_config){.kind = SEARCH_MLRSEARCH,
	                                        .low = search->range.low,
	                                        .high = search->range.high,
	                                        .step = 1,
	                                        .mlrsearch = &search->mlrsearch,
	                                        .trials_limit = test->trials_limit,
	                                        .traffic_limit_ns = test->traffic_limit_ns};
}

bool goals_end_at_tester(const struct goal_search *goals, const struct search *search, size_t goal,
                         const struct mlrsearch_goal_result *found)
{
	if (found->has_lower && !found->has_upper)
		return false;
	return mlrsearch_is_tester_limit(search, goal, found->has_upper ? found->upper : goals->config.low);
}

void goals_report(const struct plan_test *test, const struct goal_search *search, size_t index, json_t *parameters)
{
	const struct mlrsearch_goal *goal = &search->goals[index];

	json_put(parameters, "preset", test->goal_count ? json_null() : json_string(preset_name(test->preset)));
	result_count(parameters, "goal", index + 1);
	result_count(parameters, "goals", search->mlrsearch.goal_count);
	result_number(parameters, "goal_loss_ratio", (double)goal->loss_ppm / MLRSEARCH_PPM);
	result_number(parameters, "goal_exceed_ratio", (double)goal->exceed_ppm / MLRSEARCH_PPM);
	result_number(parameters, "goal_width", (double)goal->width_ppm / MLRSEARCH_PPM);
	result_number(parameters, "goal_final_trial_duration_s", (double)goal->final_ns / NS_PER_S);
	result_number(parameters, "goal_duration_sum_s", (double)goal->sum_ns / NS_PER_S);
	result_number(parameters, "goal_initial_trial_duration_s", (double)goal->initial_ns / NS_PER_S);
	json_put(parameters, "width", json_string("(upper - lower) / upper bound"));
	result_number(parameters, "min_load_fps", rate_fps(load_at(&search->grid, search->config.low)));
	result_number(parameters, "max_load_fps", rate_fps(load_at(&search->grid, search->config.high)));
	result_number(parameters, "warm_up_s", (double)test->warm_up_ns / NS_PER_S);
	json_put(parameters, "load", json_string("frames a second, a sending port"));
}
