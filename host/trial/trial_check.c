/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of one trial, in this order: are the counters possible at all; did the tester offer what was requested, with
 * the requested gaps; do the counters agree with each other. trial_sum.c computes the sums for the result. */
#include "host/trial/trial_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "host/neighbours/neighbour_frame.h"
#include "host/trial/gaps_asked.h"
#include "host/trial/trial_sum.h"
#include "host/trial/trial_traffic.h"

enum {
	HOST_SHARE = 100, /* at most one frame in so many is of the host, or one at all: else it was another load */
};

/* Not even a trial of years at 400G counts this far; sums of a few such numbers cannot overflow. */
static const uint64_t PLAUSIBLE_LIMIT = UINT64_C(1) << 60;

/* More than a device can be asked for (tx_stop_frames). */
static const uint64_t MOST_FRAMES = UINT64_C(1) << 48;

struct verdict {
	const struct trial_request *request;
	const struct pacing *pacing;
	const struct trial_counters *counters;
	struct trial_result *result;
	struct trial_expected expected; /* from the frames that were offered */
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

/* Answers to neighbours take places of test frames. A burst of which one was taken is another burst. */
static void check_host_frames(const struct verdict *verdict, unsigned port)
{
	const uint64_t host = verdict->counters->host_frames[port], own = trial_test_frames(verdict->counters, port);

	if (host > verdict->counters->port[port].tx_frames)
		invalid(verdict, "port %u: %" PRIu64 " answers to neighbours among %" PRIu64 " frames sent", port, host,
		        verdict->counters->port[port].tx_frames);
	else if (host && !traffic_sends(verdict->request->traffic, port))
		return;
	else if (host && verdict->request->kind == TRIAL_BURST)
		invalid(verdict, "port %u: %" PRIu64 " answers to neighbours took places of the burst", port, host);
	else if (host > 1 && host > own / HOST_SHARE)
		invalid(verdict, "port %u: %" PRIu64 " answers to neighbours beside %" PRIu64 " test frames: too many",
		        port, host, own);
}

/* The length of each frame is known, so that of all of them is. */
static void check_octets(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t octets = octets_sent(verdict, port, trial_test_frames(verdict->counters, port)) +
	                        verdict->counters->host_frames[port] * NEIGHBOUR_FRAME_OCTETS;

	if (c->tx_octets != octets)
		invalid(verdict, "port %u: %" PRIu64 " octets in %" PRIu64 " frames sent: not %" PRIu64, port,
		        c->tx_octets, c->tx_frames, octets);
}

/* Test frames that a port must have sent, within *allowed. */
static uint64_t frames_intended(const struct verdict *verdict, unsigned port, uint64_t *allowed)
{
	const struct pacing *pacing = verdict->pacing;
	const uint64_t host = verdict->counters->host_frames[port];

	*allowed = verdict->request->kind == TRIAL_BURST ? 0 : 1;
	if (host == 0)
		return pacing->frames[port];
	if (!pacing->next_ot)
		return pacing_frames_beside(verdict->request, pacing, port, host, NEIGHBOUR_FRAME_OCTETS);
	/* An answer takes as much time as two frames at most; at which of the two loads is not known. */
	*allowed += 2 * host;
	return pacing->frames[port] > host ? pacing->frames[port] - host : 0;
}

static void check_offered(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t own = trial_test_frames(verdict->counters, port);
	uint64_t allowed;
	const uint64_t intended = frames_intended(verdict, port, &allowed);
	const uint64_t off = own > intended ? own - intended : intended - own;
	uint64_t wrong = trial_traffic_wrong_fcs(verdict->request->traffic, port, own);

	if (c->tx_late_frames)
		invalid(verdict, "port %u: the tester was late: %" PRIu64 " frames were not ready when they were due",
		        port, c->tx_late_frames);
	if (off > allowed)
		invalid(verdict, "port %u: offered %" PRIu64 " frames, intended %" PRIu64 " (within %" PRIu64 ")", port,
		        own, intended, allowed);
	check_octets(verdict, port);
	if (c->tx_bad_fcs_frames != wrong)
		invalid(verdict, "port %u: %" PRIu64 " frames left with a wrong FCS, not %" PRIu64, port,
		        c->tx_bad_fcs_frames, wrong);
}

/* Octets of all frames of a port but the last one, with their preambles. That may be a frame of the host. */
static uint128 octets_before_last(const struct verdict *verdict, unsigned port, bool last_is_host)
{
	const uint64_t host = verdict->counters->host_frames[port] - last_is_host;
	const uint64_t own = trial_test_frames(verdict->counters, port) - !last_is_host;

	return (uint128)octets_sent(verdict, port, own) + (uint128)host * NEIGHBOUR_FRAME_OCTETS +
	       ((uint128)host + own) * PREAMBLE_OCTETS;
}

static bool times_agree(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t between = c->tx_last_time - c->tx_first_time;

	return c->tx_last_time >= c->tx_first_time &&
	       ((trial_test_frames(verdict->counters, port) &&
	         between == octets_before_last(verdict, port, false) + c->tx_gap_sum_octets) ||
	        (verdict->counters->host_frames[port] &&
	         between == octets_before_last(verdict, port, true) + c->tx_gap_sum_octets));
}

/* Compares the gaps that the line meter saw with the requested pacing and with its own start times. */
static void check_gaps_sent(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t gaps = c->tx_frames ? c->tx_frames - 1 : 0;
	const struct gaps_asked asked = gaps_asked(verdict->pacing, port, gaps, verdict->counters->host_frames[port]);
	const uint128 measured = (uint128)c->tx_gap_sum_octets * asked.denominator;
	const uint128 off = measured > asked.sum ? measured - asked.sum : asked.sum - measured;
	const uint64_t highest = asked.most + START_ALIGN_OCTETS - 1;

	if (c->tx_gaps != gaps)
		invalid(verdict, "port %u: %" PRIu64 " gaps measured between %" PRIu64 " frames sent", port, c->tx_gaps,
		        c->tx_frames);
	if (gaps == 0)
		return;
	if (!times_agree(verdict, port))
		invalid(verdict,
		        "port %u: first start %" PRIu64 ", last start %" PRIu64 " and gaps of %" PRIu64
		        " octets in total do not agree",
		        port, c->tx_first_time, c->tx_last_time, c->tx_gap_sum_octets);
	if (off >= asked.off)
		invalid(verdict, "port %u: average gap %.6f octets, requested %.6f", port,
		        (double)c->tx_gap_sum_octets / (double)gaps,
		        (double)asked.sum / (double)asked.denominator / (double)gaps);
	if (c->tx_gap_min_octets < asked.least && asked.least - c->tx_gap_min_octets >= START_ALIGN_OCTETS)
		invalid(verdict, "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64, port,
		        c->tx_gap_min_octets, asked.least);
	if (c->tx_gap_max_octets > highest || c->tx_gap_max_octets < c->tx_gap_min_octets)
		invalid(verdict, "port %u: largest gap %" PRIu64 " octets, at most %" PRIu64 " possible", port,
		        c->tx_gap_max_octets, highest);
	if (asked.both && c->tx_gap_min_octets >= asked.least + START_ALIGN_OCTETS)
		invalid(verdict, "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64 " within bursts", port,
		        c->tx_gap_min_octets, asked.least);
	if (asked.both && c->tx_gap_max_octets + START_ALIGN_OCTETS <= asked.most)
		invalid(verdict, "port %u: largest gap %" PRIu64 " octets, requested %" PRIu64 " between bursts", port,
		        c->tx_gap_max_octets, asked.most);
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
	uint64_t offered = verdict->expected.all[port];
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

/* Those that are counted apart are among all, and not more than were sent. */
static void check_apart(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const struct apart_counters *apart = &verdict->counters->apart[port];
	const uint64_t distinct = trial_distinct_received(apart->received, apart->duplicated, apart->late);

	if (apart->received > c->rx_received_frames || apart->duplicated > c->rx_duplicated_frames ||
	    apart->late > c->rx_late_frames)
		invalid(verdict, "port %u: more broadcast frames than frames received", port);
	if (distinct > verdict->expected.apart[port])
		invalid(verdict,
		        "port %u: received %" PRIu64 " broadcast frames without duplicates, but %" PRIu64
		        " were offered",
		        port, distinct, verdict->expected.apart[port]);
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
	if (trial_traffic_flows(traffic) > TRIAL_ALL_STREAMS)
		return false;
	for (unsigned port = 0; port < traffic->ports; port++) {
		const struct traffic_port *from = &traffic->port[port];

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
	if (sent + verdict->counters->host_frames[port] != c->tx_frames)
		invalid(verdict, "port %u: streams sent %" PRIu64 " frames, the line %" PRIu64, port,
		        sent + verdict->counters->host_frames[port], c->tx_frames);
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
		offered[port] = trial_test_frames(verdict->counters, port);
	traffic_expected(verdict->request->traffic, offered, verdict->expected.all);
	traffic_expected_apart(verdict->request->traffic, offered, verdict->expected.apart_sent,
	                       verdict->expected.apart);
}

void trial_judge(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps,
                 const struct trial_counters *counters, struct trial_result *result)
{
	const struct traffic *traffic = request->traffic;
	struct verdict verdict = {.request = request, .pacing = pacing, .counters = counters, .result = result};

	expect_frames(&verdict);
	*result = (struct trial_result){.valid = true,
	                                .ports = counters->ports,
	                                .intended_fps = pacing->fps,
	                                .flow_count = trial_traffic_flows(traffic)};
	for (unsigned port = 0; port < counters->ports; port++)
		check_plausible(&verdict, port);
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		check_host_frames(&verdict, port);
		if (traffic_sends(traffic, port)) {
			check_offered(&verdict, port);
			check_gaps_sent(&verdict, port);
		} else if (trial_test_frames(counters, port)) {
			invalid(&verdict, "port %u: offered %" PRIu64 " frames, but it does not send in this trial",
			        port, trial_test_frames(counters, port));
		}
	}
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		check_classes(&verdict, port);
		check_latency(&verdict, port);
		check_received(&verdict, port);
		check_apart(&verdict, port);
	}
	for (size_t i = 0; i < counters->stream_count && result->valid; i++)
		check_stream(&verdict, &counters->stream[i]);
	for (unsigned port = 0; port < counters->ports && result->valid && every_stream_was_read(traffic); port++)
		check_tables(&verdict, port);
	trial_sum(request, pacing, link_bps, counters, &verdict.expected, result);
}

/* Order, latency and where frames came are counted of all frames together. */
static struct trial_flow sum_of_flows(const struct traffic *traffic, const struct trial_result *result, bool apart)
{
	struct trial_flow sum = {0};

