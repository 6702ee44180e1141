/* SPDX-License-Identifier: Apache-2.0 */
/* An iteration is one trial of the tester with the trials before it, because what they leave in the device is what it
 * is about: where a run is resumed, all of them are made again. */
#include "host/bench/rfc2889/learning_trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/bench/offered_load.h"
#include "host/bench/rfc2889/learning_late.h"
#include "host/traffic/test_host.h"

enum {
	BITS_PER_OCTET = 8,
	AGEING_STEPS = 1000, /* frames in the ageing time that is expected: each is a step of what is measured */
	AGEING_TIMES = 2,    /* so many times that is waited for */
	MARGIN = 100,        /* a pause is longer by one part in so many */
	TOLERANCE = 100,     /* the plan is right to one part in so many */
};

/* Less than the longest gap that the pacer can count. */
static const uint64_t LONGEST_PERIOD_OT = UINT64_C(1) << 39;

/* The traffic of the phases, and the requests in their order. */
struct phases {
	struct traffic traffic[LEARNING_ASK + 1];
	struct trial_request hello, teach, ask;
};

static void phases_free(struct phases *phases)
{
	for (unsigned i = 0; i <= LEARNING_ASK; i++)
		traffic_free(&phases->traffic[i]);
}

/* Exactly so many frames at a rate. */
static void pace(struct trial_request *request, uint64_t frames, struct rate load, uint64_t link_bps)
{
	request->kind = TRIAL_LOAD;
	request->load = load;
	request->duration_ot = duration_of_frames(frames, load, link_bps);
}

/* teach and ask have no load yet. */
static int phases_make(struct phases *phases, const struct session *session, uint64_t addresses, uint64_t pause_ns,
                       struct error *error)
{
	const struct tester_info *info = &session->context->tester->info;
	const struct learning_settings *settings = learning_settings(session->test);
	struct trial_request *requests[] = {&phases->hello, &phases->teach, &phases->ask};
	int status = 0;

	*phases = (struct phases){0};
	for (unsigned i = 0; i <= LEARNING_ASK && status == 0; i++) {
		status = learning_traffic(&session->shape, info->device->ports, (enum learning_phase)i,
		                          (uint32_t)addresses, (enum address_order)settings->order, &phases->traffic[i],
		                          error);
		*requests[i] = session_request(session);
		requests[i]->traffic = &phases->traffic[i];
		requests[i]->before = i ? requests[i - 1] : NULL;
	}
	phases->hello.kind = TRIAL_BURST;
	phases->hello.burst_frames = 1;
	phases->hello.pause_ot = session_octet_times(session, pause_ns);
	return status;
}

