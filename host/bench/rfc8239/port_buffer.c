/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer of an egress port, of one or of all; of the ports of two pairs at once; of one port to which all others
 * send; and the frame size of which it holds most: the rows. */
#include "host/bench/rfc8239/port_buffer.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 8239 section 3.2"};

/* Three ports are enough, which the mesh needs as well. */
static int traffic_of_plan(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	(void)test;
	(void)traffic;
	(void)error;
	return 0;
}

static int traffic_of_pairs(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	(void)test;
	if (traffic->ports >= PAIRS_LEAST_PORTS)
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "has %u ports, and buffers of port pairs need %d: two pairs, and two ports that oversubscribe "
	                 "them (RFC 8239 section 3.2, procedure 3)",
	                 traffic->ports, PAIRS_LEAST_PORTS);
}

static json_t *parameters(const struct session *session)
{
	const struct port_buffer_settings *settings = port_buffer_settings(session->test);
	json_t *object = rfc8239_parameters(session);

	result_number(object, "oversubscription_percent", 100 * quantity_number(&settings->oversubscription));
	result_count(object, "max_frames", settings->max_frames);
	result_count(object, "dscp", settings->dscp);
	result_count(object, "cos", settings->cos);
	return object;
}

/* Reports the size of which the buffer holds most octets, among the sizes of this test so far (procedure 1). */
static void report_most_efficient(const struct session *session, json_t *result)
{
	double most = result_get(result, "buffer_octets"), size = isnan(most) ? (double)NAN : session->frame_octets;
	const json_t *earlier;
	size_t i;

	json_array_foreach(session->context->results, i, earlier)
	{
		const double octets = result_get(earlier, "buffer_octets");
		const bool own = result_get(earlier, "test_number") == session->progress.test_number;

		if (own && json_is_true(json_object_get(earlier, "valid")) && !(octets <= most)) {
			most = octets;
			size = result_get(earlier, "frame_octets");
		}
	}
	result_count(result, "efficient_frame_octets", isnan(size) ? UINT64_MAX : (uint64_t)size);
}

static int run_test(struct session *session, const struct buffer_procedure *procedure, const char *list,
                    bool compares_sizes, struct error *error)
{
	struct port_buffer measured = {.session = session,
	                               .procedure = procedure,
	                               .list = list,
	                               .repetitions = rfc8239_settings(session->test)->repetitions,
	                               .rows = json_array()};
	json_t *result = result_begin(session, session->benchmark->clause);
	const struct traffic *mesh = session->traffic;
	int status, finished;

	json_put(result, "parameters", parameters(session));
	session->progress.repetitions = measured.repetitions;
	status = buffer_search(&measured, session, error);
	session->traffic = mesh;
	port_buffer_report(&measured, status == 0, result);
	if (compares_sizes)
		report_most_efficient(session, result);
	if (status)
		result_invalid(result, "ended after %zu egress ports: %s", json_array_size(measured.rows),
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(measured.rows);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static int run_port_buffer(struct session *session, struct error *error)
{
	return run_test(session, &ONE_EGRESS_PORT, "buffers", false, error);
}

static int run_buffer_efficiency(struct session *session, struct error *error)
{
	return run_test(session, &ONE_EGRESS_PORT, "buffers", true, error);
}

static int run_port_pair_buffer(struct session *session, struct error *error)
{
	return run_test(session, &PORT_PAIRS, "pair_buffers", false, error);
}

static int run_device_buffer(struct session *session, struct error *error)
{
	return run_test(session, &MANY_TO_ONE, "device_buffers", false, error);
}

/* -- extent ------------------------------------------------------------------------------------------------------- */

static double seconds_at(const struct plan_test *test, double share, uint32_t frame_octets, uint64_t link_bps)
{
	return (double)port_buffer_settings(test)->max_frames /
	       (share * rate_fps(plan_max_rate(test, frame_octets, link_bps)));
}

static double longest_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return seconds_at(test, quantity_number(&port_buffer_settings(test)->oversubscription), frame_octets, link_bps);
}

static double longest_of_many_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return seconds_at(test, many_to_one_excess(&port_buffer_settings(test)->oversubscription), frame_octets,
	                  link_bps);
}

/* least, most: searches of a repetition, which depend on the number of ports. */
static struct extent extent_of(const struct plan_test *test, double each_s, double least, double most)
{
	const struct port_buffer_settings *settings = port_buffer_settings(test);
	const double frames = (double)settings->max_frames, repetitions = settings->common.repetitions;
	const double trials = effort_galloping_trials(test, frames);

	return (struct extent){
	        .open = true,
	        .least = effort_of(test, least * repetitions, each_s / frames, 0),
	        .most = effort_of(test, most * repetitions * trials, each_s, extent_seconds(test->drain_ns) + each_s),
	        .least_remark = ", when the first frames are lost",
	        .most_remark = "; far less with a buffer much smaller than max_frames",
	};
}

