/* SPDX-License-Identifier: Apache-2.0 */
/* Goodput of TCP connections beside microbursts (RFC 8239 section 6.2). */
#include "host/bench/rfc8239/incast.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/offered_load.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"
#include "host/traffic/connection_flow.h"

enum { START_STEP_OCTETS = 8 };

static const struct plan_pattern PATTERN = {.pattern = TRAFFIC_MESH,
                                            .bidirectional = true,
                                            .clause = "RFC 8239 section 6.2",
                                            .least_ports = INCAST_LEAST_PORTS};

/* Checks only that the plan can be had: run() makes its own traffic from the mesh. */
static int check_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	return incast_check_ports(incast_settings(test), traffic->ports, error);
}

/* -- trials ------------------------------------------------------------------------------------------------------- */

struct running {
	struct incast_case own;
	struct trial_tcp tcp;
	uint64_t frames; /* frames of a burst */
};

static uint64_t burst_frames(const struct session *session)
{
	const struct quantity *burst = &incast_settings(session->test)->burst;
	const double fps = burst->unit == QUANTITY_TIME ? rate_fps(session->max_rate) : 1;

	return (uint64_t)fmax(1, floor(quantity_number(burst) * fps));
}

static uint64_t first_rto_ns(const struct incast_settings *settings)
{
	return settings->initial_rto_ns > settings->min_rto_ns ? settings->initial_rto_ns : settings->min_rto_ns;
}

static struct trial_tcp tcp_of(const struct session *session, const struct incast_ports *ports)
{
	const struct incast_settings *settings = incast_settings(session->test);
	const uint64_t lead_ot = session_octet_times(session, settings->lead_ns);

	return (struct trial_tcp){.senders = ports->stateful,
	                          .receiver = ports->egress,
	                          .connections = settings->connections,
	                          .mss = settings->mss,
	                          .window = settings->window,
	                          .window_scale = settings->window_scale,
	                          .initial_segments = settings->initial_window,
	                          .ack_every = settings->ack_every,
	                          .octets = settings->connection_octets,
	                          .ack_delay_ot = session_octet_times(session, settings->ack_delay_ns),
	                          .rto_min_ot = session_octet_times(session, settings->min_rto_ns),
	                          .rto_initial_ot = session_octet_times(session, first_rto_ns(settings)),
	                          .lead_ot = (lead_ot / START_STEP_OCTETS + 1) * START_STEP_OCTETS,
	                          .duration_ot = session_octet_times(session, settings->trial_duration_ns)};
}

/* The worst case is that all bursts wait for the same port. */
static void request_trial(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const struct running *running = user;
	const struct rate load = plan_load(&incast_settings(session->test)->intensity, session->max_rate);
	const uint64_t frames = running->frames;
	const double queue_s =
	        (double)frames * __builtin_popcount(running->own.ports.stateless) / rate_fps(session->max_rate);

	(void)wanted;
	request->tcp = running->tcp;
	request->drain_ot += session_octet_times(session, (uint64_t)(queue_s * (double)NS_PER_S) + 1);
	if (rate_compare(load, session->max_rate) == 0) {
		request->kind = TRIAL_BURST;
		request->burst_frames = frames;
		return;
	}
	request->kind = TRIAL_LOAD;
	request->load = load;
	request->duration_ot = duration_of_frames(frames, load, session->context->tester->info.link_bps);
}

static uint64_t frames_of(const void *user, uint64_t point)
{
	(void)point;
	return ((const struct running *)user)->frames;
}

static void note(void *user, const struct trial_result *trial)
{
	struct running *running = user;

	incast_note(&running->own, trial);
}

static int run_case(struct incast *measured, struct session *session, struct incast_case *own, struct error *error)
{
	struct running running = {.own = *own, .tcp = tcp_of(session, &own->ports), .frames = burst_frames(session)};
	const struct search_points points = {
	        .request = request_trial, .in_unit = frames_of, .note = note, .user = &running};
	struct traffic traffic;
	int status = incast_traffic(session, &own->ports, &running.tcp, &traffic, error);

	if (status)
		return status;
	session->traffic = &traffic;
	status = repeat_trial(session, measured->repetitions, &points, error);
	if (status == 0)
		incast_note_case(measured, &running.own);
	session->traffic = NULL;
	traffic_free(&traffic);
	return status;
}

static int measure(struct incast *measured, struct session *session, struct error *error)
{
	const struct incast_settings *settings = incast_settings(session->test);
	const unsigned ports = session->context->tester->info.device->ports;
	double *values = calloc(2 * (size_t)measured->repetitions, sizeof(*values));
	unsigned number = 0;
	int status = 0;

	if (!values)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (unsigned variation = 0; variation < incast_variations(settings, ports) && status == 0; variation++)
		for (unsigned at = 0; at < incast_positions(settings, ports) && status == 0; at++) {
			struct incast_case own = {.ports = incast_ports(settings, ports, variation, at),
			                          .number = ++number,
			                          .link_bps = session_link_bps(session),
			                          .goodput_gbps = values,
			                          .latency_mean_ns = values + measured->repetitions};

			session_next_case(session,
			                  incast_variations(settings, ports) * incast_positions(settings, ports));
			status = run_case(measured, session, &own, error);
		}
	free(values);
	return status;
}

