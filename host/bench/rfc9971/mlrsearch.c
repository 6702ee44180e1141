/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch (RFC 9971) as a benchmark of its own: one search for all goals of a test, one result per goal. */
#include "host/bench/rfc9971/mlrsearch.h"

#include <math.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/goals.h"
#include "host/bench/layers.h"
#include "host/bench/load_points.h"
#include "host/bench/result.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"

/* RFC 2544 section 23: 2 s for the last frames, 5 s for the DUT to settle. */
enum { RFC2544_RECEIVE_S = 2, RFC2544_SETTLE_S = 5 };

/* Every trial, as this goal sees it (RFC 9971 4.6 and 6.1). */
static json_t *list_trials(const struct goal_search *goals, const struct search *search, size_t goal)
{
	const struct mlrsearch_goal *attributes = &goals->goals[goal];
	json_t *list = json_array();
	size_t count;
	const struct mlrsearch_trial *trials = mlrsearch_trials(search, &count);

	for (size_t i = 0; i < count; i++) {
		const struct mlrsearch_trial *trial = &trials[i];
		json_t *object = json_object();

		result_number(object, "load_fps", rate_fps(load_at(&goals->grid, trial->point)));
		result_number(object, "duration_s", (double)trial->duration_ns / NS_PER_S);
		result_number(object, "effective_duration_s", (double)trial->effective_ns / NS_PER_S);
		result_count(object, "offered_frames", trial->expected_frames - trial->unoffered_frames);
		result_count(object, "lost_frames", trial->lost_frames - trial->unoffered_frames);
		if (trial->unoffered_frames)
			result_count(object, "unoffered_frames", trial->unoffered_frames);
		result_number(object, "loss_ratio", ratio_nearest(trial->lost_frames, trial->expected_frames));
		json_put(object, "high_loss", json_boolean(mlrsearch_is_high_loss(attributes, trial)));
		json_put(object, "full_length", json_boolean(trial->duration_ns >= attributes->final_ns));
		json_add(list, object);
	}
	return list;
}

/* RFC 9971 asks for deviations from RFC 2544 section 23 to be reported: as a parameter, because they are intended. */
static json_t *waits_deviation(const struct plan_test *test)
{
	double settle_s = (double)test->settle_ns / NS_PER_S, drain_s = (double)test->drain_ns / NS_PER_S;
	char text[160];

	if (settle_s >= RFC2544_SETTLE_S && drain_s >= RFC2544_RECEIVE_S)
		return json_null();
	snprintf(text, sizeof(text),
	         "drain %g s, settle %g s; RFC 2544 section 23 asks for %d s to receive and %d s to settle", drain_s,
	         settle_s, RFC2544_RECEIVE_S, RFC2544_SETTLE_S);
	return json_string(text);
}

static json_t *parameters(const struct session *session, const struct goal_search *goals, size_t goal)
{
	const struct plan_test *test = session->test;
	json_t *object = result_parameters(session);

	goals_report(test, goals, goal, object);
	json_put(object, "waits_deviation", waits_deviation(test));
	return object;
}

/* A goal at the end of its search. */
struct goal_finding {
	struct mlrsearch_goal_result found;
	const struct measurement *lower, *upper; /* the trials that settled the bounds; NULL: there is none */
	bool at_tester;                          /* goals_end_at_tester() */
	bool regular;                            /* also by the loads that were offered */
};

static struct rate lower_of(const struct goal_search *goals, const struct goal_finding *of)
{
	return of->lower ? load_offered(&goals->grid, of->found.lower, &of->lower->load) : (struct rate){0, 0};
}

/* A load that was intended, and failed because it was not offered, is a bound all the same (RFC 9971 4.5.2). */
static struct rate upper_of(const struct goal_search *goals, const struct goal_finding *of)
{
	if (!of->upper)
		return (struct rate){0, 0};
	return of->at_tester ? load_at(&goals->grid, of->found.upper)
	                     : load_offered(&goals->grid, of->found.upper, &of->upper->load);
}