	for (unsigned i = 0; i < result->flows; i++) {
		const struct trial_flow *flow = &result->flow[i];

		sum.reordered_frames += flow->reordered_frames;
		sum.wrong_port_frames += flow->wrong_port_frames;
		sum.latency.frames += flow->latency.frames;
		if (traffic->port[flow->port].flow[flow->flow].apart != apart)
			continue;
		sum.offered_frames += flow->offered_frames;
		sum.received_frames += flow->received_frames;
		sum.lost_frames += flow->lost_frames;
		sum.duplicated_frames += flow->duplicated_frames;
		sum.late_frames += flow->late_frames;
	}
	return sum;
}

void trial_judge_flows(const struct traffic *traffic, struct trial_result *result)
{
	const struct verdict verdict = {.result = result};
	const struct trial_flow sum = sum_of_flows(traffic, result, false), apart = sum_of_flows(traffic, result, true);
	uint64_t wrong_port_frames = 0, apart_sent = 0, apart_received = 0;

	for (unsigned port = 0; port < result->ports; port++) {
		wrong_port_frames += result->port[port].wrong_port_frames;
		apart_sent += result->port[port].broadcast_offered_frames;
		apart_received += result->port[port].broadcast_received_frames;
	}
	const struct {
		const char *what;
		uint64_t flows, ports;
	} pairs[] = {
	        {"sent", sum.offered_frames, result->offered_frames},
	        {"received", sum.received_frames, result->received_frames},
	        {"lost", sum.lost_frames, result->lost_frames},
	        {"duplicated", sum.duplicated_frames, result->duplicated_frames},
	        {"reordered", sum.reordered_frames, result->reordered_frames},
	        {"late", sum.late_frames, result->late_frames},
	        {"unexpected", sum.wrong_port_frames, wrong_port_frames},
	        {"with a latency", sum.latency.frames, result->latency.frames},
	        {"of broadcast sent", apart.offered_frames, apart_sent},
	        {"of broadcast received", apart.received_frames, apart_received},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]) && result->flows == result->flow_count; i++)
		if (pairs[i].flows != pairs[i].ports)
			invalid(&verdict, "frames %s: %" PRIu64 " by flows, but %" PRIu64 " by ports", pairs[i].what,
			        pairs[i].flows, pairs[i].ports);
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

