/* SPDX-License-Identifier: Apache-2.0 */
/* Line rate (RFC 8239 section 2.2): at most 99.98% of it, between pairs of ports, in a full mesh, or through all ports
 * one after the other (snake). */
#include "host/bench/rfc8239/line_rate.h"

#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/known_queue.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"

#define SETTINGS struct line_rate_settings

static const struct plan_key KEYS[] = {
        {.name = "load",
         .value = QUANTITY(load),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "99.98%",
         .doc = "Load of each sending port; percent of line rate, or a rate (RFC 8239 section 2.2: at most 99.98%)."},
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "Length of every trial (RFC 2544 section 24)."},
};
static const struct key_slice LINE_RATE_KEYS = {OWN_SLICE(KEYS)};

static bool takes(enum traffic_pattern pattern)
{
	return pattern == TRAFFIC_PAIRS || pattern == TRAFFIC_MESH || pattern == TRAFFIC_SNAKE;
}

static int line_rate_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                            struct error *error)
{
	const struct node *own = node_child(group, "traffic");
	const struct node *pattern = own ? node_child(own, "pattern") : NULL;

	if (!takes(test->shape.pattern))
		return plan_complain(error, pattern ? pattern : node_child(group, "test"), "traffic.pattern",
		                     "must be \"pairs\", \"mesh\" or \"snake\" for test = \"%s\" (RFC 8239 section "
		                     "2.2), not \"%s\"",
		                     plan_test_name(test), TRAFFIC_PATTERN_NAMES[test->shape.pattern]);
	if (rfc8239_refuse_program(plan, test, group, error))
		return error->code;
	return plan_check_rate(plan, test, group, "load", &line_rate_settings(test)->load, error);
}

static void request_load(void *user, const struct session *session, const struct search_request *wanted,
                         struct trial_request *request)
{
	const struct line_rate *measured = user;

	(void)wanted;
	request->kind = TRIAL_LOAD;
	request->load = measured->load;
	request->duration_ot = session_octet_times(session, line_rate_settings(session->test)->trial_duration_ns);
}

static uint64_t load_fps(const void *user, uint64_t point)
{
	(void)point;
	return (uint64_t)(rate_fps(((const struct line_rate *)user)->load) + 0.5);
}

static void note(void *user, const struct trial_result *trial)
{
	line_rate_note(user, trial);
}

static json_t *parameters(const struct session *session)
{
	json_t *object = rfc8239_parameters(session);

	result_number(object, "trial_duration_s", extent_seconds(line_rate_settings(session->test)->trial_duration_ns));
	json_put(object, "load", json_string("percent of line rate at each sending port"));
	return object;
}

static int run(struct session *session, struct error *error)
{
	const struct line_rate_settings *settings = line_rate_settings(session->test);
	struct line_rate measured = {.session = session,
	                             .load = plan_load(&settings->load, session->max_rate),
	                             .received_percent = calloc(settings->common.repetitions, sizeof(double)),
	                             .iterations = json_array(),
	                             .worst = session->kept};
	const struct search_points points = {
	        .request = request_load, .in_unit = load_fps, .note = note, .user = &measured};
	json_t *result;
	int status, finished;

	if (!measured.received_percent) {
		json_decref(measured.iterations);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	result = result_begin(session, session->benchmark->clause);
	json_put(result, "parameters", parameters(session));
	status = repeat_trial(session, settings->common.repetitions, &points, error);
	line_rate_report(&measured, result);
	if (status)
		result_invalid(result, "ended after %u of %u repetitions: %s", measured.count,
		               settings->common.repetitions,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(measured.iterations);
	free(measured.received_percent);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(line_rate_settings(test)->trial_duration_ns);
}

/* No trial waits the whole drain time without loss; most: all do. */
static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double each_s = trial_s(test, frame_octets, link_bps);
	const double trials = rfc8239_settings(test)->repetitions;
	const struct effort least = effort_of(test, trials, each_s, 0);

	return (struct extent){.least = least,
	                       .most = effort_of(test, trials, each_s, extent_seconds(test->drain_ns)),
	                       .expected = least};
}

static bool needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                         const struct known_queue *queue, struct needed_trial *needed)
{
	const struct rate line = plan_max_rate(test, frame_octets, link_bps);
	const struct rate load = plan_load(&line_rate_settings(test)->load, line);

	need_latency(queue, rate_fps(load), needed);
	need_loss(queue, load, needed);
	return true;
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(trial_s(test, 0, link_bps), factor));
}

const struct benchmark RFC8239_LINE_RATE = {
        .plan = {.keys = {.name = "rfc8239.line_rate",
                          .slices = SLICES(&KEYS_TEST, &RFC8239_KEYS, &LINE_RATE_KEYS, &KEYS_CHOSEN_DURATION)},
                 .settings_size = sizeof(struct line_rate_settings),
                 .why_no_search = "its load is given (RFC 8239 section 2.2)",
                 .finish = line_rate_finish,
                 .results = (const struct result_description *const[]){&LINE_RATE_RESULTS, NULL}},
        .title = "Line rate",
        .clause = "RFC 8239 2",
        .point_key = "load_fps",
        .point_unit = "fps",
        .run = run,
        .extent = extent,
        .longest_trial_s = trial_s,
        .needed_trial = needed_trial,
        .shorten = shorten,
};