/* The bounds as they were offered are as close as the goal asks for, and in order. */
static bool is_regular(const struct goal_search *goals, size_t goal, const struct goal_finding *of)
{
	const double lower_fps = rate_fps(lower_of(goals, of)), upper_fps = rate_fps(upper_of(goals, of));
	const double width = (upper_fps - lower_fps) / upper_fps * MLRSEARCH_PPM;

	if (of->found.end != SEARCH_FOUND || of->at_tester || !(of->lower->load.differs || of->upper->load.differs))
		return of->found.end == SEARCH_FOUND;
	return width >= 0 && width <= goals->goals[goal].width_ppm * (1 + 1e-9);
}

/* A goal without loss is met by trials without loss. */
static struct goal_finding find_goal(const struct goal_search *goals, const struct findings *findings, size_t goal)
{
	struct goal_finding of = {.found = mlrsearch_result(findings->search, goal)};

	if (of.found.has_lower)
		of.lower = findings_trial(findings, of.found.lower, goals->goals[goal].loss_ppm == 0);
	if (of.found.has_upper)
		of.upper = findings_trial(findings, of.found.upper, false);
	of.at_tester = goals_end_at_tester(goals, findings->search, goal, &of.found);
	of.regular = is_regular(goals, goal, &of);
	return of;
}

static double width_of(struct rate lower, struct rate upper)
{
	const struct rate part = rate_scale(lower, upper.denominator, upper.numerator);

	if (lower.denominator == 0 || upper.denominator == 0)
		return NAN;
	return part.numerator <= part.denominator
	               ? ratio_nearest(part.denominator - part.numerator, part.denominator)
	               : -ratio_nearest(part.numerator - part.denominator, part.denominator); /* loads as offered */
}

static void report_bounds(const struct session *session, const struct goal_search *goals, const struct goal_finding *of,
                          json_t *result)
{
	const struct mlrsearch_goal_result *found = &of->found;
	const struct rate lower = lower_of(goals, of), upper = upper_of(goals, of), line = goals->grid.line;
	const uint64_t frames = found->quantile_expected_frames;
	struct rate conditional = {0, 0};

	if (lower.denominator && frames)
		conditional = rate_scale(lower, frames - found->quantile_lost_frames, frames);
	result_number(result, "relevant_lower_bound_fps", rate_fps(lower));
	result_number(result, "relevant_upper_bound_fps", rate_fps(upper));
	result_number(result, "conditional_throughput_fps", rate_fps(conditional));
	result_number(result, "conditional_throughput_percent", rate_percent(conditional, line));
	layers_report(result, "", layers_of_rate(conditional, line, session_link_bps(session)));
	result_number(result, "width", width_of(lower, upper));
	if (of->lower || of->upper)
		result_load(result, of->lower ? &of->lower->load : &of->upper->load);
}

/* An irregular result is an answer, and shown as such, when the range of loads ends before the device's limit; a search
 * that was cut short has no answer. */
static void report_end(const struct session *session, int status, const struct error *error,
                       const struct goal_finding *of, json_t *result)
{
	const enum search_end end = of->found.end;

	json_put(result, "regular", json_boolean(of->regular));
	json_put(result, "end", json_string(search_end_text(end)));
	if (status == SESSION_INVALID && end == SEARCH_RUNNING)
		result_invalid(result, "%s", session->why_invalid);
	else if (status && status != SESSION_INVALID)
		result_invalid(result, "%s", error->text);
	else if (end == SEARCH_NO_UPPER || end == SEARCH_NO_LOWER)
		result_flag(result, "irregular: %s", search_end_text(end));
	else if (end != SEARCH_FOUND)
		result_invalid(result, "irregular: %s", search_end_text(end));
	else if (!of->regular)
		result_flag(result,
		            "irregular: the bounds as they were offered are further apart than the width that was "
		            "asked for");
}