void trial_note_tag(struct trial_result *result, unsigned from, unsigned to, uint64_t latency_ot, uint64_t way_ot)
{
	const struct verdict verdict = {.result = result};
	const struct latency_stats *all = &result->port[to].latency;
	const uint64_t without_way_ot = latency_ot - (way_ot < latency_ot ? way_ot : latency_ot);
	struct trial_port *sender;

	if (from >= result->ports || !result->port[from].sent) {
		invalid(&verdict, "port %u: a tagged frame of port %u came, which sent none", to, from);
		return;
	}
	if (all->frames == 0 || latency_ot < all->min_ot || latency_ot > all->max_ot) {
		invalid(&verdict,
		        "port %u: a tagged frame took %" PRIu64 " octet times, where all frames took %" PRIu64
		        " to %" PRIu64,
		        to, latency_ot, all->min_ot, all->max_ot);
		return;
	}
	sender = &result->port[from];
	if (sender->tagged_frames++ == 0 || without_way_ot < sender->tagged_latency_ot)
		sender->tagged_latency_ot = without_way_ot;
}

void trial_judge_tags(const struct trial_request *request, struct trial_result *result)
{
	const struct verdict verdict = {.result = result};

	for (unsigned i = 0; i < result->ports && result->valid && request->tag_after_ot; i++)
		if (result->port[i].sent && result->port[i].tagged_frames == 0 && result->lost_frames == 0)
			invalid(&verdict,
			        "port %u: no tagged frame came back, though no frame was lost: did one begin after the "
			        "time of the tag?",
			        i);
}

