/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer of an egress port, of one or of all, and the frame size of which it holds most. */
#include "host/bench/rfc8239/port_buffer.h"

#include <math.h>
#include <stdlib.h>

#include "host/bench/offered_load.h"
#include "host/bench/result.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct port_buffer_settings

enum { FIRST_FRAMES = 16 /* from which they double until one is lost, before bisection */ };

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
         .doc = "Largest buffer that is looked for: frames of that port."},
};
static const struct key_slice BUFFER_KEYS = {OWN_SLICE(KEYS)};

#define POSITIONS(default_positions)                                                                                   \
	{                                                                                                              \
		.name = "positions", .value = COUNT(positions), .ranges = {{"0", "16"}}, .unit = "positions",          \
		.default_text = (default_positions),                                                                   \
		.doc = "How many ports are the egress port, one after the other, from port 1 on; 0: all of them."      \
	}
static const struct plan_key ALL_PORTS[] = {POSITIONS("0")};
static const struct key_slice ALL_PORTS_KEYS = {OWN_SLICE(ALL_PORTS)};
static const struct plan_key ONE_PORT[] = {POSITIONS("1")};
static const struct key_slice ONE_PORT_KEYS = {OWN_SLICE(ONE_PORT)};

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 8239 section 3.2"};

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const struct quantity *share = &port_buffer_settings(test)->oversubscription;

	if (share->numerator > UINT32_MAX || share->denominator > UINT32_MAX)
		return plan_complain(error, node_child(group, "oversubscription"), "oversubscription",
		                     "must have fewer decimal places");
	return rfc8239_refuse_program(plan, test, group, error);
}

/* Three ports are enough, which the mesh needs as well. */
static int traffic_of_plan(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	(void)test;
	(void)traffic;
	(void)error;
	return 0;
}

static struct rate extra_load(const struct session *session)
{
	return plan_load(&port_buffer_settings(session->test)->oversubscription, session->max_rate);
}

/* -- trials ------------------------------------------------------------------------------------------------------- */

/* A trial ends before the port that oversubscribes would send one frame more. The queue is empty again after the time
 * that its frames take on the line. */
static void request_frames(void *user, const struct session *session, const struct search_request *wanted,
                           struct trial_request *request)
{
	const double queue_s = (double)wanted->point / rate_fps(session->max_rate);

	(void)user;
	request->kind = TRIAL_LOAD;
	request->load = session->max_rate;
	request->duration_ot =
	        duration_of_frames(wanted->point, extra_load(session), session->context->tester->info.link_bps);
	request->drain_ot += session_octet_times(session, (uint64_t)(queue_s * (double)NS_PER_S) + 1);
}

static void note_latency(void *user, const struct trial_result *trial)
{
	struct inflection *inflection = user;
	const struct latency_stats *latency = &trial->port[inflection->egress].latency;

	if (trial->lost_frames == 0 || latency->frames == 0)
		return;
	if (!inflection->any || latency->max_ot < inflection->low_ot)
		inflection->low_ot = latency->max_ot;
	if (!inflection->any || latency->max_ot > inflection->high_ot)
		inflection->high_ot = latency->max_ot;
	inflection->any = true;
}

static void keep(const struct session *session, const struct findings *found, const struct inflection *inflection,
                 struct port_buffer_case *own)
{
	const bool ends = found->bounds.has_upper;
	const double growing_ns = session_seconds(session, inflection->high_ot - inflection->low_ot) * (double)NS_PER_S;

	own->frames[own->count] = found->bounds.has_lower ? (double)found->passed.port[own->extra].offered_frames : 0;
	own->latency_frames[own->count] =
	        ends ? port_buffer_from_latency(session, &found->failed, own->egress, &own->egress_fps) : NAN;
	own->growing_ns = fmax(own->growing_ns, growing_ns);
	own->limited += !ends;
	own->count++;
}

static int search_buffer(struct session *session, struct port_buffer_case *own, struct error *error)
{
	struct inflection inflection = {.egress = own->egress};
	const struct search_points points = {.request = request_frames, .note = note_latency, .user = &inflection};
	struct search_config config = {.low = 1, .high = port_buffer_settings(session->test)->max_frames, .step = 1};
	struct findings found;
	int status;

	config.first = config.high < FIRST_FRAMES ? config.high : FIRST_FRAMES;
	session_search_limits(session, &config);
	status = search_loop(session, &config, &points, &found, error);
	if (status == 0)
		keep(session, &found, &inflection, own);
	findings_free(&found);
	return status;
}

static int run_port(struct port_buffer *measured, struct session *session, struct port_buffer_case *own,
                    struct error *error)
{
	const struct quantity *share = &port_buffer_settings(session->test)->oversubscription;
	struct port_plan plan = {.ports = session->context->tester->info.device->ports};
	struct traffic traffic;
	int status;

	port_plan_add(&plan, own->ingress, own->egress);
	port_plan_add(&plan, own->extra, own->egress);
	status = port_traffic_use(session, &plan, &traffic, error);
	if (status)
		return status;
	traffic.port[own->extra].share = (uint32_t)share->numerator;
	traffic.port[own->extra].share_of = (uint32_t)share->denominator;
	while (status == 0 && own->count < measured->repetitions) {
		session->progress.repetition = own->count + 1;
		status = search_buffer(session, own, error);
	}
	if (status == 0)
		port_buffer_note(measured, own);
	session->traffic = NULL;
	traffic_free(&traffic);
	return status;
}

