/* SPDX-License-Identifier: Apache-2.0 */
/* Forward pressure (RFC 2889 section 5.6.3.2): each even port sends to the next one with an interframe gap of 88 bits,
 * one octet below the minimum, so that the device is overloaded by an octet a frame. A device that sends with gaps
 * below 96 bits to keep up exerts forward pressure.
 *
 * Frames begin on groups of 8 octets, so the gaps of a device that keeps 12 octets on average add up to at most 7
 * octets less. More than that, over all gaps of a port, is forward pressure; and so is a forwarding rate above that of
 * the line by more than those octets explain, which says the same where all frames are test frames. */
#include "host/bench/rfc2889/forward_pressure.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"
#include "host/trial/judging/sum.h"

enum { PRESSING_GAP_OCTETS = 11, GROUP_OCTETS = 8 };

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_PAIRS, .bidirectional = false, .either = true, .clause = "RFC 2889 section 5.6.3.2"};

static const struct rfc2889_settings *settings_of(const struct plan_test *test)
{
	return test->settings;
}

static struct rate pressing_rate(const struct session *session)
{
	const uint64_t octets = session->frame_octets + PREAMBLE_OCTETS;

	return rate_scale(session->max_rate, octets + MIN_GAP_OCTETS, octets + PRESSING_GAP_OCTETS);
}

static void request_pressure(void *user, const struct session *session, const struct search_request *wanted,
                             struct trial_request *request)
{
	(void)user;
	(void)wanted;
	request->kind = TRIAL_LOAD;
	request->gap_octets = PRESSING_GAP_OCTETS;
	request->load = pressing_rate(session);
	request->duration_ot = session_octet_times(session, settings_of(session->test)->trial_duration_ns);
}

static void note_trial(void *user, const struct trial_result *trial)
{
	*(const struct trial_result **)user = trial; /* the session keeps it: it is the only one */
}

static double mean_gap(const struct gap_stats *gaps)
{
	return gaps->gaps ? (double)gaps->sum_octets / (double)gaps->gaps : (double)NAN;
}

static bool presses(const struct session *session, const struct trial_port *port)
{
	const struct gap_stats *gaps = &port->rx_gap;
	const double fps = rfc2889_port_forwarding_fps(session, port, 0), line_fps = rate_fps(session->max_rate);
	const double off = (double)GROUP_OCTETS / (double)(port->rx_last_ot - port->rx_first_ot);

	return gaps->sum_octets + GROUP_OCTETS - 1 < MIN_GAP_OCTETS * gaps->gaps || fps > line_fps * (1 + off);
}

static json_t *receiver_row(const struct session *session, unsigned number, const struct trial_port *port)
{
	const struct gap_stats *gaps = &port->rx_gap;
	json_t *row = json_object();

	result_count(row, "port", number);
	json_put(row, "forward_pressure_detected", json_boolean(presses(session, port)));
	result_number(row, "forwarding_rate_fps", rfc2889_port_forwarding_fps(session, port, 0));
	result_count(row, "received_frames",
	             trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames));
	result_count(row, "gaps", gaps->gaps);
	result_count(row, "gap_min_octets", gaps->gaps ? gaps->min_octets : COUNT_UNKNOWN);
	result_number(row, "gap_mean_octets", mean_gap(gaps));
	result_count(row, "gap_max_octets", gaps->gaps ? gaps->max_octets : COUNT_UNKNOWN);
	return row;
}

/* Adds up the gaps at all ports that received test frames: their histograms have the same bins. */
static struct histogram gaps_of_device(const struct trial_result *trial)
{
	struct histogram all = {0};

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct histogram *one = &trial->port[i].rx_gap_histogram;

		if (trial->port[i].received_frames < 2 || one->width == 0)
			continue;
		all.first = one->first;
		all.width = one->width;
		all.bins = one->bins;
		all.beyond += one->beyond;
		for (uint64_t bin = 0; bin < one->bins; bin++)
			all.count[bin] += one->count[bin];
	}
	return all;
}

static void add_bin(json_t *list, uint64_t from, uint64_t to, uint64_t gaps)
{
	json_t *bin;

	if (gaps == 0)
		return;
	bin = json_object();
	result_count(bin, "from_octets", from);
	result_count(bin, "to_octets", to);
	result_count(bin, "gaps", gaps);
	json_add(list, bin);
}

static json_t *gap_histogram(const struct trial_result *trial)
{
	json_t *list = json_array();
	uint64_t from, longest = 0;
	struct histogram all;

	if (!trial)
		return list;
	all = gaps_of_device(trial);
	from = all.first;
	for (uint64_t bin = 0; bin < all.bins; bin++, from += all.width)
		add_bin(list, from, from + all.width, all.count[bin]);
	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		if (trial->port[i].received_frames >= 2 && trial->port[i].rx_gap.max_octets > longest)
			longest = trial->port[i].rx_gap.max_octets;
	add_bin(list, from, longest + 1, all.beyond);
	return list;
}

struct smallest {
	bool pressed;
	uint64_t min_octets;
	double mean_octets;
};

