/* SPDX-License-Identifier: Apache-2.0 */
/* The longest microbursts without loss (RFC 8239 section 4.2). */
#include "host/bench/rfc8239/microburst.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/offered_load.h"
#include "host/bench/result.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct microburst_settings

enum {
	LEAST_SENDERS = 2,
	FIRST_BURST_FRAMES = 64, /* first burst; bursts double until one is lossy, then bisection begins */
};

static const struct plan_key KEYS[] = {
        {.name = "max_burst",
         .value = QUANTITY(max_burst),
         .ranges = {{"1us", "10s"}, {"1 frame", "1G frames"}},
         .unit = "frames",
         .default_text = "10ms",
         .doc = "Longest burst of a port that is tried, by time at line rate or by frames."},
        {.name = "intensity",
         .value = QUANTITY(intensity),
         .ranges = {{"1%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "100%",
         .doc = "How fast the frames of a burst follow one another at each sending port; percent of line rate, or a "
                "rate; 100%: at the minimum gap (RFC 8239 section 4.1: all bursts should be)."},
        {.name = "senders",
         .value = COUNT(senders),
         .ranges = {{"0", "15"}},
         .unit = "ports",
         .default_text = "0",
         .doc = "How many ports send to all others; 0: every number of them, from all but one down to 2."},
        {.name = "positions",
         .value = COUNT(positions),
         .ranges = {{"0", "16"}},
         .unit = "positions",
         .default_text = "1",
         .doc = "To how many places on the device the senders and receivers move, by one port each time (RFC 8239 "
                "section 4.2: varied in multiple tests); 0: until each port was the first."},
};
static const struct key_slice MICROBURST_KEYS = {OWN_SLICE(KEYS)};

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 8239 section 4.2"};

static int microburst_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                             struct error *error)
{
	const unsigned senders = microburst_settings(test)->senders;

	if (senders == 1)
		return plan_complain(error, node_child(group, "senders"), "senders",
		                     "must be 0 or at least %d, so that two ports send to the same one (RFC 8239 "
		                     "section 4.2)",
		                     LEAST_SENDERS);
	if (rfc8239_refuse_program(plan, test, group, error))
		return error->code;
	return plan_check_rate(plan, test, group, "intensity", &microburst_settings(test)->intensity, error);
}

/* Checks only that the plan can be had: run() chooses from the mesh. */
static int microburst_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	const unsigned senders = microburst_settings(test)->senders;

	if (senders >= traffic->ports)
		return error_set(
		        error, ERROR_PLAN,
		        "senders = %u: must be below the number of ports, %u, so that there is one to receive; "
		        "2 to %u are possible (RFC 8239 section 4.2)",
		        senders, traffic->ports, traffic->ports - 1);
	return 0;
}

static uint64_t most_frames(const struct session *session)
{
	const struct quantity *most = &microburst_settings(session->test)->max_burst;
	const double fps = most->unit == QUANTITY_TIME ? rate_fps(session->max_rate) : 1;

	return (uint64_t)fmax(1, floor(quantity_number(most) * fps));
}

/* -- trials ------------------------------------------------------------------------------------------------------- */

/* The worst case is that all frames are for the same port, which then sends for as long as all senders together. */
static void request_burst(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const struct microburst_case *own = user;
	const struct rate load = plan_load(&microburst_settings(session->test)->intensity, session->max_rate);
	const double queue_s = (double)wanted->point * own->senders / rate_fps(session->max_rate);

	request->drain_ot += session_octet_times(session, (uint64_t)(queue_s * (double)NS_PER_S) + 1);
	if (rate_compare(load, session->max_rate) == 0) {
		request->kind = TRIAL_BURST;
		request->burst_frames = wanted->point;
		return;
	}
	request->kind = TRIAL_LOAD;
	request->load = load;
	request->duration_ot = duration_of_frames(wanted->point, load, session->context->tester->info.link_bps);
}

static int search_burst(struct session *session, struct microburst_case *own, struct error *error)
{
	const struct search_points points = {.request = request_burst, .user = own};
	struct search_config config = {.low = 1, .high = most_frames(session), .step = 1};
	struct findings found;
	int status;

	config.first = config.high < FIRST_BURST_FRAMES ? config.high : FIRST_BURST_FRAMES;
	session_search_limits(session, &config);
	status = search_loop(session, &config, &points, &found, error);
	if (status == 0) {
		own->frames[own->count++] = found.bounds.has_lower ? (double)found.bounds.lower : 0;
		own->limited += !found.bounds.has_upper;
	}
	findings_free(&found);
	return status;
}

static int run_case(struct microburst *measured, struct session *session, struct microburst_case *own,
                    struct error *error)
{
	struct traffic traffic;
	int status = port_traffic_use(session, &own->plan, &traffic, error);

	if (status)
		return status;
	own->count = own->limited = 0;
	while (status == 0 && own->count < measured->repetitions) {
		session->progress.repetition = own->count + 1;
		status = search_burst(session, own, error);
	}
	if (status == 0)
		microburst_note(measured, own);
	session->traffic = NULL;
	traffic_free(&traffic);
	return status;
}

/* The first ports send, the others receive. */
static struct port_plan plan_of(unsigned ports, unsigned senders)
{
	struct port_plan plan = {.ports = ports};

	for (unsigned from = 0; from < senders; from++)
		for (unsigned to = senders; to < ports; to++)
			port_plan_add(&plan, from, to);
	return plan;
}

