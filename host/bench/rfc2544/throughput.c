/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput (RFC 2544 26.1): the highest load without loss, by a search with short trials and a final determination
 * with full-length ones (section 24). Loads are on a grid whose top is exactly line rate.
 *
 * RFC 1242 3.17 and RFC 2544 26.1 know no throughput with loss. MLRsearch can be asked for a rate that allows some:
 * that is the conditional throughput of RFC 9971, which has its own keys, and `throughput_fps` is then null. */
#include "host/bench/rfc2544/throughput.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/load_points.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"

static int run_phase(struct session *session, struct load_grid *grid, struct load_range range, uint64_t duration_ns,
                     struct phase *phase, struct error *error)
{
	struct search_config config = {.low = range.low, .high = range.high, .step = 1, .duration_ns = duration_ns};
	const struct search_points points = load_points(grid);

	*phase = (struct phase){
	        .resolution_fps = load_step_fps(grid), .asked_fps = load_step_fps(grid), .lowest = range.low};
	session_search_limits(session, &config);
	return search_loop(session, &config, &points, &phase->found, error);
}

/* The search, then the final determination: full-length trials from the load found downwards. */
static int determine(struct session *session, struct load_grid *grid, struct load_range range, struct phase *phase,
                     struct error *error)
{
	const struct throughput_settings *settings = throughput_settings(session->test);
	uint64_t search_ns = settings->search_trial_duration_ns;
	int status = run_phase(session, grid, range, search_ns, phase, error);
	struct search_result *bounds = &phase->found.bounds;
	struct findings searched;

	if (status || !bounds->has_lower || search_ns >= settings->trial_duration_ns)
		return status;
	searched = phase->found;
	findings_free(&searched); /* its bounds stay */
	range.high = searched.bounds.lower;
	status = run_phase(session, grid, range, settings->trial_duration_ns, phase, error);
	if (!bounds->has_upper) {
		bounds->has_upper = searched.bounds.has_upper;
		bounds->upper = searched.bounds.upper;
		phase->found.failed_load = searched.failed_load;
	}
	if (bounds->has_lower && bounds->lower == searched.bounds.lower) {
		phase->found.trials += searched.trials;
		phase->found.lossy_trials += searched.lossy_trials;
	}
	return status;
}

static json_t *parameters(const struct session *session, const struct load_grid *grid, const struct load_range *range)
{
	const struct throughput_settings *settings = throughput_settings(session->test);
	json_t *object = result_parameters(session);

	result_number(object, "resolution_fps", load_step_fps(grid));
	result_number(object, "resolution_percent", load_step_percent(grid));
	result_number(object, "trial_duration_s", (double)settings->trial_duration_ns / NS_PER_S);
	result_number(object, "search_trial_duration_s", (double)settings->search_trial_duration_ns / NS_PER_S);
	load_range_parameters(range, grid, object);
	json_put(object, "load", json_string("frames a second, a sending port"));
	return object;
}

static int run(struct session *session, struct error *error)
{
	const bool by_goals = session->test->search == PLAN_SEARCH_MLRSEARCH;
	const double loss_ratio = throughput_goal_loss_ratio(session);
	struct load_grid grid =
	        by_goals ? load_grid_of_parts(session->max_rate)
	                 : load_grid_of_steps(session->max_rate, &throughput_settings(session->test)->resolution);
	json_t *result =
	        result_begin(session, loss_ratio > 0 ? CONDITIONAL_THROUGHPUT_RESULTS.rfc : session->benchmark->clause);
	struct phase phase = {.resolution_fps = by_goals ? (double)NAN : load_step_fps(&grid)};
	struct load_range range;
	int status, finished;

	load_range_of(session->test, &grid, &range); /* throughput_check(): there are loads in it */

	json_put(result, "parameters",
	         by_goals ? throughput_goal_parameters(session) : parameters(session, &grid, &range));
	/* Filled in by back_to_back once it has found the buffer (rfc9004/self_check.c). */
	result_number(result, "hidden_overload_fps", NAN);
	result_number(result, "hidden_overload_trial_s", NAN);
	status = by_goals ? throughput_by_goals(session, &phase, error)
	                  : determine(session, &grid, range, &phase, error);
	result_number(result, "resolution_fps", phase.resolution_fps);
	if (status == 0)
		throughput_report(session, &grid, &range, &phase, loss_ratio, result);
	else
		throughput_report_unknown(session, &grid, loss_ratio,
		                          status == SESSION_INVALID ? session->why_invalid : error->text, result);
	findings_free(&phase.found);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static const struct result_description *results_of(const struct plan_test *test)
{
	return throughput_loss_of_rate(test) ? &CONDITIONAL_THROUGHPUT_RESULTS : &THROUGHPUT_RESULTS;
}

const struct benchmark THROUGHPUT = {
        .plan = {.keys = {.name = "throughput",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &KEYS_LOADS, &KEYS_LOAD_RANGE, &THROUGHPUT_KEYS,
                                           &KEYS_CHOSEN_DURATION)},
                 .settings_size = sizeof(struct throughput_settings),
                 .finish = throughput_finish,
                 .results = (const struct result_description *const[]){&CONDITIONAL_THROUGHPUT_RESULTS,
                                                                       &THROUGHPUT_RESULTS, NULL},
                 .results_of = results_of},
        .title = "Throughput",
        .clause = "RFC 2544 26.1",
        .point_key = "load_fps",
        .point_unit = "fps",
        .measures_mtu = true,
        .run = run,
        .check = throughput_check,
        .extent = throughput_extent,
        .longest_trial_s = throughput_longest_trial_s,
        .settling_trial_s = throughput_settling_trial_s,
        .needed_trial = throughput_needed_trial,
        .shorten = throughput_shorten,
        .loss_of_rate = throughput_loss_of_rate,
};