static double positions_or(const struct plan_test *test, unsigned all)
{
	const unsigned asked = port_buffer_settings(test)->positions;

	return asked ? asked : all;
}

static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return extent_of(test, longest_s(test, frame_octets, link_bps), positions_or(test, 3),
	                 positions_or(test, TRAFFIC_MAX_PORTS));
}

static struct extent extent_of_pairs(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return extent_of(test, longest_s(test, frame_octets, link_bps),
	                 MOST_QUEUES * PORT_PAIRS.places(PAIRS_LEAST_PORTS, port_buffer_settings(test)->positions),
	                 MOST_QUEUES * PORT_PAIRS.places(TRAFFIC_MAX_PORTS, port_buffer_settings(test)->positions));
}

static struct extent extent_of_many(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return extent_of(test, longest_of_many_s(test, frame_octets, link_bps), positions_or(test, 3),
	                 positions_or(test, TRAFFIC_MAX_PORTS));
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	(void)test;
	(void)factor;
	(void)link_bps;
	(void)settings; /* max_frames is what may be found, not a length that may be cut */
}

#define KEYS_OF(positions) SLICES(&KEYS_TEST, &KEYS_BISECTION, &RFC8239_KEYS, &PORT_BUFFER_KEYS, &(positions))
#define RESULTS_OF(description)                                                                                        \
	(const struct result_description *const[])                                                                     \
	{                                                                                                              \
		&(description), NULL                                                                                   \
	}
#define BUFFER_PLAN                                                                                                    \
	.settings_size = sizeof(struct port_buffer_settings), .searches = BY_BINARY | BY_LOSS_VERIFICATION,            \
	.why_searches = "as it searches the first frame that is lost (RFC 8239 section 3.2)",                          \
	.why_unmixed = "RFC 8239 section 3.2 measures with a fixed packet size", .pattern = &PATTERN,                  \
	.refused_modifiers = UINT32_MAX, .why_refused = "RFC 8239 section 3.2 says which frames are sent"
#define BUFFER_ROW                                                                                                     \
	.clause = "RFC 8239 3.2", .point_key = "buffer_frames", .point_unit = "frames", .line_rate_only = true,        \
	.shorten = shorten

const struct benchmark RFC8239_PORT_BUFFER = {
        .plan = {.keys = {.name = "rfc8239.port_buffer", .slices = KEYS_OF(BUFFER_ALL_PORTS_KEYS)},
                 .results = RESULTS_OF(PORT_BUFFER_RESULTS),
                 .finish = port_buffer_finish,
                 BUFFER_PLAN},
        .title = "Port buffer",
        .run = run_port_buffer,
        .traffic = traffic_of_plan,
        .extent = extent,
        .longest_trial_s = longest_s,
        BUFFER_ROW,
};

const struct benchmark RFC8239_BUFFER_EFFICIENCY = {
        .plan = {.keys = {.name = "rfc8239.buffer_efficiency", .slices = KEYS_OF(BUFFER_ONE_PORT_KEYS)},
                 .results = RESULTS_OF(BUFFER_EFFICIENCY_RESULTS),
                 .finish = port_buffer_finish,
                 BUFFER_PLAN},
        .title = "Buffer efficiency",
        .run = run_buffer_efficiency,
        .traffic = traffic_of_plan,
        .extent = extent,
        .longest_trial_s = longest_s,
        BUFFER_ROW,
};

const struct benchmark RFC8239_PORT_PAIR_BUFFER = {
        .plan = {.keys = {.name = "rfc8239.port_pair_buffer", .slices = KEYS_OF(BUFFER_PLACES_KEYS)},
                 .results = RESULTS_OF(PORT_PAIR_BUFFER_RESULTS),
                 .finish = port_buffer_finish,
                 BUFFER_PLAN},
        .title = "Port pair buffer",
        .run = run_port_pair_buffer,
        .traffic = traffic_of_pairs,
        .extent = extent_of_pairs,
        .longest_trial_s = longest_s,
        BUFFER_ROW,
};

const struct benchmark RFC8239_DEVICE_BUFFER = {
        .plan = {.keys = {.name = "rfc8239.device_buffer", .slices = KEYS_OF(BUFFER_LAST_PORTS_KEYS)},
                 .results = RESULTS_OF(DEVICE_BUFFER_RESULTS),
                 .finish = device_buffer_finish,
                 BUFFER_PLAN},
        .title = "Device buffer",
        .run = run_device_buffer,
        .traffic = traffic_of_plan,
        .extent = extent_of_many,
        .longest_trial_s = longest_of_many_s,
        BUFFER_ROW,
};
