/* SPDX-License-Identifier: Apache-2.0 */
/* Partially meshed multiple devices (RFC 2889 section 5.3): two devices joined by an uplink. With local traffic each
 * port sends to all others, as in a full mesh; without, only to those of the other device, in turn. The procedure is in
 * forwarding.h. */
#include "host/bench/rfc2889/multiple_devices.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/forwarding.h"
#include "host/bench/rfc2889/two_devices.h"
#include "host/plan/key_slices.h"
#include "host/trial/judging/sum.h"

struct multiple_devices_settings {
	struct forwarding_settings forwarding; /* first, for its keys */
	unsigned first_ports;                  /* ports of the first device; 0: half of all */
	bool local_traffic;
};
#define SETTINGS struct multiple_devices_settings

static const struct plan_key KEYS[] = {
        {.name = "first_device_ports",
         .value = COUNT(first_ports),
         .ranges = {{"0", "15"}},
         .unit = "ports",
         .default_text = "0",
         .doc = "Ports 0 and up at the first device; the others are at the second one. 0: half of them."},
        {.name = "local_traffic",
         .value = BOOL(local_traffic),
         .default_text = "false",
         .doc = "Ports also send to those at their own device, as in a full mesh (RFC 2889 section 5.3.2); else all "
                "frames "
                "cross the uplink."},
};
static const struct key_slice MULTIPLE_DEVICES_KEYS = {OWN_SLICE(KEYS)};

static unsigned first_ports_of(const struct plan_test *test, unsigned ports)
{
	const struct multiple_devices_settings *settings = test->settings;

	return settings->first_ports ? settings->first_ports : ports / 2;
}

static int two_devices_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	const struct multiple_devices_settings *settings = test->settings;
	const unsigned first = first_ports_of(test, traffic->ports);

	if (first >= traffic->ports)
		return error_set(
		        error, ERROR_PLAN,
		        "first_device_ports = %u: must be below the number of ports, %u, so that there are some "
		        "at the second device (RFC 2889 section 5.3)",
		        first, traffic->ports);
	if (!settings->local_traffic)
		two_devices_remote_only(traffic, first);
	return 0;
}

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 2889 section 5.3.3"};

static const struct metric A_GROUP[] = {
        {"traffic", "Traffic", METRIC_TEXT, .known = KNOWN_ALWAYS},
        {"offered_frames", "Offered, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"received_frames", "Received", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"loss_percent", "Loss, %", METRIC_PERCENT, .places = 5},
        LATENCY_ITEMS,
};
static const struct metric_slice A_GROUP_METRICS = METRIC_SLICE(A_GROUP);

static const struct metric OWN[] = {
        {"groups", "Local and remote traffic", METRIC_LIST, .definition = "traffic_group", .items = &A_GROUP_METRICS,
         .meaning = "`local` traffic, between ports of the same device, if there is some, and `remote` traffic, which "
                    "crosses the uplink: sums over the rows of `matrix`, with `loss_percent` of the offered frames, "
                    "and the latencies of the received ones. Empty with more flows than a trial keeps, 256"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(OWN);

static const struct result_listing GROUP_ROWS = {
        .list = "groups",
        .caption = "Local and remote traffic, at the maximum offered load",
        .items = &A_GROUP_METRICS,
        .always = true,
};

static const struct result_description RESULTS = {
        .test = "rfc2889.multiple_devices",
        .title = "Multiple devices",
        .clause = "RFC 2889 section 5.3",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = (const struct metric_slice *const[]){&FORWARDING_METRICS, &LOAD_RANGE_METRICS,
                                                        &FORWARDING_INTENDED_METRICS, &OWN_METRICS,
                                                        &RFC2889_MATRIX_METRICS, &PORT_METRICS, &COUNTER_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = FORWARDING_PARAMETERS,
        .views = FORWARDING_VIEWS,
        .listings = (const struct result_listing *const[]){&FORWARDING_LOAD_ROWS, &GROUP_ROWS, &RFC2889_MATRIX_ROWS,
                                                           &RFC2889_PORT_ROWS, NULL},
        FORWARDING_SQL("rfc2889_multiple_devices"),
};

struct group_counts {
	uint64_t offered, received, lost;
	struct latency_stats latency;
};

static void add_flow(struct group_counts *group, const struct trial_flow *flow)
{
	group->offered += flow->offered_frames;
	group->received += flow->received_frames;
	group->lost += flow->lost_frames;
	trial_add_latency(&group->latency, &flow->latency);
}

static json_t *group_row(const struct session *session, const char *traffic, const struct group_counts *group)
{
	json_t *row = json_object();

	json_put(row, "traffic", json_string(traffic));
	result_count(row, "offered_frames", group->offered);
	result_count(row, "received_frames", group->received);
	result_count(row, "lost_frames", group->lost);
	result_number(row, "loss_percent", ratio_percent(group->lost, group->offered));
	result_row_latency(row, &group->latency, session_link_bps(session));
	return row;
}

static void report_groups(const struct forwarding *forwarding, json_t *result)
{
	const struct session *session = forwarding->session;
	const struct multiple_devices_settings *settings = session->test->settings;
	const unsigned first = first_ports_of(session->test, session->traffic->ports);
	const struct trial_result *mol = forwarding->mol;
	const bool all = mol && mol->flow_count == mol->flows;
	struct group_counts local = {0}, remote = {0};
	json_t *rows = json_array();

	for (unsigned i = 0; all && i < mol->flows; i++) {
		const struct trial_flow *flow = &mol->flow[i];
		const bool to_first = (flow->arrives & ((1u << first) - 1)) != 0;

		add_flow((flow->port < first) == to_first ? &local : &remote, flow);
	}
	if (all && settings->local_traffic)
		json_add(rows, group_row(session, "local", &local));
	if (all)
		json_add(rows, group_row(session, "remote", &remote));
	json_put(result, "groups", rows);
}

static void report_devices(const struct forwarding *forwarding, json_t *result)
{
	const struct session *session = forwarding->session;
	const struct multiple_devices_settings *settings = session->test->settings;
	json_t *parameters = json_object_get(result, "parameters");

	result_count(parameters, "first_device_ports", first_ports_of(session->test, session->traffic->ports));
	json_put(parameters, "local_traffic", json_string(settings->local_traffic ? "on" : "off"));
	report_groups(forwarding, result);
	rfc2889_matrix(result, forwarding->mol);
}

static int run(struct session *session, struct error *error)
{
	return forwarding_run_with(session, report_devices, error);
}

const struct benchmark RFC2889_MULTIPLE_DEVICES = {
        .plan = {.keys = {.name = "rfc2889.multiple_devices",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &KEYS_LOAD_RANGE, &RFC2889_KEYS,
                                           &FORWARDING_KEYS, &FORWARDING_LOAD_KEYS, &FORWARDING_BURST_KEYS,
                                           &FORWARDING_STEP_KEYS, &MULTIPLE_DEVICES_KEYS)},
                 .settings_size = sizeof(struct multiple_devices_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = FORWARDING_WHY_SEARCHES,
                 .why_unmixed = FORWARDING_UNMIXED,
                 .pattern = &PATTERN,
                 .finish = forwarding_finish,
                 .results = (const struct result_description *const[]){&RESULTS, NULL}},
        .title = "Multiple devices",
        .clause = "RFC 2889 5.3",
        .traffic = two_devices_traffic,
        .run = run,
        FORWARDING_ROW_OF_LOADS,
};
