/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark that nobody needs: how much of line rate a device returns. It is here to show what adding a benchmark
 * takes: this file, and a line in the table (CMakeLists.txt adds it to the program under test). Help, checks, limits
 * and all forms of report pick it up without another line. */
#include "tests/house/offered_load.h"

#include <math.h>

#include "host/bench/load_points.h"
#include "host/bench/result.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"
#include "host/result/common.h"

struct offered_load_settings {
	uint64_t trial_duration_ns;
};
#define SETTINGS struct offered_load_settings

static const struct plan_key KEYS[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "1s",
         .doc = "Length of the only trial."},
};
static const struct key_slice OFFERED_LOAD_KEYS = {OWN_SLICE(KEYS)};

/* -- what it reports ---------------------------------------------------------------------------------------------- */

static const struct metric METRICS[] = {
        {"offered_load_fps", "Offered load", METRIC_FPS, .places = 1,
         .meaning = "the load that was offered, a sending port"},
        {"received_load_fps", "Received load", METRIC_FPS, .places = 1, .better = BETTER_MORE, .derived = true,
         .meaning = "frames received, over the time in which they were offered"},
        {"received_percent", "Received", METRIC_PERCENT, .places = 3, .better = BETTER_MORE,
         .meaning = "the same as a percentage of the offered load"},
        {"counters", "Counters", METRIC_OBJECT, .presence = IN_VALID_RESULTS, .definition = "counters",
         .meaning = "of the trial"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_chart CHART = {
        .name = "offered_load",
        .title = "Offered and received load over frame size",
        .description = "Frames a second that were offered, and that came back. The points are in the table below.",
        .series = (const struct result_series[]){{"offered", MARK_DASHES, "offered_load_fps", NULL, NULL, true},
                                                 {"received", MARK_LINE_POINTS, "received_load_fps", NULL, NULL, false},
                                                 {0}},
};
static const struct result_table TABLE = {
        .name = "offered_load",
        .caption = "Offered and received load over frame size",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "offered_load_fps", .sql = true},
                           {.key = "received_load_fps", .sql = true}, {.key = "received_percent", .sql = true},
                           {.key = "latency_max_ns", .sql = true}, {.key = "valid", .sql = true}),
};
static const struct result_description RESULTS = {
        .test = "offered_load",
        .title = "Offered load",
        .clause = "of the house",
        .answer = "received_percent",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &LATENCY_METRICS, &COUNTER_METRICS, &EVERY_RESULT,
                                                        NULL},
        .parameters = (const struct result_line[]){PARAMETERS_OF_EVERY_TEST, {0}},
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {NULL, NULL, &LATENCY_BINS}, {0}},
        .sql = "offered_load",
};

/* -- what it does ------------------------------------------------------------------------------------------------- */

static const struct offered_load_settings *settings_of(const struct plan_test *test)
{
	return test->settings;
}

static void report(struct session *session, const struct trial_result *trial, json_t *result)
{
	struct counter_sums sums = {0};
	double offered_fps = rate_fps(session->max_rate);
	double received = (double)trial->received_frames / (double)trial->offered_frames;

	result_number(result, "offered_load_fps", offered_fps);
	result_number(result, "received_load_fps", offered_fps * received);
	result_number(result, "received_percent", 100 * received);
	result_latency(result, session, trial);
	counters_add(&sums, trial);
	result_counters(result, "counters", &sums);
}

static void report_unknown(json_t *result, const char *why)
{
	for (size_t i = 0; i < sizeof(METRICS) / sizeof(METRICS[0]) && METRICS[i].unit != METRIC_OBJECT; i++)
		result_number(result, METRICS[i].key, NAN);
	result_latency_unknown(result);
	result_invalid(result, "%s", why);
}

static int run(struct session *session, struct error *error)
{
	struct load_grid grid = load_grid_of_parts(session->max_rate);
	const struct search_points points = load_points(&grid);
	struct search_config config = {.low = grid.top,
	                               .high = grid.top,
	                               .step = 1,
	                               .duration_ns = settings_of(session->test)->trial_duration_ns};
	json_t *result = result_begin(session, session->benchmark->clause);
	struct findings findings;
	int status, finished;

	json_object_set_new(result, "parameters", result_parameters(session));
	session_search_limits(session, &config);
	status = search_loop(session, &config, &points, &findings, error);
	if (status == 0)
		report(session, findings.bounds.has_lower ? findings.passed : findings.failed, result);
	else
		report_unknown(result, status == SESSION_INVALID ? session->why_invalid : error->text);
	findings_free(&findings);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(settings_of(test)->trial_duration_ns);
}

static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	struct effort one = effort_of(test, 1, trial_s(test, frame_octets, link_bps), extent_seconds(test->drain_ns));

	return (struct extent){.least = one, .most = one, .expected = one};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(trial_s(test, 0, link_bps), factor));
}

const struct benchmark OFFERED_LOAD = {
        .plan = {.keys = {.name = "offered_load", .slices = SLICES(&KEYS_TEST, &OFFERED_LOAD_KEYS)},
                 .settings_size = sizeof(struct offered_load_settings),
                 .searches = BY_BINARY,
                 .why_searches = "as it has one point only",
                 .why_unmixed = "offered_load is of one size at a time",
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "Offered load",
        .clause = "RFC 0",
        .point_key = "load_fps",
        .point_unit = "fps",
        .line_rate_only = true,
        .run = run,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