static json_t *parameters(const struct incast *measured)
{
	const struct session *session = measured->session;
	const struct incast_settings *settings = incast_settings(session->test);
	const double intensity = rate_ratio(plan_load(&settings->intensity, session->max_rate), session->max_rate);
	json_t *object = rfc8239_parameters(session);

	result_count(object, "connections", settings->connections);
	result_count(object, "mss_octets", settings->mss);
	result_count(object, "window_octets", settings->window);
	result_count(object, "window_scale", settings->window_scale);
	result_count(object, "initial_window_segments", settings->initial_window);
	result_count(object, "ack_every_segments", settings->ack_every);
	result_number(object, "ack_delay_s", extent_seconds(settings->ack_delay_ns));
	result_number(object, "min_rto_s", extent_seconds(settings->min_rto_ns));
	result_number(object, "initial_rto_s", extent_seconds(first_rto_ns(settings)));
	result_count(object, "connection_octets", settings->connection_octets);
	result_number(object, "lead_time_s", extent_seconds(settings->lead_ns));
	result_number(object, "trial_duration_s", extent_seconds(settings->trial_duration_ns));
	result_count(object, "burst_frames", burst_frames(session));
	result_number(object, "intensity_percent", 100 * intensity);
	return object;
}

/* Headers of a segment, which depend on frame and tag. */
static unsigned header_octets(const struct traffic *mesh)
{
	return mesh->port[0].flows ? connection_header_octets(&mesh->port[0].flow[0].packet) : 0;
}

static int run(struct session *session, struct error *error)
{
	const struct traffic *mesh = session->traffic;
	struct incast measured = {.session = session,
	                          .repetitions = rfc8239_settings(session->test)->repetitions,
	                          .max_goodput_gbps = incast_max_goodput_gbps(session->context->tester->info.link_bps,
	                                                                      incast_settings(session->test)->mss,
	                                                                      header_octets(mesh)),
	                          .iterations = json_array(),
	                          .latencies = json_array()};
	json_t *result = result_begin(session, session->benchmark->clause);
	int status, finished;

	json_put(result, "parameters", parameters(&measured));
	status = measure(&measured, session, error);
	session->traffic = mesh;
	incast_report(&measured, status == 0, result);
	if (status)
		result_invalid(result, "ended after %zu choices of ports: %s", json_array_size(measured.iterations),
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(measured.iterations);
	json_decref(measured.latencies);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

/* -- extent ------------------------------------------------------------------------------------------------------- */

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct incast_settings *settings = incast_settings(test);

	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(settings->lead_ns) + extent_seconds(settings->trial_duration_ns);
}

/* The number of ports is not known here, and how long connections take to close is up to the device. */
static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct incast_settings *settings = incast_settings(test);
	const double each_s = trial_s(test, frame_octets, link_bps), repetitions = settings->common.repetitions;
	const double most =
	        incast_variations(settings, TRAFFIC_MAX_PORTS) * incast_positions(settings, TRAFFIC_MAX_PORTS);
	const double least = incast_variations(settings, INCAST_LEAST_PORTS);
	const double shortest_s = settings->connection_octets ? 0 : each_s;

	return (struct extent){
	        .least = effort_of(test, repetitions * least, shortest_s, 0),
	        .most = effort_of(test, repetitions * most, each_s, extent_seconds(test->drain_ns)),
	        .open = true,
	        .least_remark = ", with 3 ports",
	        .most_remark = ", with 16 ports, when connections close without losses",
	};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	const double duration_s = extent_seconds(incast_settings(test)->trial_duration_ns);

	(void)link_bps;
	shorter_add(settings, "trial_duration", shorter_time_s(duration_s, factor));
}

const struct benchmark RFC8239_INCAST = {
        .plan = {.keys = {.name = "rfc8239.incast", .slices = SLICES(&KEYS_TEST, &RFC8239_KEYS, &INCAST_KEYS)},
                 .settings_size = sizeof(struct incast_settings),
                 .why_no_search = "its bursts are given (RFC 8239 section 6.2)",
                 .why_unmixed = "RFC 8239 section 6.2 has microbursts of one kind",
                 .pattern = &PATTERN,
                 .refused_modifiers = UINT32_MAX,
                 .why_refused = "RFC 8239 section 6.2 says which frames are sent",
                 .needs_tcp = "RFC 8239 section 6.1",
                 .finish = incast_finish,
                 .results = (const struct result_description *const[]){&INCAST_RESULTS, NULL}},
        .title = "TCP incast",
        .clause = "RFC 8239 6",
        .point_key = "burst_frames",
        .point_unit = "frames",
        .line_rate_only = true,
        .run = run,
        .traffic = check_traffic,
        .check_device = incast_check_device,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