/* The largest flood count of a monitoring port: so many frames the device sent to all ports. */
static uint64_t monitored(const struct trial_result *trial)
{
	uint64_t most = 0;

	for (unsigned i = MONITORING_PORT; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		if (trial->port[i].wrong_port_frames > most)
			most = trial->port[i].wrong_port_frames;
	return most;
}

static uint64_t received(const struct trial_result *trial)
{
	return trial->received_frames;
}

/* -- the ageing time ---------------------------------------------------------------------------------------------- */

static void believe(struct ageing *ageing, uint64_t ageing_ns)
{
	*ageing = (struct ageing){.above_s = NAN,
	                          .s = NAN,
	                          .pause_ns = ageing_ns + ageing_ns / MARGIN + 1,
	                          .shortest_s = (double)ageing_ns / (double)NS_PER_S};
}

static uint64_t step_ot(const struct session *session, uint64_t ageing_ot)
{
	const uint64_t shortest = 2 * (uint64_t)(session->frame_octets + LINE_OVERHEAD_OCTETS);
	uint64_t step = ageing_ot / AGEING_STEPS;

	step = step < shortest ? shortest : step;
	return step < LONGEST_PERIOD_OT ? step : LONGEST_PERIOD_OT;
}

/* The first frame that was flooded, and the one before it, from the frame that taught the address. Frames of the test
 * port to an address are no reason to remember it, which only frames from it are. */
static int read_ageing(struct learning *learning, const struct trial_result *trial, uint64_t step)
{
	struct session *session = learning->session;
	const uint64_t offered = trial->port[TEST_PORT].offered_frames, flooded = monitored(trial);
	const uint64_t since_ot = trial->port[TEST_PORT].tx_first_ot - trial->before.last_ot;
	struct ageing *ageing = &learning->ageing;

	if (flooded == 0)
		snprintf(
		        session->why_invalid, sizeof(session->why_invalid),
		        "the address of the learning port was still known %.6g s after its last frame: the ageing time "
		        "is more than %d times the %.6g s of the plan, so nothing says that an iteration begins with "
		        "an "
		        "empty table (RFC 2889 section 5.7.3)",
		        session_seconds(session, since_ot + (offered - 1) * step), AGEING_TIMES,
		        (double)learning_settings(session->test)->ageing_ns / (double)NS_PER_S);
	else if (flooded >= offered)
		snprintf(
		        session->why_invalid, sizeof(session->why_invalid),
		        "a single address of the learning port was not known %.6g s after its frame: the device learns "
		        "nothing, has room for one address only, or forgets it sooner",
		        session_seconds(session, since_ot));
	if (flooded == 0 || flooded >= offered)
		return SESSION_INVALID;
	ageing->above_s = session_seconds(session, since_ot + (offered - flooded - 1) * step);
	ageing->s = session_seconds(session, since_ot + (offered - flooded) * step);
	ageing->shortest_s = ageing->above_s;
	ageing->pause_ns = (uint64_t)(ageing->s * (1 + 1.0 / MARGIN) * (double)NS_PER_S) + 1;
	return 0;
}

int learning_measure_ageing(struct learning *learning, struct error *error)
{
	struct session *session = learning->session;
	const struct learning_settings *settings = learning_settings(session->test);
	const uint64_t link_bps = session->context->tester->info.link_bps;
	const uint64_t ageing_ot = session_octet_times(session, settings->ageing_ns),
	               step = step_ot(session, ageing_ot);
	struct phases phases;
	int status;

	believe(&learning->ageing, settings->ageing_ns);
	if (!settings->measure_ageing)
		return 0;
	status = phases_make(&phases, session, 1, learning->ageing.pause_ns, error);
	phases.teach.kind = TRIAL_BURST;
	phases.teach.burst_frames = 1;
	pace(&phases.ask, AGEING_TIMES * ageing_ot / step + 1, (struct rate){link_bps, BITS_PER_OCTET * step},
	     link_bps);
	if (status == 0)
		status = session_trial(session, &learning->config, learning->search, &phases.ask, error);
	if (status == 0)
		status = read_ageing(learning, session->trial, step);
	phases_free(&phases);
	return status;
}

/* -- iterations --------------------------------------------------------------------------------------------------- */

static const struct metric AN_ITERATION[] = {
        {.key = "addresses", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "learning_load_fps", .unit = METRIC_FPS, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {.key = "learning_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "learning_flood_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "test_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "tport_flood_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "received_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "lport_flood_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "mport_flood_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "verdict", .unit = METRIC_TEXT, .known = KNOWN_ALWAYS},
};
static const struct metric_slice ITERATION_METRICS = METRIC_SLICE(AN_ITERATION);

static const struct metric METRICS[] = {
        {"ageing_s", "Ageing time", METRIC_S, .places = 6,
         .meaning = "the ageing time of the device, as measured: an address was not known any more this long after the "
                    "last frame from it, while frames to it went on. Null if it was not measured"},
        {"ageing_above_s", "Ageing time above", METRIC_S, .places = 6, .derived = true,
         .meaning = "the same address was still known this long after that frame; the step of the measurement is a "
                    "thousandth of the `ageing` of the plan"},
        {"flood_frames", "Flooded", METRIC_FRAMES, .whole = true, .better = BETTER_LESS,
         .meaning =
                 "the flood count of the monitoring ports in the iteration that failed and set the upper bound; null "
                 "if none did"},
        {"iterations", "Iterations", METRIC_LIST, .definition = "learning_iteration", .items = &ITERATION_METRICS,
         .meaning =
                 "every iteration in order (RFC 2889 sections 5.7.5 and 5.8.5): `addresses`; `learning_load_fps`, the "
                 "intended load of the learning port; `learning_frames` that it sent, and of them "
                 "`learning_flood_frames` that came to a monitoring port; `test_frames` that the test port sent; "
                 "`tport_flood_frames`, those of them that came back to it; `received_frames` at the learning port; "
                 "`lport_flood_frames`, test frames there with another address; `mport_flood_frames`, the most at a "
                 "monitoring port; and the `verdict`, `pass` or `fail`"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of the test frames of all iterations"},
};
const struct metric_slice LEARNING_METRICS = METRIC_SLICE(METRICS);

const struct result_listing LEARNING_ROWS = {
        .list = "iterations",
        .caption = "Iterations",
        .columns = COLUMNS({.key = "addresses", .heading = "Addresses"},
                           {.key = "learning_load_fps", .heading = "Learning, frames/s", .places = 1},
                           {.key = "learning_flood_frames", .heading = "Flooded meanwhile"},
                           {.key = "test_frames", .heading = "Test frames"},
                           {.key = "received_frames", .heading = "Received at Lport"},
                           {.key = "tport_flood_frames", .heading = "Flooded to Tport"},
                           {.key = "lport_flood_frames", .heading = "Flooded to Lport"},
                           {.key = "mport_flood_frames", .heading = "Flooded to Mport"},
                           {.key = "verdict", .heading = "Verdict"}),
        .always = true,
};

static void add_row(struct learning *learning, const struct learning_point *point, const struct trial_result *trial,
                    bool passed)
{
	json_t *row = json_object();

	result_count(row, "addresses", point->addresses);
	result_number(row, "learning_load_fps", (double)point->learning_fps);
	result_count(row, "learning_frames", trial->before.offered_frames);
	result_count(row, "learning_flood_frames", trial->before.wrong_port_frames);
	result_count(row, "test_frames", trial->port[TEST_PORT].offered_frames);
	result_count(row, "tport_flood_frames", trial->port[TEST_PORT].wrong_port_frames);
	result_count(row, "received_frames", received(trial));
	result_count(row, "lport_flood_frames", trial->port[LEARNING_PORT].wrong_port_frames);
	result_count(row, "mport_flood_frames", monitored(trial));
	json_put(row, "verdict", json_string(passed ? "pass" : "fail"));
	json_add(learning->iterations, row);
	if (!passed) /* the last one is that of the upper bound */
		learning->upper_flood_frames = monitored(trial);
	counters_add(&learning->sums, trial);
	learning->taught_unknown |= trial->before.wrong_port_frames != 0;
}

/* The search sees frames that were not forwarded as they must be. */
static int tell_search(struct learning *learning, struct trial_result *trial, bool passed, struct error *error)
{
	trial->lost_frames = passed ? 0 : trial->offered_frames - received(trial) + monitored(trial);
	if (!passed && (trial->lost_frames == 0 || trial->lost_frames > trial->offered_frames))
		trial->lost_frames = trial->offered_frames;
	return session_observe(learning->session, learning->search, trial, error);
}

/* The whole iteration must fit into the time for which the device remembers. */
static int check_time(struct learning *learning, const struct learning_point *point)
{
	struct session *session = learning->session;
	const double takes_s = learning_takes_s(session->test, point->addresses, point->learning_fps);

	if (takes_s < learning->ageing.shortest_s)
		return 0;
	snprintf(session->why_invalid, sizeof(session->why_invalid),
	         "the device forgets after %.6g s, but %" PRIu64 " addresses at %" PRIu64
	         " a second and their test take up to %.6g s (RFC 2889 section 5.7.3)",
	         learning->ageing.shortest_s, point->addresses, point->learning_fps, takes_s);
	return SESSION_INVALID;
}

int learning_iterate(struct learning *learning, const struct learning_point *point, struct error *error)
{
	struct session *session = learning->session;
	const uint64_t link_bps = session->context->tester->info.link_bps;
	struct trial_result *const trial = session->trial;
	struct phases phases;
	bool passed;
	int status = check_time(learning, point);

	if (status)
		return status;
	status = phases_make(&phases, session, point->addresses, learning->ageing.pause_ns, error);
	pace(&phases.teach, point->addresses, (struct rate){point->learning_fps, 1}, link_bps);
	pace(&phases.ask, point->addresses, (struct rate){learning_settings(session->test)->test_fps, 1}, link_bps);
	if (status == 0)
		status = learning_try(learning, point, &phases.ask, error);
	phases_free(&phases);
	if (status)
		return status;
	passed = trial->before.offered_frames == point->addresses && trial->before.wrong_port_frames == 0 &&
	         trial->offered_frames == point->addresses && monitored(trial) == 0 &&
	         received(trial) == point->addresses;
	add_row(learning, point, trial, passed);
	return tell_search(learning, trial, passed, error);
}

/* -- reports ------------------------------------------------------------------------------------------------------ */

static void flag_ageing(const struct learning *learning, json_t *result)
{
	const double given_s = (double)learning_settings(learning->session->test)->ageing_ns / (double)NS_PER_S;
	const struct ageing *ageing = &learning->ageing;

	if (isnan(ageing->s))
		return;
	if (given_s < ageing->above_s * (1 - 1.0 / TOLERANCE) || given_s > ageing->s * (1 + 1.0 / TOLERANCE))
		result_flag(
		        result,
		        "the ageing time of the device is %.6g s, not %.6g s as the plan says: iterations waited for "
		        "what was measured",
		        ageing->s, given_s);
}

void learning_report(const struct learning *learning, json_t *result)
{
	result_number(result, "ageing_s", learning->ageing.s);
	result_number(result, "ageing_above_s", learning->ageing.above_s);
	result_count(result, "flood_frames", learning->upper_flood_frames);
	json_put_shared(result, "iterations", learning->iterations);
	result_counters(result, "counters", &learning->sums);
	flag_ageing(learning, result);
}

json_t *learning_parameters(const struct session *session)
{
	const struct learning_settings *settings = learning_settings(session->test);
	const uint8_t *mac = TEST_NUMBERED_MAC;
	json_t *object = result_parameters(session);
	char first[32];

	snprintf(first, sizeof(first), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	result_number(object, "ageing_given_s", (double)settings->ageing_ns / (double)NS_PER_S);
	json_put(object, "measure_ageing", json_string(settings->measure_ageing ? "true" : "false"));
	result_number(object, "test_rate_fps", (double)settings->test_fps);
	json_put(object, "address_order", json_string(ADDRESS_ORDER_NAMES[settings->order]));
	json_put(object, "first_address", json_string(first));
	return object;
}

int learning_run(struct session *session, const struct learning_test *test, struct error *error)
{
	struct learning learning = {.session = session,
	                            .iterations = json_array(),
	                            .upper_flood_frames = COUNT_UNKNOWN,
	                            .ageing = {NAN, NAN, 0, 0}};
	json_t *result = result_begin(session, session->benchmark->clause);
	struct search_result found = {0};
	int status, finished;

	json_put(result, "parameters", test->parameters(session));
	status = test->search(&learning, error);
	if (status == 0)
		found = search_result(learning.search);
	test->report(&learning, status == 0 ? &found : NULL, result);
	learning_report(&learning, result);
	if (status)
		result_invalid(result, "ended after %u iterations: %s", (unsigned)learning.sums.trials,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(learning.iterations);
	search_free(learning.search);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}