/* Where gaps within bursts can be told from those between them, only those within are in the histogram. They begin and
 * end with starts that are rounded down to a group. */
static void check_gaps_within(const struct verdict *verdict, unsigned port, const struct histogram *histogram)
{
	const struct trial_request *request = verdict->request;
	const uint128 within = (uint128)trial_bursts(request) * (request->burst_frames - 1);
	const uint128 asked = within * request->gap_octets;
	const uint128 most_off = (uint128)trial_bursts(request) * (START_ALIGN_OCTETS - 1);
	const uint128 measured = histogram_sum(histogram);

	check_total(verdict, port, "gaps", histogram_total(histogram), (uint64_t)within);
	if (measured > asked + most_off || asked > measured + most_off)
		invalid(verdict, "port %u: average gap within bursts %.6f octets, requested %u", port,
		        (double)measured / (double)within, request->gap_octets);
}

void trial_judge_histograms(const struct trial_request *request, struct trial_result *result)
{
	const struct verdict verdict = {.request = request, .result = result};

	for (unsigned i = 0; i < result->ports && result->valid; i++) {
		const struct trial_port *port = &result->port[i];

		check_histogram(&verdict, i, "latencies", &port->latency_histogram, port->latency.frames);
		if (port->latency_octaves.bins)
			check_total(&verdict, i, "latencies by octaves", octaves_total(&port->latency_octaves),
			            port->latency.frames);
		if (gaps_within_bursts(request) && port->tx_gap_histogram.width)
			check_gaps_within(&verdict, i, &port->tx_gap_histogram);
		else
			check_histogram(&verdict, i, "gaps", &port->tx_gap_histogram, port->tx_gap.gaps);
	}
}
