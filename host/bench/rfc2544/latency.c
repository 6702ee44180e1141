/* SPDX-License-Identifier: Apache-2.0 */
/* Latency (RFC 2544 26.2): streams at the throughput, each with one tagged frame from every sending port. */
#include "host/bench/rfc2544/latency.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/rfc2544/known_throughput.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"

enum { PARTS = 1000000000 };

static const char PREREQUISITE[] = "throughput";

/* Results have rates as floating-point numbers, but a pace that is wrong in the last digit gives other gaps. Rates of
 * searches are whole parts of line rate; any other is rounded down, since above the throughput frames would be lost. */
static struct rate exact_load(struct rate line, double percent)
{
	const double parts = floor(percent / 100 * PARTS + 1e-3);

	return rate_scale(line, (uint64_t)fmin(parts, PARTS), PARTS);
}

static struct stream_load find_load(const struct session *session)
{
	const struct latency_settings *settings = latency_settings(session->test);
	const json_t *before;
	double percent;

	if (settings->has_load)
		return (struct stream_load){true, plan_load(&settings->load, session->max_rate), "plan", false};
	before = result_find(session, PREREQUISITE, "throughput_fps");
	percent = before ? result_get(before, "throughput_percent") : (double)NAN;
	if (!(percent * PARTS >= 100))
		return (struct stream_load){.known = false};
	return (struct stream_load){true, exact_load(session->max_rate, percent), PREREQUISITE, false};
}

static void request_stream(void *user, const struct session *session, const struct search_request *wanted,
                           struct trial_request *request)
{
	const struct stream_load *load = user;
	const uint64_t tag_ot = session_octet_times(session, latency_settings(session->test)->tag_after_ns);

	request->kind = TRIAL_LOAD;
	request->load = load->load;
	request->duration_ot = session_octet_times(session, wanted->duration_ns);
	request->tag_after_ot = tag_ot ? tag_ot : 1;
	if (load->to_new_network)
		request->shape.modifiers |= traffic_modifier_bit(TRAFFIC_NEW_NETWORK);
}

static uint64_t load_fps(const void *user, uint64_t point)
{
	(void)point;
	return (uint64_t)(rate_fps(((const struct stream_load *)user)->load) + 0.5);
}

/* One stream: a search with a single point. Whether it loses frames does not matter to its end. */
static int run_stream(struct session *session, struct stream_load *load, struct latency_measurements *measured,
                      struct error *error)
{
	const struct search_config config = {
	        .low = 1, .high = 1, .step = 1, .duration_ns = latency_settings(session->test)->trial_duration_ns};
	const struct search_points points = {.request = request_stream, .in_unit = load_fps, .user = load};
	struct findings found;
	int status = search_loop(session, &config, &points, &found, error);

	if (status == 0)
		latency_note(session, found.bounds.has_lower ? found.passed : found.failed,
		             load->to_new_network ? TAG_NEW_NETWORK : TAG_SAME, measured);
	findings_free(&found);
	return status;
}

static int run_streams(struct session *session, struct stream_load *load, struct latency_measurements *measured,
                       struct error *error)
{
	const struct latency_settings *settings = latency_settings(session->test);
	const unsigned streams = settings->repetitions * (settings->to_new_network ? 2 : 1);
	int status = 0;

	session->progress.repetitions = streams;
	for (unsigned i = 0; i < streams && status == 0; i++) {
		session->progress.repetition = i + 1;
		load->to_new_network = i >= settings->repetitions;
		status = run_stream(session, load, measured, error);
	}
	return status;
}

static json_t *parameters(const struct session *session)
{
	const struct latency_settings *settings = latency_settings(session->test);
	json_t *object = result_parameters(session);

	result_count(object, "repetitions", settings->repetitions);
	result_number(object, "trial_duration_s", (double)settings->trial_duration_ns / NS_PER_S);
	result_number(object, "tag_after_s", (double)settings->tag_after_ns / NS_PER_S);
	if (settings->to_new_network)
		json_put(object, "tagged_destination", json_string("same and new network"));
	json_put(object, "load", json_string("frames a second, a sending port"));
	return object;
}

static void report_validity(const struct session *session, const struct stream_load *load,
                            const struct latency_measurements *measured, int status, const struct error *error,
                            json_t *result)
{
	if (!load->known)
		result_invalid(result,
		               "not tested: no valid throughput of this size and traffic, without loss and above "
		               "0, came before (RFC 2544 section 26.2); set load to test without");
	else if (status)
		result_invalid(result, "ended after %u of %u repetitions: %s",
		               measured->to[TAG_SAME].count + measured->to[TAG_NEW_NETWORK].count,
		               session->progress.repetitions,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
}

static bool measurements_begin(struct latency_measurements *measured, unsigned repetitions)
{
	bool room = true;

	for (unsigned i = 0; i < TAG_DESTINATIONS; i++) {
		struct latency_tags *to = &measured->to[i];

		*to = (struct latency_tags){
		        .tags = json_array(), .values = json_array(), .tagged_ns = calloc(repetitions, sizeof(double))};
		room &= to->tagged_ns != NULL;
	}
	return room;
}

static void measurements_free(struct latency_measurements *measured)
{
	latency_spread_free(&measured->spread);
	for (unsigned i = 0; i < TAG_DESTINATIONS; i++) {
		json_decref(measured->to[i].tags);
		json_decref(measured->to[i].values);
		free(measured->to[i].tagged_ns);
	}
}

static int run(struct session *session, struct error *error)
{
	struct stream_load load = find_load(session);
	struct latency_measurements measured = {.lossy = 0};
	json_t *result;
	int status, finished;

	if (!measurements_begin(&measured, latency_settings(session->test)->repetitions)) {
		measurements_free(&measured);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	result = result_begin(session, session->benchmark->clause);
	json_put(result, "parameters", parameters(session));
	status = load.known ? run_streams(session, &load, &measured, error) : 0;
	report_validity(session, &load, &measured, status, error, result);
	latency_report(session, &load, &measured, result);
	if (!latency_settings(session->test)->has_load)
		known_throughput_flag(session, result);
	measurements_free(&measured);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

const struct benchmark LATENCY = {
        .plan = {.keys = {.name = "latency", .slices = SLICES(&KEYS_TEST, &LATENCY_KEYS, &KEYS_CHOSEN_DURATION)},
                 .settings_size = sizeof(struct latency_settings),
                 .why_no_search = "its load is the throughput (RFC 2544 section 26.2)",
                 .prerequisite = PREREQUISITE,
                 .prerequisite_clause = "RFC 2544 section 26.2",
                 .needs_prerequisite = true,
                 .finish = latency_finish,
                 .results = (const struct result_description *const[]){&LATENCY_RESULTS, NULL}},
        .title = "Latency",
        .clause = "RFC 2544 26.2",
        .point_key = "load_fps",
        .point_unit = "fps",
        .run = run,
        .check = latency_check,
        .extent = latency_extent,
        .longest_trial_s = latency_trial_s,
        .needed_trial = latency_needed_trial,
        .shorten = latency_shorten,
};
