/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, rates and counts that the tests of RFC 2889 share. */
#include "host/bench/rfc2889/rfc2889_common.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"
#include "host/trial/judging/sum.h"

#define SETTINGS struct rfc2889_settings

static const struct plan_key KEYS[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "30s",
         .doc = "Length of the trials that settle the result (RFC 2889 section 5.1.2: 1 to 300 s)."},
};
const struct key_slice RFC2889_KEYS = {OWN_SLICE(KEYS)};

int rfc2889_refuse_program(const struct plan *plan, const struct plan_test *test, const struct node *group,
                           struct error *error)
{
	if (!plan->exec.command)
		return 0;
	return plan_complain(error, node_child(group, "test"), "test",
	                     "must not be \"%s\" with backend = \"exec\": an external program reports the sums of all "
	                     "ports, and each port must count apart what it received and what was flooded to it (RFC "
	                     "2889 section 5.1.4)",
	                     plan_test_name(test));
}

int rfc2889_pattern_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	(void)test;
	(void)traffic;
	(void)error;
	return 0;
}

double rfc2889_port_forwarding_fps(const struct session *session, const struct trial_port *port, double pause_s)
{
	const uint64_t received =
	        trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);

	if (received < 2 || port->rx_last_ot <= port->rx_first_ot)
		return NAN;
	/* A burst with its pause is received in as much time as it is sent: then every frame counts, as does every gap.
	 */
	return (double)(received - (pause_s <= 0)) /
	       (session_seconds(session, port->rx_last_ot - port->rx_first_ot) + pause_s);
}

double rfc2889_port_offered_fps(const struct session *session, const struct trial_request *request,
                                const struct trial_port *port)
{
	const bool bursts = request->kind == TRIAL_BURST && trial_bursts(request) > 1;
	const uint64_t last = bursts ? request->burst_frames : 1;
	/* The time from the start of the last burst to that of its last frame. */
	const double within_s = (double)(last - 1) / rate_fps(session->max_rate);

	if (port->offered_frames <= last || port->tx_last_ot <= port->tx_first_ot)
		return NAN;
	return (double)(port->offered_frames - last) /
	       (session_seconds(session, port->tx_last_ot - port->tx_first_ot) - within_s);
}

static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

/* The time from the last frame of a burst to the first of the next. A device that loses frames has some in its
 * buffer, so they leave without a pause. */
static double pause_of(const struct session *session, const struct trial_request *request,
                       const struct trial_result *trial)
{
	if (request->kind != TRIAL_BURST || trial_bursts(request) < 2 || trial->lost_frames)
		return 0;
	return 1 / rate_fps(session->max_rate) +
	       session_seconds(session, request->burst_gap_octets - request->gap_octets);
}

double rfc2889_forwarding_fps(const struct session *session, const struct trial_request *request,
                              const struct trial_result *trial)
{
	const double pause_s = pause_of(session, request, trial);
	double sum = NAN;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		add(&sum, rfc2889_port_forwarding_fps(session, &trial->port[i], pause_s));
	/* Frames that never came were forwarded at a rate of 0; one frame a port has no rate. */
	return isnan(sum) && trial->received_frames == 0 ? 0 : sum;
}

static unsigned arrivals(const struct traffic *traffic)
{
	unsigned ports = 0;

	for (unsigned from = 0; from < traffic->ports; from++)
		for (unsigned flow = 0; flow < traffic->port[from].ordered; flow++)
			ports |= traffic->port[from].flow[flow].arrives;
	return ports;
}

double rfc2889_lowest_forwarding_fps(const struct session *session, const struct trial_request *request,
                                     const struct trial_result *trial)
{
	const unsigned ports = arrivals(session->traffic);
	const double pause_s = pause_of(session, request, trial);
	double lowest = NAN;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const double fps = rfc2889_port_forwarding_fps(session, &trial->port[i], pause_s);

		if (ports >> i & 1)
			lowest = fmin(lowest, isnan(fps) ? 0 : fps);
	}
	return lowest;
}

double rfc2889_offered_fps(const struct session *session, const struct trial_request *request,
                           const struct trial_result *trial)
{
	double sum = NAN;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		if (trial->port[i].sent)
			add(&sum, rfc2889_port_offered_fps(session, request, &trial->port[i]));
	return sum;
}

uint64_t rfc2889_flood_frames(const struct trial_result *trial)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		frames += trial->port[i].wrong_port_frames;
	return frames;
}

double rfc2889_start_spread_ns(const struct session *session, const struct trial_result *trial)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &trial->port[i];

		if (!port->sent || port->offered_frames == 0)
			continue;
		first = port->tx_first_ot < first ? port->tx_first_ot : first;
		last = port->tx_first_ot > last ? port->tx_first_ot : last;
	}
	return first > last ? (double)NAN : session_ns(session, last - first);
}

