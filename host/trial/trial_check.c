/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of one trial, in this order: are the counters possible at all; did the tester offer what was requested, with
 * the requested gaps; do the counters agree with each other. trial_sum.c computes the sums for the result. */
#include "host/trial/trial_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "host/trial/trial_sum.h"
#include "host/trial/trial_traffic.h"

typedef unsigned __int128 uint128;

enum { START_ALIGN_OCTETS = 8 }; /* frames start on a group: a single gap is up to 7 octets off, the average is not */

/* Not even a trial of years at 400G counts this far; sums of a few such numbers cannot overflow. */
static const uint64_t PLAUSIBLE_LIMIT = UINT64_C(1) << 60;

/* More than a device can be asked for (tx_stop_frames). */
static const uint64_t MOST_FRAMES = UINT64_C(1) << 48;

struct verdict {
	const struct trial_request *request;
	const struct pacing *pacing;
	const struct trial_counters *counters;
	struct trial_result *result;
	uint64_t expected[TRIAL_MAX_PORTS]; /* frames that must have arrived, from those that were offered */
};

/* Keeps the first reason: later ones are often its consequence. */
static void invalid(const struct verdict *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void invalid(const struct verdict *verdict, const char *format, ...)
{
	va_list arguments;

	if (!verdict->result->valid)
		return;
	verdict->result->valid = false;
	va_start(arguments, format);
	vsnprintf(verdict->result->why_invalid, sizeof(verdict->result->why_invalid), format, arguments);
	va_end(arguments);
}

/* Octets of the first frames of a port; all ones for more than a trial can have. */
static uint64_t octets_sent(const struct verdict *verdict, unsigned port, uint64_t frames)
{
	return frames > MOST_FRAMES ? UINT64_MAX : traffic_octets(verdict->request->traffic, port, frames);
}

static void check_plausible(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const struct {
		const char *name;
		uint64_t value;
	} all[] = {
#define FPGAUGE_COUNTER_ROW(NAME, name) {#name, c->name},
	        FPGAUGE_COUNTERS(FPGAUGE_COUNTER_ROW)
#undef FPGAUGE_COUNTER_ROW
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		/* The minimum of no values is all ones; the low half of a 128-bit sum may be anything. */
		if (all[i].value == UINT64_MAX &&
		    (i == FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS || i == FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS ||
		     i == FPGAUGE_COUNTER_RX_LATENCY_MIN))
			continue;
		if (i == FPGAUGE_COUNTER_RX_LATENCY_SUM)
			continue;
		if (all[i].value >= PLAUSIBLE_LIMIT)
			invalid(verdict, "port %u: %s = %" PRIu64 ": impossible", port, all[i].name, all[i].value);
	}
}

/* The length of each frame is known, so that of all of them is. */
static void check_octets(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t octets = octets_sent(verdict, port, c->tx_frames);

	if (c->tx_octets != octets)
		invalid(verdict, "port %u: %" PRIu64 " octets in %" PRIu64 " frames sent: not %" PRIu64, port,
		        c->tx_octets, c->tx_frames, octets);
}

static void check_offered(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint64_t intended = verdict->pacing->frames;
	uint64_t off = c->tx_frames > intended ? c->tx_frames - intended : intended - c->tx_frames;
	uint64_t allowed = verdict->request->kind == TRIAL_BURST ? 0 : 1;
	uint64_t wrong = trial_traffic_wrong_fcs(verdict->request->traffic, port, c->tx_frames);

	if (c->tx_late_frames)
		invalid(verdict, "port %u: the tester was late: %" PRIu64 " frames were not ready when they were due",
		        port, c->tx_late_frames);
	if (off > allowed)
		invalid(verdict, "port %u: offered %" PRIu64 " frames, intended %" PRIu64 " (within %" PRIu64 ")", port,
		        c->tx_frames, intended, allowed);
	check_octets(verdict, port);
	if (c->tx_bad_fcs_frames != wrong)
		invalid(verdict, "port %u: %" PRIu64 " frames left with a wrong FCS, not %" PRIu64, port,
		        c->tx_bad_fcs_frames, wrong);
}

/* Compares the gaps that the line meter saw with the requested pacing and with its own start times. */
static void check_gaps_sent(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const struct pacing *pacing = verdict->pacing;
	uint64_t gaps = c->tx_frames ? c->tx_frames - 1 : 0;
	uint128 occupied = (uint128)octets_sent(verdict, port, gaps) + (uint128)gaps * PREAMBLE_OCTETS;
	uint128 asked = (uint128)gaps * ((uint128)pacing->gap_octets * pacing->denominator + pacing->numerator);
	uint128 measured = (uint128)c->tx_gap_sum_octets * pacing->denominator;
	uint128 off = measured > asked ? measured - asked : asked - measured;
	uint64_t highest = pacing->gap_octets + (pacing->numerator != 0) + START_ALIGN_OCTETS - 1;

	if (c->tx_gaps != gaps)
		invalid(verdict, "port %u: %" PRIu64 " gaps measured between %" PRIu64 " frames sent", port, c->tx_gaps,
		        c->tx_frames);
	if (gaps == 0)
		return;
	if (c->tx_last_time < c->tx_first_time || c->tx_last_time - c->tx_first_time != occupied + c->tx_gap_sum_octets)
		invalid(verdict,
		        "port %u: first start %" PRIu64 ", last start %" PRIu64 " and gaps of %" PRIu64
		        " octets in total do not agree",
		        port, c->tx_first_time, c->tx_last_time, c->tx_gap_sum_octets);
	/* Starts are ideal starts rounded down to a group, so the sum is less than one group off, however long. */
	if (off >= (uint128)START_ALIGN_OCTETS * pacing->denominator)
		invalid(verdict, "port %u: average gap %.6f octets, requested %.6f", port,
		        (double)c->tx_gap_sum_octets / (double)gaps,
		        (double)pacing->gap_octets + (double)pacing->numerator / pacing->denominator);
	if (c->tx_gap_min_octets < pacing->gap_octets &&
	    pacing->gap_octets - c->tx_gap_min_octets >= START_ALIGN_OCTETS)
		invalid(verdict, "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64, port,
		        c->tx_gap_min_octets, pacing->gap_octets);
	if (c->tx_gap_max_octets > highest || c->tx_gap_max_octets < c->tx_gap_min_octets)
		invalid(verdict, "port %u: largest gap %" PRIu64 " octets, at most %" PRIu64 " possible", port,
		        c->tx_gap_max_octets, highest);
}

static void check_classes(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint64_t classes = c->rx_foreign_frames + c->rx_other_run_frames + c->rx_wrong_length_frames +
	                   c->rx_bad_payload_frames + c->rx_wrong_port_frames + c->rx_received_frames;
	uint64_t bad = c->rx_bad_code_frames + c->rx_bad_short_frames + c->rx_bad_long_frames + c->rx_bad_fcs_frames;

	if (c->rx_frames != classes)
		invalid(verdict,
		        "port %u: rx_frames = %" PRIu64 ", but its classes add up to %" PRIu64
		        ": the snapshot is not consistent",
		        port, c->rx_frames, classes);
	if (c->rx_bad_frames != bad)
		invalid(verdict, "port %u: rx_bad_frames = %" PRIu64 ", but its classes add up to %" PRIu64, port,
		        c->rx_bad_frames, bad);
	if (c->rx_mail_frames + c->rx_mail_overflow_frames > c->rx_foreign_frames)
		invalid(verdict,
		        "port %u: %" PRIu64 " frames kept for the host and %" PRIu64 " without room among %" PRIu64
		        " foreign ones",
		        port, c->rx_mail_frames, c->rx_mail_overflow_frames, c->rx_foreign_frames);
	/* The DUT was not idle when the trial began, so this was not the requested trial. */
	if (c->rx_other_run_frames)
		invalid(verdict,
		        "port %u: %" PRIu64
		        " frames of an earlier trial arrived in this one: settle or drain is too short",
		        port, c->rx_other_run_frames);
}

static void check_latency(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint128 sum = (uint128)c->rx_latency_sum_high << 64 | c->rx_latency_sum;

	if (c->rx_latency_frames != c->rx_received_frames)
		invalid(verdict, "port %u: latency of %" PRIu64 " frames, but %" PRIu64 " were received", port,
		        c->rx_latency_frames, c->rx_received_frames);
	if (c->rx_latency_frames == 0)
		return;
	if (c->rx_latency_min > c->rx_latency_max || sum < (uint128)c->rx_latency_min * c->rx_latency_frames ||
	    sum > (uint128)c->rx_latency_max * c->rx_latency_frames)
		invalid(verdict, "port %u: latency min %" PRIu64 ", max %" PRIu64 " and their sum do not agree", port,
		        c->rx_latency_min, c->rx_latency_max);
	if (c->rx_last_time < c->rx_first_time)
		invalid(verdict, "port %u: last frame arrived at %" PRIu64 ", before the first at %" PRIu64, port,
		        c->rx_last_time, c->rx_first_time);
}

/* Of the frames offered that must arrive here: offered = received - duplicated - late + lost + those lost after the
 * last one received of each stream. */
static void check_received(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint64_t offered = verdict->expected[port];
	uint64_t distinct = trial_distinct_received(c->rx_received_frames, c->rx_duplicated_frames, c->rx_late_frames);

	if (c->rx_duplicated_frames + c->rx_late_frames > c->rx_received_frames)
		invalid(verdict, "port %u: %" PRIu64 " duplicated and %" PRIu64 " late among %" PRIu64 " received",
		        port, c->rx_duplicated_frames, c->rx_late_frames, c->rx_received_frames);
	if (distinct > offered)
		invalid(verdict,
		        "port %u: received %" PRIu64 " frames without duplicates, but %" PRIu64 " were offered", port,
		        distinct, offered);
	if (distinct + c->rx_lost_frames > offered)
		invalid(verdict, "port %u: received %" PRIu64 " and lost %" PRIu64 " of %" PRIu64 " frames offered",
		        port, distinct, c->rx_lost_frames, offered);
}

static void check_stream(const struct verdict *verdict, const struct stream_counters *stream)
{
	uint64_t limit = PLAUSIBLE_LIMIT;

	if (stream->sent >= limit || stream->received >= limit || stream->lost >= limit ||
	    stream->duplicated >= limit || stream->late >= limit || stream->next >= limit)
		invalid(verdict, "port %u stream %u: an impossible counter", stream->source_port, stream->entry);
	else if (stream->next + stream->duplicated + stream->late != stream->received + stream->lost)
		invalid(verdict,
		        "port %u stream %u: next %" PRIu64 " is not received %" PRIu64 " - duplicated %" PRIu64
		        " - late %" PRIu64 " + lost %" PRIu64,
		        stream->source_port, stream->entry, stream->next, stream->received, stream->duplicated,
		        stream->late, stream->lost);
	else if (stream->next > stream->sent)
		invalid(verdict, "port %u stream %u: sequence reached %" PRIu64 ", but %" PRIu64 " frames were sent",
		        stream->source_port, stream->entry, stream->next, stream->sent);
}

/* Whether every stream was read wherever it must arrive. */
static bool every_stream_was_read(const struct traffic *traffic)
{
	for (unsigned port = 0; port < traffic->ports; port++) {
		const struct traffic_port *from = &traffic->port[port];

		if (from->flows > TRIAL_MAX_STREAMS_READ)
			return false;
		for (unsigned flow = 0; flow < from->flows; flow++)
			if (from->flow[flow].arrives == 0 ||
			    (from->flow[flow].arrives & (from->flow[flow].arrives - 1)) != 0)
				return false;
	}
	return true;
}

/* Compares tables with totals. */
static void check_tables(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint64_t sent = 0, received = 0, lost = 0;

	for (size_t i = 0; i < verdict->counters->stream_count; i++) {
		const struct stream_counters *stream = &verdict->counters->stream[i];

		if (stream->source_port == port)
			sent += stream->sent;
		if (stream->receiver_port == port) {
			received += stream->received;
			lost += stream->lost;
		}
	}
	if (sent != c->tx_frames)
		invalid(verdict, "port %u: streams sent %" PRIu64 " frames, the line %" PRIu64, port, sent,
		        c->tx_frames);
	if (received != c->rx_received_frames || lost != c->rx_lost_frames)
		invalid(verdict,
		        "port %u: streams received %" PRIu64 " and lost %" PRIu64 ", the totals are %" PRIu64
		        " and %" PRIu64,
		        port, received, lost, c->rx_received_frames, c->rx_lost_frames);
}

/* Frames that must have arrived, from those that left. Impossible counters give any numbers. */
static void expect_frames(struct verdict *verdict)
{
	uint64_t offered[TRAFFIC_MAX_PORTS] = {0};

	for (unsigned port = 0; port < verdict->counters->ports; port++)
		offered[port] = verdict->counters->port[port].tx_frames;
	traffic_expected(verdict->request->traffic, offered, verdict->expected);
}

void trial_judge(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps,
                 const struct trial_counters *counters, struct trial_result *result)
{
	const struct traffic *traffic = request->traffic;
	struct verdict verdict = {.request = request, .pacing = pacing, .counters = counters, .result = result};

	expect_frames(&verdict);
	*result = (struct trial_result){.valid = true, .ports = counters->ports, .intended_fps = pacing->fps};
	for (unsigned port = 0; port < counters->ports; port++)
		check_plausible(&verdict, port);
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		if (traffic_sends(traffic, port)) {
			check_offered(&verdict, port);
			check_gaps_sent(&verdict, port);
		} else if (counters->port[port].tx_frames) {
			invalid(&verdict, "port %u: offered %" PRIu64 " frames, but it does not send in this trial",
			        port, counters->port[port].tx_frames);
		}
	}
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		check_classes(&verdict, port);
		check_latency(&verdict, port);
		check_received(&verdict, port);
	}
	for (size_t i = 0; i < counters->stream_count && result->valid; i++)
		check_stream(&verdict, &counters->stream[i]);
	for (unsigned port = 0; port < counters->ports && result->valid && every_stream_was_read(traffic); port++)
		check_tables(&verdict, port);
	trial_sum(request, pacing, link_bps, counters, verdict.expected, result);
}

static void check_total(const struct verdict *verdict, unsigned port, const char *what, uint64_t total,
                        uint64_t measured)
{
	if (total != measured)
		invalid(verdict, "port %u: the histogram of %s holds %" PRIu64 ", but %" PRIu64 " were measured", port,
		        what, total, measured);
}

static void check_histogram(const struct verdict *verdict, unsigned port, const char *what,
                            const struct histogram *histogram, uint64_t measured)
{
	if (histogram->width != 0)
		check_total(verdict, port, what, histogram_total(histogram), measured);
}

void trial_judge_histograms(struct trial_result *result)
{
	const struct verdict verdict = {.result = result};

	for (unsigned i = 0; i < result->ports && result->valid; i++) {
		const struct trial_port *port = &result->port[i];

		check_histogram(&verdict, i, "latencies", &port->latency_histogram, port->latency.frames);
		if (port->latency_octaves.bins)
			check_total(&verdict, i, "latencies by octaves", octaves_total(&port->latency_octaves),
			            port->latency.frames);
		check_histogram(&verdict, i, "gaps", &port->tx_gap_histogram, port->tx_gap.gaps);
	}
}
