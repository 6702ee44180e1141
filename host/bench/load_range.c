/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/load_range.h"

#include "host/base/json_write.h"
#include "host/base/uint128.h"
#include "host/bench/result.h"

static bool is_set(const struct quantity *load)
{
	return load->denominator != 0;
}

/* Returns how many steps of the grid a load is below line rate, rounded down or up. */
static uint128 steps_below(const struct load_grid *grid, const struct quantity *load, bool up)
{
	const struct rate ratio = rate_scale(plan_load(load, grid->line), grid->line.denominator, grid->line.numerator);
	uint128 below, step = (uint128)grid->part * ratio.denominator;

	if (ratio.numerator >= ratio.denominator)
		return 0;
	below = (uint128)grid->whole * (ratio.denominator - ratio.numerator);
	return below / step + (up && below % step != 0);
}

bool load_range_of(const struct plan_test *test, const struct load_grid *grid, struct load_range *range)
{
	const uint128 below_max = is_set(&test->max_load) ? steps_below(grid, &test->max_load, true) : 0;
	const uint128 below_min = is_set(&test->min_load) ? steps_below(grid, &test->min_load, false) : grid->top;

	*range = (struct load_range){.has_min = is_set(&test->min_load)};
	range->has_max =
	        is_set(&test->max_load) && rate_compare(plan_load(&test->max_load, grid->line), grid->line) < 0;
	if (below_max > grid->top || below_max > below_min)
		return false;
	range->high = grid->top - (uint64_t)below_max;
	range->low = below_min > grid->top ? 0 : grid->top - (uint64_t)below_min;
	return true;
}

int load_range_check(const struct plan_test *test, const struct load_grid *grid, struct error *error)
{
	const struct rate low = is_set(&test->min_load) ? plan_load(&test->min_load, grid->line) : (struct rate){0, 1};
	struct load_range range;

	if (load_range_of(test, grid, &range))
		return 0;
	return error_set(
	        error, ERROR_PLAN,
	        "max_load: must leave a load to try: from %.9g%% to %.9g%% of line rate there is none, as loads "
	        "are steps of %.9g%% down from line rate, the lowest of them %.9g%%",
	        rate_percent(low, grid->line), rate_percent(plan_load(&test->max_load, grid->line), grid->line),
	        load_step_percent(grid), load_percent(grid, 0));
}

void load_range_parameters(const struct load_range *range, const struct load_grid *grid, json_t *parameters)
{
	if (!range->has_min && !range->has_max)
		return;
	result_number(parameters, "min_load_fps", rate_fps(load_at(grid, range->low)));
	result_number(parameters, "max_load_fps", rate_fps(load_at(grid, range->high)));
}

void load_range_report_tester_limit(const char *what, json_t *result)
{
	json_put(result, "at_least", json_true());
	result_flag(
	        result,
	        "the %s is at least this, and no limit of the device was found: what fails above it is the tester, and "
	        "what it did not offer counts as lost (RFC 9971 section 4.9.1)",
	        what);
}

/* Reports the highest load that was tried. */
static void report_highest(const struct session *session, const struct load_range *range, const struct load_grid *grid,
                           const char *what, json_t *result)
{
	const struct load_deviation *deviation = &session->deviation;
	const bool offered = deviation->others != 0;
	const double percent = offered ? 100 * deviation->highest : load_percent(grid, range->high);

	json_put(result, "at_least", json_true());
	result_flag(result,
	            "the %s is at least this, and no limit of the device was found: the highest load that was %s is "
	            "%.*g%% of line rate%s",
	            what, offered ? "offered" : "tried", offered ? 5 : 9, percent,
	            range->has_max ? ", as max_load of the plan says" : "");
}

void load_range_report_too_little(const struct load_grid *grid, uint64_t lowest, json_t *result)
{
	result_invalid(
	        result,
	        "the tester offered too little even at the lowest load that was tried, %.9g%% of line rate: what "
	        "it did not offer counts as lost (RFC 9971 section 4.9.1), and nothing is known of the device",
	        load_percent(grid, lowest));
}

bool load_range_report(const struct session *session, const struct load_range *range, const struct load_grid *grid,
                       const struct search_result *bounds, const char *what, json_t *result)
{
	const bool below_line = range->has_max || load_deviation_below_line(&session->deviation);

	if (!bounds->has_lower || bounds->has_upper || !below_line)
		return false;
	report_highest(session, range, grid, what, result);
	return true;
}