static int measure(struct port_buffer *measured, struct session *session, struct error *error)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const unsigned asked = port_buffer_settings(session->test)->positions;
	const unsigned positions = asked && asked < ports ? asked : ports;
	double *values = calloc(2 * (size_t)measured->repetitions, sizeof(*values));
	int status = 0;

	if (!values)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (unsigned first = 0; first < positions && status == 0; first++) {
		struct port_buffer_case own = {.ingress = first,
		                               .egress = (first + 1) % ports,
		                               .extra = (first + 2) % ports,
		                               .frames = values,
		                               .latency_frames = values + measured->repetitions};

		status = run_port(measured, session, &own, error);
	}
	free(values);
	return status;
}

static json_t *parameters(const struct session *session)
{
	const struct port_buffer_settings *settings = port_buffer_settings(session->test);
	json_t *object = rfc8239_parameters(session);

	result_number(object, "oversubscription_percent", 100 * quantity_number(&settings->oversubscription));
	result_count(object, "max_frames", settings->max_frames);
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

static int run_test(struct session *session, bool compares_sizes, struct error *error)
{
	struct port_buffer measured = {
	        .session = session, .repetitions = rfc8239_settings(session->test)->repetitions, .rows = json_array()};
	json_t *result = result_begin(session, session->benchmark->clause);
	const struct traffic *mesh = session->traffic;
	int status, finished;

	json_object_set_new(result, "parameters", parameters(session));
	session->progress.repetitions = measured.repetitions;
	status = measure(&measured, session, error);
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
	return run_test(session, false, error);
}

static int run_buffer_efficiency(struct session *session, struct error *error)
{
	return run_test(session, true, error);
}

/* -- extent ------------------------------------------------------------------------------------------------------- */

static double longest_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct port_buffer_settings *settings = port_buffer_settings(test);
	const struct rate load = plan_load(&settings->oversubscription, plan_max_rate(test, frame_octets, link_bps));

	return (double)settings->max_frames / rate_fps(load);
}

static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct port_buffer_settings *settings = port_buffer_settings(test);
	const double each_s = longest_s(test, frame_octets, link_bps), frames = (double)settings->max_frames;
	const double least = (settings->positions ? settings->positions : 3) * (double)settings->common.repetitions;
	const double most =
	        (settings->positions ? settings->positions : TRAFFIC_MAX_PORTS) * (double)settings->common.repetitions;
	const double searches = effort_bisection_trials(test, frames) + log2(fmax(2, frames));
	const struct effort one = effort_of(test, least, each_s / frames, 0);

	return (struct extent){
	        .open = true,
	        .least = one,
	        .expected = one,
	        .most = effort_of(test, most * searches, each_s, extent_seconds(test->drain_ns) + each_s),
	        .least_remark = ", when the first frames are lost",
	        .most_remark = "; far less with a buffer much smaller than max_frames",
	};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	(void)test;
	(void)factor;
	(void)link_bps;
	(void)settings; /* max_frames is what may be found, not a length that may be cut */
}

#define BUFFER_PLAN                                                                                                    \
	.settings_size = sizeof(struct port_buffer_settings), .searches = BY_BINARY | BY_LOSS_VERIFICATION,            \
	.why_searches = "as it searches the first frame that is lost (RFC 8239 section 3.2)",                          \
	.why_unmixed = "RFC 8239 section 3.2 measures with a fixed packet size", .pattern = &PATTERN,                  \
	.refused_modifiers = UINT32_MAX, .why_refused = "RFC 8239 section 3.2 says which frames are sent",             \
	.finish = finish
#define BUFFER_ROW                                                                                                     \
	.point_key = "buffer_frames", .point_unit = "frames", .line_rate_only = true, .traffic = traffic_of_plan,      \
	.extent = extent, .longest_trial_s = longest_s, .shorten = shorten

const struct benchmark RFC8239_PORT_BUFFER = {
        .plan = {.keys = {.name = "rfc8239.port_buffer",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &RFC8239_KEYS, &BUFFER_KEYS, &ALL_PORTS_KEYS)},
                 .results = (const struct result_description *const[]){&PORT_BUFFER_RESULTS, NULL},
                 BUFFER_PLAN},
        .title = "Port buffer",
        .clause = "RFC 8239 3.2",
        .run = run_port_buffer,
        BUFFER_ROW,
};

const struct benchmark RFC8239_BUFFER_EFFICIENCY = {
        .plan = {.keys = {.name = "rfc8239.buffer_efficiency",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &RFC8239_KEYS, &BUFFER_KEYS, &ONE_PORT_KEYS)},
                 .results = (const struct result_description *const[]){&BUFFER_EFFICIENCY_RESULTS, NULL},
                 BUFFER_PLAN},
        .title = "Buffer efficiency",
        .clause = "RFC 8239 3.2",
        .run = run_buffer_efficiency,
        BUFFER_ROW,
};
