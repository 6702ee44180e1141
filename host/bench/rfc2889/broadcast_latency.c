/* SPDX-License-Identifier: Apache-2.0 */
/* Broadcast frame latency (RFC 2889 section 5.10.3): one frame from port 0 to the broadcast address, and its latency to
 * each other port. */
#include "host/bench/rfc2889/broadcast_latency.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/broadcast.h"
#include "host/plan/key_slices.h"
#include "host/result/common.h"
#include "host/trial/judging/sum.h"

struct broadcast_latency_settings {
	unsigned repetitions;
};
#define SETTINGS struct broadcast_latency_settings

static const struct plan_key KEYS[] = {
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "1000"}},
         .unit = "frames",
         .default_text = "1",
         .doc = "How many single frames are sent, one a trial (RFC 2889 section 5.10.3: one)."},
};
static const struct key_slice BROADCAST_LATENCY_KEYS = {OWN_SLICE(KEYS)};

static const struct broadcast_latency_settings *settings_of(const struct plan_test *test)
{
	return test->settings;
}

/* -- what it reports ---------------------------------------------------------------------------------------------- */

static const struct metric A_RECEIVER[] = {
        {"port", "Port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"received_frames", "Received, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        LATENCY_ITEMS,
};
static const struct metric_slice A_RECEIVER_METRICS = METRIC_SLICE(A_RECEIVER);

static const struct metric METRICS[] = {
        {"frame_time_ns", "Frame time", METRIC_NS, .places = 2, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "preamble and frame at the speed of the link: a device that stores and forwards has at least this "
                    "latency, first octet in to first octet out"},
        {"latency_min_ns", "Latency min", METRIC_NS, .places = 2, .better = BETTER_LESS, .spread = 0.05,
         .meaning = "smallest latency of a broadcast frame to any port; first octet in to first octet out"},
        {"latency_mean_ns", "Latency mean", METRIC_NS, .places = 2, .better = BETTER_LESS, .spread = 0.05,
         .meaning = "mean over all ports and frames"},
        {"latency_max_ns", "Latency max", METRIC_NS, .places = 2, .better = BETTER_LESS, .spread = 0.05,
         .meaning = "largest latency to any port; null if no frame arrived"},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .meaning = "copies that did not arrive, over all ports"},
        {"receivers", "Receiving ports", METRIC_LIST, .definition = "broadcast_latency_receiver",
         .items = &A_RECEIVER_METRICS,
         .meaning = "each receiving port: `port`, `received_frames`, `lost_frames`, and the smallest, mean and largest "
                    "latency of the frames to it"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of all these trials"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_WITHOUT_SEARCH,
        RFC2889_PARAMETERS,
        {"Trials", "{repetitions}, each of one frame", false},
        {0},
};
static const struct result_chart CHART = {
        .name = "broadcast_latency",
        .title = "Broadcast latency over frame size",
        .description =
                "The latency of single broadcast frames to the receiving ports, first octet in to first octet out, "
                "above the least that a device which stores and forwards can have (RFC 2889 section 5.10.5). The "
                "points are in the table below.",
        .y_label = "frame latency",
        .series = (const struct result_series[]){{"time of the frame on the link", MARK_DASHES, "frame_time_ns", NULL,
                                                  NULL, true},
                                                 {"mean, with minimum and maximum", MARK_RANGES, "latency_mean_ns",
                                                  "latency_min_ns", "latency_max_ns", false},
                                                 {0}},
};
static const struct result_table TABLE = {
        .name = "broadcast_latency",
        .caption = "Latency of a broadcast frame over frame size",
        .columns =
                COLUMNS({.key = "frame_octets", .sql = true}, {.key = "latency_min_ns", .sql = true},
                        {.key = "latency_mean_ns", .sql = true}, {.key = "latency_max_ns", .sql = true},
                        {.key = "frame_time_ns"}, {.key = "lost_frames", .sql = true}, {.key = "valid", .sql = true}),
};
static const struct result_listing RECEIVER_ROWS = {
        .list = "receivers",
        .caption = "By receiving port",
        .items = &A_RECEIVER_METRICS,
        .always = true,
};
static const struct result_description RESULTS = {
        .test = "rfc2889.broadcast_latency",
        .title = "Broadcast latency",
        .clause = "RFC 2889 section 5.10",
        .answer = "latency_max_ns",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&RECEIVER_ROWS, NULL},
        .sql = "rfc2889_broadcast_latency",
};