static unsigned positions_of(const struct session *session)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const unsigned asked = microburst_settings(session->test)->positions;

	return asked && asked < ports ? asked : ports;
}

/* All choices of ports: as many for each number of senders. */
static unsigned cases_of(const struct session *session)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const bool one = microburst_settings(session->test)->senders != 0;

	return positions_of(session) * (one ? 1 : ports - LEAST_SENDERS);
}

static int run_senders(struct microburst *measured, struct session *session, unsigned senders, double *frames,
                       struct error *error)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const unsigned positions = positions_of(session);
	const struct port_plan first = plan_of(ports, senders);
	int status = 0;

	for (unsigned shift = 0; shift < positions && status == 0; shift++) {
		struct microburst_case own = {.senders = senders,
		                              .receivers = ports - senders,
		                              .plan = port_plan_shifted(&first, shift),
		                              .frames = frames};

		session_next_case(session, cases_of(session));
		status = run_case(measured, session, &own, error);
	}
	return status;
}

static int measure(struct microburst *measured, struct session *session, struct error *error)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const unsigned only = microburst_settings(session->test)->senders;
	double *frames = calloc(measured->repetitions, sizeof(*frames));
	int status = 0;

	if (!frames)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (unsigned senders = ports - 1; senders >= LEAST_SENDERS && status == 0; senders--)
		if (!only || senders == only)
			status = run_senders(measured, session, senders, frames, error);
	free(frames);
	return status;
}

/* The intensity as a part of line rate. */
static double intensity_of(const struct session *session)
{
	const struct quantity *intensity = &microburst_settings(session->test)->intensity;

	return rate_ratio(plan_load(intensity, session->max_rate), session->max_rate);
}

static json_t *parameters(const struct session *session)
{
	json_t *object = rfc8239_parameters(session);

	result_number(object, "intensity_percent", 100 * intensity_of(session));
	result_count(object, "max_burst_frames", most_frames(session));
	return object;
}

static int run(struct session *session, struct error *error)
{
	struct microburst measured = {.session = session,
	                              .repetitions = rfc8239_settings(session->test)->repetitions,
	                              .intensity = intensity_of(session),
	                              .rows = json_array()};
	json_t *result = result_begin(session, session->benchmark->clause);
	const struct traffic *mesh = session->traffic;
	int status, finished;

	json_put(result, "parameters", parameters(session));
	session->progress.repetitions = measured.repetitions;
	status = measure(&measured, session, error);
	session->traffic = mesh;
	microburst_report(&measured, status == 0, result);
	if (status)
		result_invalid(result, "ended after %zu choices of ports: %s", json_array_size(measured.rows),
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(measured.rows);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

/* -- extent ------------------------------------------------------------------------------------------------------- */

static double longest_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct microburst_settings *settings = microburst_settings(test);
	const double fps = rate_fps(plan_max_rate(test, frame_octets, link_bps));
	const double burst_s =
	        quantity_number(&settings->max_burst) / (settings->max_burst.unit == QUANTITY_TIME ? 1 : fps);
	const double slower =
	        rate_fps(plan_load(&settings->intensity, plan_max_rate(test, frame_octets, link_bps))) / fps;

	return burst_s / slower;
}

/* The number of ports is not known here, so the number of choices of them is not either: three ports have one. */
static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double fps = rate_fps(plan_max_rate(test, frame_octets, link_bps));
	const double each_s = longest_s(test, frame_octets, link_bps);
	const unsigned most =
	        microburst_settings(test)->positions ? microburst_settings(test)->positions : TRAFFIC_MAX_PORTS;
	const double choices = microburst_settings(test)->senders ? 1 : TRAFFIC_MAX_PORTS - LEAST_SENDERS;
	const double repetitions = rfc8239_settings(test)->repetitions;
	const double searches = effort_galloping_trials(test, each_s * fps);

	return (struct extent){
	        .open = true,
	        .least = effort_of(test, repetitions, 1 / fps, 0),
	        .most = effort_of(test, repetitions * choices * most * searches, each_s,
	                          extent_seconds(test->drain_ns) + TRAFFIC_MAX_PORTS * each_s),
	        .least_remark = ", of three ports, when the first frames are lost",
	        .most_remark = ", of 16 ports; far less when bursts much shorter than max_burst are lossy",
	};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "max_burst", shorter_time_s(longest_s(test, test->frame_sizes[0], link_bps), factor));
}

const struct benchmark RFC8239_MICROBURST = {
        .plan = {.keys = {.name = "rfc8239.microburst",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &RFC8239_KEYS, &MICROBURST_KEYS)},
                 .settings_size = sizeof(struct microburst_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = "as it searches the longest burst without loss (RFC 8239 section 4.2)",
                 .why_unmixed = "RFC 8239 section 4.3 reports the packet size used",
                 .pattern = &PATTERN,
                 .refused_modifiers = UINT32_MAX,
                 .why_refused = "RFC 8239 section 4.2 says which frames are sent",
                 .finish = microburst_finish,
                 .results = (const struct result_description *const[]){&MICROBURST_RESULTS, NULL}},
        .title = "Microburst",
        .clause = "RFC 8239 4",
        .point_key = "burst_frames",
        .point_unit = "frames",
        .line_rate_only = true,
        .run = run,
        .traffic = microburst_traffic,
        .extent = extent,
        .longest_trial_s = longest_s,
        .shorten = shorten,
};