static struct smallest report_receivers(const struct session *session, const struct trial_result *trial, json_t *result)
{
	struct smallest smallest = {.min_octets = COUNT_UNKNOWN, .mean_octets = NAN};
	json_t *rows = json_array();

	for (unsigned i = 0; trial && i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &trial->port[i];

		if (port->received_frames < 2)
			continue;
		json_add(rows, receiver_row(session, i, port));
		smallest.pressed |= presses(session, port);
		smallest.mean_octets = fmin(smallest.mean_octets, mean_gap(&port->rx_gap));
		if (port->rx_gap.gaps && port->rx_gap.min_octets < smallest.min_octets)
			smallest.min_octets = port->rx_gap.min_octets;
	}
	json_put(result, "receivers", rows);
	return smallest;
}

static void report(const struct session *session, const struct trial_result *trial, json_t *result)
{
	const struct rfc2889_shares shares = rfc2889_shares(session->traffic);
	const struct smallest smallest = report_receivers(session, trial, result);
	const bool known = !isnan(smallest.mean_octets);
	struct counter_sums sums = {0};

	json_put(result, "forward_pressure_detected", known ? json_boolean(smallest.pressed) : json_null());
	result_number(result, "forwarding_rate_fps",
	              trial ? rfc2889_forwarding_fps(session, &session->asked, trial) : NAN);
	result_number(result, "theoretical_fps", shares.receivable * rate_fps(session->max_rate));
	result_number(result, "intended_load_fps", shares.offered * rate_fps(pressing_rate(session)));
	result_number(result, "offered_load_fps", trial ? rfc2889_offered_fps(session, &session->asked, trial) : NAN);
	result_number(result, "sent_gap_mean_octets", trial ? mean_gap(&trial->tx_gap) : NAN);
	result_count(result, "gap_min_octets", smallest.min_octets);
	result_number(result, "gap_mean_octets", smallest.mean_octets);
	json_put(result, "gap_histogram", gap_histogram(trial));
	result_number(result, "loss_percent", trial ? rfc2889_loss_percent(trial) : NAN);
	result_count(result, "flood_frames", trial ? rfc2889_flood_frames(trial) : COUNT_UNKNOWN);
	if (trial)
		counters_add(&sums, trial);
	result_counters(result, "counters", &sums);
	if (trial && !known)
		result_flag(result, "no port received two frames, so no gap, and nothing is known of Forward Pressure");
	if (smallest.pressed)
		result_flag(
		        result,
		        "Forward Pressure detected: the device sends with gaps of %.4f octets on average, below the "
		        "minimum of 12, which is 96 bits (RFC 2889 section 5.6.5)",
		        smallest.mean_octets);
}

static int run(struct session *session, struct error *error)
{
	const struct trial_result *trial = NULL;
	const struct search_points points = {.request = request_pressure, .note = note_trial, .user = &trial};
	json_t *result = result_begin(session, session->benchmark->clause), *parameters = result_parameters(session);
	int status, finished;

	result_count(parameters, "gap_octets", PRESSING_GAP_OCTETS);
	result_count(parameters, "ports", session->traffic->ports);
	result_number(parameters, "trial_duration_s", extent_seconds(settings_of(session->test)->trial_duration_ns));
	json_put(parameters, "duplex", json_string("full"));
	json_put(result, "parameters", parameters);
	status = repeat_trial(session, 1, &points, error);
	report(session, trial, result);
	if (status)
		result_invalid(result, "%s", status == SESSION_INVALID ? session->why_invalid : error->text);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static const char *cannot_send(const struct plan_test *test, uint32_t sends)
{
	(void)test;
	return sends & DEVICE_SENDS_GAP_88_BITS ? NULL : "gaps of 88 bits (RFC 2889 section 5.6.3.2)";
}

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	return rfc2889_refuse_program(plan, test, group, error);
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(settings_of(test)->trial_duration_ns);
}

static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct effort one =
	        effort_of(test, 1, trial_s(test, frame_octets, link_bps), extent_seconds(test->drain_ns));

	return (struct extent){.least = one, .most = one, .expected = one};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(trial_s(test, 0, link_bps), factor));
}

const struct benchmark RFC2889_FORWARD_PRESSURE = {
        .plan = {.keys = {.name = "rfc2889.forward_pressure", .slices = SLICES(&KEYS_TEST, &RFC2889_KEYS)},
                 .settings_size = sizeof(struct rfc2889_settings),
                 .why_no_search = "its load is given (RFC 2889 section 5.6.3.2)",
                 .why_unmixed = "RFC 2889 section 5.6.3.2 overloads a port by an octet a frame",
                 .pattern = &PATTERN,
                 .finish = finish,
                 .cannot_send = cannot_send,
                 .results = (const struct result_description *const[]){&FORWARD_PRESSURE_RESULTS, NULL}},
        .title = "Forward pressure",
        .clause = "RFC 2889 5.6.3.2",
        .point_key = "load_fps",
        .point_unit = "fps",
        .line_rate_only = true,
        .run = run,
        .traffic = rfc2889_pattern_traffic,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
