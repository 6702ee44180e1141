/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer of an egress port, of one or of all; of the ports of two pairs at once; of one port to which all others
 * send; and the frame size of which it holds most: keys and rows. */
#include "host/bench/rfc8239/port_buffer.h"

#include <math.h>
#include <stdlib.h>

#include "host/bench/result.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct port_buffer_settings

static const struct plan_key KEYS[] = {
        {.name = "oversubscription",
         .value = QUANTITY(oversubscription),
         .ranges = {{"0.01%", "100%"}},
         .default_text = "1%",
         .doc = "Load of the port that sends more than the egress port can forward, in percent of line rate (RFC 8239 "
                "section 3.2: a known low amount, 1% recommended)."},
        {.name = "max_frames",
         .value = WHOLE(max_frames),
         .ranges = {{"1 frame", "100M frames"}},
         .unit = "frames",
         .default_text = "1M frames",
         .doc = "Largest buffer that is looked for: frames that oversubscribe."},
        {.name = "dscp",
         .value = COUNT(dscp),
         .ranges = {{"0", "63"}},
         .default_text = "0",
         .doc = "Differentiated Services Code Point of all frames (RFC 8239 section 3.2: the series may be repeated "
                "with "
                "others)."},
        {.name = "cos",
         .value = COUNT(cos),
         .ranges = {{"0", "7"}},
         .default_text = "0",
         .doc = "Class of Service of all frames, in their VLAN tag: traffic.vlan must be set for others than 0; 0 "
                "there "
                "is a priority tag."},
};
static const struct key_slice BUFFER_KEYS = {OWN_SLICE(KEYS)};

#define POSITIONS(default_positions, what)                                                                             \
	{                                                                                                              \
		.name = "positions", .value = COUNT(positions), .ranges = {{"0", "16"}}, .unit = "positions",          \
		.default_text = (default_positions), .doc = (what)                                                     \
	}
#define EGRESS_PORTS "How many ports are the egress port, one after the other, from port 1 on; 0: all of them."
static const struct plan_key ALL_PORTS[] = {POSITIONS("0", EGRESS_PORTS)};
static const struct key_slice ALL_PORTS_KEYS = {OWN_SLICE(ALL_PORTS)};
static const struct plan_key ONE_PORT[] = {POSITIONS("1", EGRESS_PORTS)};
static const struct key_slice ONE_PORT_KEYS = {OWN_SLICE(ONE_PORT)};
static const struct plan_key LAST_PORTS[] = {POSITIONS(
        "0", "How many ports are the egress port, one after the other, the last port first; 0: all of them.")};
static const struct key_slice LAST_PORTS_KEYS = {OWN_SLICE(LAST_PORTS)};
static const struct plan_key PLACES[] = {POSITIONS(
        "1", "To how many places on the device all ports move, by one port each time (RFC 8239 section 3.2: varied in "
             "multiple tests); 0: until each port was the first.")};
static const struct key_slice PLACES_KEYS = {OWN_SLICE(PLACES)};

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 8239 section 3.2"};

/* The class of service has to be in the frames. */
static int check_marks(const struct plan_test *test, const struct node *group, struct error *error)
{
	const struct port_buffer_settings *settings = port_buffer_settings(test);

	if (settings->dscp && test->shape.frame == TRAFFIC_ETHERNET)
		return plan_complain(error, node_child(group, "dscp"), "dscp",
		                     "must be 0 with traffic.frame = \"ethernet\": these frames have no IP header (RFC "
		                     "2474 section 3)");
	if (settings->cos && test->shape.vlan == TRAFFIC_NO_VLAN)
		return plan_complain(error, node_child(group, "cos"), "cos",
		                     "must be 0 without traffic.vlan: the class of service is in the VLAN tag (IEEE "
		                     "802.1Q); vlan = 0 is a priority tag");
	return 0;
}

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const struct quantity *over = &port_buffer_settings(test)->oversubscription;
	const struct buffer_share most = MANY_TO_ONE.share(over, TRAFFIC_MAX_PORTS);

	if (over->numerator > UINT32_MAX || over->denominator > UINT32_MAX || most.of > UINT32_MAX)
		return plan_complain(error, node_child(group, "oversubscription"), "oversubscription",
		                     "must have fewer decimal places");
	if (check_marks(test, group, error))
		return error->code;
	return rfc8239_refuse_program(plan, test, group, error);
}

static int finish_many(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	if (many_to_one_excess(&port_buffer_settings(test)->oversubscription) <= 0)
		return plan_complain(error, node_child(group, "oversubscription"), "oversubscription",
		                     "must be above 0.02%% for test = \"%s\": it is added to 99.98%% of line rate (RFC "
		                     "8239 section 3.2, procedure 4)",
		                     plan_test_name(test));
	return finish(plan, test, group, error);
}

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

/* Of the sizes of this test so far, the one of which the buffer holds most octets (procedure 1). */
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

	json_object_set_new(result, "parameters", parameters(session));
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
	const double trials = effort_bisection_trials(test, frames) + log2(fmax(2, frames));
	const struct effort one = effort_of(test, least * repetitions, each_s / frames, 0);

	return (struct extent){
	        .open = true,
	        .least = one,
	        .expected = one,
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

#define KEYS_OF(own_positions) SLICES(&KEYS_TEST, &KEYS_BISECTION, &RFC8239_KEYS, &BUFFER_KEYS, &(own_positions))
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
        .plan = {.keys = {.name = "rfc8239.port_buffer", .slices = KEYS_OF(ALL_PORTS_KEYS)},
                 .results = RESULTS_OF(PORT_BUFFER_RESULTS),
                 .finish = finish,
                 BUFFER_PLAN},
        .title = "Port buffer",
        .run = run_port_buffer,
        .traffic = traffic_of_plan,
        .extent = extent,
        .longest_trial_s = longest_s,
        BUFFER_ROW,
};

const struct benchmark RFC8239_BUFFER_EFFICIENCY = {
        .plan = {.keys = {.name = "rfc8239.buffer_efficiency", .slices = KEYS_OF(ONE_PORT_KEYS)},
                 .results = RESULTS_OF(BUFFER_EFFICIENCY_RESULTS),
                 .finish = finish,
                 BUFFER_PLAN},
        .title = "Buffer efficiency",
        .run = run_buffer_efficiency,
        .traffic = traffic_of_plan,
        .extent = extent,
        .longest_trial_s = longest_s,
        BUFFER_ROW,
};

const struct benchmark RFC8239_PORT_PAIR_BUFFER = {
        .plan = {.keys = {.name = "rfc8239.port_pair_buffer", .slices = KEYS_OF(PLACES_KEYS)},
                 .results = RESULTS_OF(PORT_PAIR_BUFFER_RESULTS),
                 .finish = finish,
                 BUFFER_PLAN},
        .title = "Port pair buffer",
        .run = run_port_pair_buffer,
        .traffic = traffic_of_pairs,
        .extent = extent_of_pairs,
        .longest_trial_s = longest_s,
        BUFFER_ROW,
};

const struct benchmark RFC8239_DEVICE_BUFFER = {
        .plan = {.keys = {.name = "rfc8239.device_buffer", .slices = KEYS_OF(LAST_PORTS_KEYS)},
                 .results = RESULTS_OF(DEVICE_BUFFER_RESULTS),
                 .finish = finish_many,
                 BUFFER_PLAN},
        .title = "Device buffer",
        .run = run_device_buffer,
        .traffic = traffic_of_plan,
        .extent = extent_of_many,
        .longest_trial_s = longest_of_many_s,
        BUFFER_ROW,
};