double rfc2889_loss_percent(const struct trial_result *trial)
{
	return ratio_percent(trial->lost_frames, (uint128)trial->received_frames + trial->lost_frames);
}

struct rfc2889_shares rfc2889_shares(const struct traffic *traffic)
{
	double arriving[TRAFFIC_MAX_PORTS] = {0};
	struct rfc2889_shares shares = {0};

	for (unsigned from = 0; from < traffic->ports; from++) {
		const struct traffic_port *port = &traffic->port[from];

		shares.offered += traffic_sends(traffic, from);
		for (unsigned flow = 0; flow < port->ordered; flow++) {
			const unsigned arrives = port->flow[flow].arrives;

			shares.copied |= (arrives & (arrives - 1)) != 0;
			for (unsigned to = 0; to < traffic->ports; to++)
				if (arrives >> to & 1)
					arriving[to] += 1.0 / port->ordered;
		}
	}
	for (unsigned to = 0; to < traffic->ports; to++)
		shares.receivable += fmin(arriving[to], 1);
	return shares;
}

/* -- port by port ------------------------------------------------------------------------------------------------- */

static const struct metric A_PAIR[] = {
        {"source_port", "From port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"destination_port", "To port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"offered_frames", "Offered, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"received_frames", "Received", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"flooded_frames", "Flooded", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
};
static const struct metric_slice A_PAIR_METRICS = METRIC_SLICE(A_PAIR);

static const struct metric MATRIX[] = {
        {"matrix", "Port by port", METRIC_LIST, .definition = "port_pair", .items = &A_PAIR_METRICS,
         .meaning = "for each sending port and each port to which it sends, in the same trial as `ports`: "
                    "`source_port`, `destination_port`, `offered_frames`, `received_frames` without duplicates, "
                    "`lost_frames`, and `flooded_frames`, copies of these frames that came to any other port. Empty "
                    "with more flows than a trial keeps, 256"},
};
const struct metric_slice RFC2889_MATRIX_METRICS = METRIC_SLICE(MATRIX);

const struct result_listing RFC2889_MATRIX_ROWS = {
        .list = "matrix",
        .caption = "Port by port, at the maximum offered load",
        .items = &A_PAIR_METRICS,
        .worst = "lost_frames",
        .most = 8,
        .which = "those that lost most",
        .matrix = &(const struct result_matrix){.caption = "Loss port by port, at the maximum offered load, percent",
                                                .row = "source_port",
                                                .column = "destination_port",
                                                .part = "lost_frames",
                                                .whole = "offered_frames"},
};

const struct result_listing RFC2889_PORT_ROWS = {
        .list = "ports",
        .caption = "By port, at the maximum offered load",
        .columns = COLUMNS({.key = "port", .heading = "Port"}, {.key = "offered_frames", .heading = "Offered, frames"},
                           {.key = "received_frames", .heading = "Received"}, {.key = "lost_frames", .heading = "Lost"},
                           {.key = "wrong_port_frames", .heading = "Flooded"},
                           {.key = "latency_min_ns", .heading = "Latency min"},
                           {.key = "latency_mean_ns", .heading = "Latency mean"},
                           {.key = "latency_max_ns", .heading = "Latency max"}),
};

struct pair_counts {
	bool sent;
	uint64_t offered, received, lost, flooded;
};

static json_t *pair_row(unsigned from, unsigned to, const struct pair_counts *counts)
{
	json_t *row = json_object();

	result_count(row, "source_port", from);
	result_count(row, "destination_port", to);
	result_count(row, "offered_frames", counts->offered);
	result_count(row, "received_frames", counts->received);
	result_count(row, "lost_frames", counts->lost);
	result_count(row, "flooded_frames", counts->flooded);
	return row;
}

static void add_flow(struct pair_counts *counts, const struct trial_flow *flow)
{
	counts->sent = true;
	counts->offered += flow->offered_frames;
	counts->received += flow->received_frames;
	counts->lost += flow->lost_frames;
	counts->flooded += flow->wrong_port_frames;
}

void rfc2889_matrix(json_t *result, const struct trial_result *trial)
{
	struct pair_counts counts[TRIAL_MAX_PORTS][TRIAL_MAX_PORTS] = {0};
	json_t *rows = json_array();
	const bool all = trial && trial->flow_count == trial->flows;

	for (unsigned i = 0; all && i < trial->flows; i++)
		for (unsigned to = 0; to < TRIAL_MAX_PORTS; to++)
			if (trial->flow[i].arrives == 1u << to && trial->flow[i].port < TRIAL_MAX_PORTS)
				add_flow(&counts[trial->flow[i].port][to], &trial->flow[i]);
	for (unsigned from = 0; from < TRIAL_MAX_PORTS; from++)
		for (unsigned to = 0; to < TRIAL_MAX_PORTS; to++)
			if (counts[from][to].sent)
				json_add(rows, pair_row(from, to, &counts[from][to]));
	json_put(result, "matrix", rows);
}