/* -- what it does ------------------------------------------------------------------------------------------------- */

struct broadcasts {
	struct latency_stats all, port[TRIAL_MAX_PORTS];
	uint64_t received[TRIAL_MAX_PORTS];
	unsigned ports;
	struct counter_sums sums;
};

static void request_frame(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	(void)user;
	(void)session;
	(void)wanted;
	request->kind = TRIAL_BURST;
	request->burst_frames = 1;
}

static void note_trial(void *user, const struct trial_result *trial)
{
	struct broadcasts *broadcasts = user;

	broadcasts->ports = trial->ports;
	counters_add(&broadcasts->sums, trial);
	for (unsigned i = 1; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &trial->port[i];

		broadcasts->received[i] +=
		        trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);
		trial_add_latency(&broadcasts->port[i], &port->latency);
		trial_add_latency(&broadcasts->all, &port->latency);
	}
}

static void report(const struct session *session, const struct broadcasts *broadcasts, json_t *result)
{
	const uint64_t link_bps = session_link_bps(session);
	json_t *rows = json_array();

	result_number(result, "frame_time_ns", session_ns(session, session->frame_octets + PREAMBLE_OCTETS));
	result_row_latency(result, &broadcasts->all, link_bps);
	result_count(result, "lost_frames", broadcasts->sums.trials ? broadcasts->sums.lost_frames : COUNT_UNKNOWN);
	for (unsigned i = 1; i < broadcasts->ports && i < TRIAL_MAX_PORTS; i++) {
		const uint64_t sent = broadcasts->sums.offered_frames, received = broadcasts->received[i];
		json_t *row = json_object();

		result_count(row, "port", i);
		result_count(row, "received_frames", received);
		result_count(row, "lost_frames", sent > received ? sent - received : 0);
		result_row_latency(row, &broadcasts->port[i], link_bps);
		json_add(rows, row);
	}
	json_put(result, "receivers", rows);
	result_counters(result, "counters", &broadcasts->sums);
	if (broadcasts->sums.lost_frames)
		result_flag(result, "not every port received every broadcast frame: latencies are those of the others");
}

static int run(struct session *session, struct error *error)
{
	const unsigned repetitions = settings_of(session->test)->repetitions;
	struct broadcasts broadcasts = {0};
	const struct search_points points = {.request = request_frame, .note = note_trial, .user = &broadcasts};
	json_t *result = result_begin(session, session->benchmark->clause), *parameters = result_parameters(session);
	int status, finished;

	result_count(parameters, "ports", session->traffic->ports);
	result_count(parameters, "repetitions", repetitions);
	json_put(parameters, "duplex", json_string("full"));
	json_put(result, "parameters", parameters);
	status = repeat_trial(session, repetitions, &points, error);
	report(session, &broadcasts, result);
	if (status)
		result_invalid(result, "ended after %u of %u frames: %s", (unsigned)broadcasts.sums.trials, repetitions,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	return broadcast_check_plan(plan, test, group, error);
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return 1 / rate_fps(plan_max_rate(test, frame_octets, link_bps));
}

static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double frames = settings_of(test)->repetitions, each_s = trial_s(test, frame_octets, link_bps);

	return (struct extent){.least = effort_of(test, frames, each_s, 0),
	                       .most = effort_of(test, frames, each_s, extent_seconds(test->drain_ns)),
	                       .expected = effort_of(test, frames, each_s, 0)};
}

/* A frame cannot be shorter. */
static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	(void)test;
	(void)factor;
	(void)link_bps;
	(void)settings;
}

const struct benchmark RFC2889_BROADCAST_LATENCY = {
        .plan = {.keys = {.name = "rfc2889.broadcast_latency", .slices = SLICES(&KEYS_TEST, &BROADCAST_LATENCY_KEYS)},
                 .settings_size = sizeof(struct broadcast_latency_settings),
                 .why_no_search = "it sends one frame (RFC 2889 section 5.10.3)",
                 .why_unmixed = "RFC 2889 section 5.10.5 reports results over the frame size",
                 .pattern = &BROADCAST_PATTERN,
                 .finish = finish,
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "Broadcast latency",
        .clause = "RFC 2889 5.10",
        .point_key = "burst_frames",
        .point_unit = "frames",
        .line_rate_only = true,
        .run = run,
        .traffic = broadcast_traffic,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