/* A pass at max_load, or at the most that the tester offers, is a lower limit. */
static void report_range(const struct session *session, const struct goal_search *goals, const struct goal_finding *of,
                         json_t *result)
{
	const struct search_result bounds = {.has_lower = of->found.has_lower, .has_upper = of->found.has_upper};

	if (of->found.end == SEARCH_NO_UPPER)
		load_range_report(session, &goals->range, &goals->grid, &bounds, "conditional throughput", result);
	else if (of->at_tester && of->lower)
		load_range_report_tester_limit("conditional throughput", result);
	else if (of->at_tester)
		load_range_report_too_little(&goals->grid, goals->config.low, result);
}

/* The lower bound settles the result; without one, the upper bound says why. */
static void report_trials(const struct session *session, const struct goal_finding *of, json_t *result)
{
	const struct trial_result *lower = of->lower ? &of->lower->trial : NULL;
	const struct trial_result *upper = of->upper ? &of->upper->trial : NULL;

	result_ports(result, session, lower ? lower : upper);
	result_upper_ports(result, session, upper);
}

static int report_goal(struct session *session, const struct goal_search *goals, const struct findings *findings,
                       size_t goal, int status, struct error *error)
{
	const struct search *search = findings->search;
	const struct goal_finding of = find_goal(goals, findings, goal);
	struct error finish_error = {0};
	json_t *result = result_begin(session, session->benchmark->clause);
	int finished;

	result_count(result, "goal", goal + 1);
	json_put(result, "parameters", parameters(session, goals, goal));
	report_bounds(session, goals, &of, result);
	report_end(session, status, error, &of, result);
	report_range(session, goals, &of, result);
	report_trials(session, &of, result);
	result_number(result, "traffic_s", (double)search_result(search).traffic_ns / NS_PER_S);
	json_put(result, "trial_results", list_trials(goals, search, goal));
	finished = result_finish(session, result, &finish_error);
	if (finished && status >= 0)
		*error = finish_error;
	return finished;
}

static int run(struct session *session, struct error *error)
{
	struct findings findings;
	struct search_points points;
	struct goal_search goals;
	int status, finished = 0;

	goals_configure(session->test, session->max_rate, &goals);
	points = load_points(&goals.grid);
	status = search_loop(session, &goals.config, &points, &findings, error);
	if (!findings.search)
		return status;
	for (size_t i = 0; i < goals.mlrsearch.goal_count && finished == 0; i++)
		finished = report_goal(session, &goals, &findings, i, status, error);
	findings_free(&findings);
	return status < 0 ? status : finished;
}

#define SETTINGS struct plan_test

static const struct plan_key KEYS[] = {
        {.name = "trial_duration",
         .value = TIME(preset_trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .doc = "Final trial duration of the preset in place of its own; its other durations change in proportion. For "
                "simulations."},
};
static const struct key_slice MLRSEARCH_KEYS = {SLICE(KEYS)};

const struct benchmark MLRSEARCH = {
        .plan = {.keys = {.name = "mlrsearch",
                          .slices = SLICES(&KEYS_TEST, &KEYS_LOADS, &KEYS_LOAD_RANGE, &MLRSEARCH_KEYS,
                                           &KEYS_CHOSEN_DURATION)},
                 .searches = BY_MLRSEARCH,
                 .why_searches = "in this test",
                 .results = (const struct result_description *const[]){&MLRSEARCH_RESULTS, NULL}},
        .title = "MLRsearch",
        .clause = "RFC 9971",
        .point_key = "load_fps",
        .point_unit = "fps",
        .run = run,
        .check = goals_check,
        .extent = goals_extent,
        .longest_trial_s = goals_longest_trial_s,
        .needed_trial = goals_needed_trial,
        .shorten = goals_shorten,
};
