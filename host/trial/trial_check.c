/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of one trial, in this order: are the counters possible at all; did all that left the core leave the card
 * (trial_link.c); did the tester offer what was requested, with the requested gaps; do the counters agree with each
 * other. trial_sum.c computes the sums for the result, and trial_agree.c looks at what is read later. */
#include "host/trial/trial_check.h"

#include <inttypes.h>

#include "host/neighbours/neighbour_frame.h"
#include "host/trial/device_routing.h"
#include "host/trial/gaps_asked.h"
#include "host/trial/trial_held.h"
#include "host/trial/trial_link.h"
#include "host/trial/trial_new_network.h"
#include "host/trial/trial_rules.h"
#include "host/trial/trial_sum.h"
#include "host/trial/trial_traffic.h"
#include "host/trial/trial_verdict.h"

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

/* Octets of the first frames of a port; all ones for more than a trial can have. */
static uint64_t octets_sent(const struct verdict *verdict, unsigned port, uint64_t frames)
{
	return frames > MOST_FRAMES ? UINT64_MAX : traffic_octets(verdict->request->traffic, port, frames);
}

/* Frames that a rule at its tag sent, which is among the streams that are read. */
static uint64_t frames_at_tag(const struct verdict *verdict, unsigned port)
{
	const struct traffic_port *from = &verdict->request->traffic->port[port];
	uint64_t frames = 0;

	for (unsigned i = 0; i < from->rules; i++)
		frames += from->rule[i].at_tag ? verdict->counters->rule_frames[port][i] : 0;
	return frames;
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
			trial_invalid(verdict->result, "port %u: %s = %" PRIu64 ": impossible", port, all[i].name,
			              all[i].value);
	}
}

/* Answers to neighbours take places of test frames. A burst of which one was taken is another burst. */
static void check_host_frames(const struct verdict *verdict, unsigned port)
{
	const uint64_t host = verdict->counters->host_frames[port], own = trial_test_frames(verdict->counters, port);

	if (host > verdict->counters->port[port].tx_frames)
		trial_invalid(verdict->result,
		              "port %u: %" PRIu64 " answers to neighbours among %" PRIu64 " frames sent", port, host,
		              verdict->counters->port[port].tx_frames);
	else if (host && !traffic_sends(verdict->request->traffic, port))
		return;
	else if (host && verdict->request->kind == TRIAL_BURST)
		trial_invalid(verdict->result, "port %u: %" PRIu64 " answers to neighbours took places of the burst",
		              port, host);
	else if (host > 1 && host > own / HOST_SHARE)
		trial_invalid(verdict->result,
		              "port %u: %" PRIu64 " answers to neighbours beside %" PRIu64 " test frames: too many",
		              port, host, own);
}

/* The length of each frame is known, so that of all of them is. */
static void check_octets(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t octets = octets_sent(verdict, port, trial_test_frames(verdict->counters, port)) +
	                        verdict->counters->host_frames[port] * NEIGHBOUR_FRAME_OCTETS +
	                        trial_rule_octets(verdict->request->traffic, verdict->counters, port);

	if (c->tx_octets != octets)
		trial_invalid(verdict->result, "port %u: %" PRIu64 " octets in %" PRIu64 " frames sent: not %" PRIu64,
		              port, c->tx_octets, c->tx_frames, octets);
}

/* Test frames that a port must have sent, within *allowed. Time is held in whole words: of one that the end of the
 * trial cuts off, what is counted too much takes a frame at most, which is within the same limit. */
static uint64_t frames_intended(const struct verdict *verdict, unsigned port, uint64_t *allowed)
{
	const struct pacing *pacing = verdict->pacing;
	const struct trial_counters *counters = verdict->counters;
	const uint64_t host = counters->host_frames[port], rules = trial_rule_frames(counters, port);
	const struct trial_request left = trial_less_held(verdict->request, counters, port);

	*allowed = verdict->request->kind == TRIAL_BURST ? 0 : 1;
	if (host == 0 && rules == 0 && counters->port[port].tx_held_time == 0)
		return pacing->frames[port];
	if (verdict->request->kind == TRIAL_BURST) /* of a host none is allowed */
		return trial_frames_beside_rules(verdict->request, pacing, counters, port);
	if (rules) /* the last one may be a rule's, which is as long as several test frames */
		*allowed += trial_longest_rule(verdict->request->traffic, port) / MIN_FRAME_OCTETS + 1;
	if (!pacing->next_ot)
		return pacing_frames_beside(&left, pacing, port, host + rules,
		                            host * NEIGHBOUR_FRAME_OCTETS +
		                                    trial_rule_octets(verdict->request->traffic, counters, port));
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
		trial_invalid(verdict->result,
		              "port %u: the tester was late: %" PRIu64 " frames were not ready when they were due",
		              port, c->tx_late_frames);
	if (off > allowed)
		trial_invalid(verdict->result,
		              "port %u: offered %" PRIu64 " frames, intended %" PRIu64 " (within %" PRIu64 ")", port,
		              own, intended, allowed);
	check_octets(verdict, port);
	if (c->tx_bad_fcs_frames != wrong)
		trial_invalid(verdict->result, "port %u: %" PRIu64 " frames left with a wrong FCS, not %" PRIu64, port,
		              c->tx_bad_fcs_frames, wrong);
}

/* Octets of all frames of a port but its last test frame, with the preambles of all but one. */
static uint128 octets_without_last(const struct verdict *verdict, unsigned port, uint64_t own)
{
	const struct trial_counters *counters = verdict->counters;
	const uint64_t host = counters->host_frames[port], rules = trial_rule_frames(counters, port);

	return (uint128)octets_sent(verdict, port, own) + (uint128)host * NEIGHBOUR_FRAME_OCTETS +
	       trial_rule_octets(verdict->request->traffic, counters, port) +
	       ((uint128)host + rules + trial_test_frames(counters, port) - 1) * PREAMBLE_OCTETS;
}

/* The last frame of a port, whose octets are not before its start, may be a test frame, of the host, or of a rule. */
static bool times_agree(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const struct traffic_port *from = &verdict->request->traffic->port[port];
	const uint64_t own = trial_test_frames(verdict->counters, port);
	const uint128 between = c->tx_last_time - c->tx_first_time, all = octets_without_last(verdict, port, own);
	bool agree;

	if (c->tx_last_time < c->tx_first_time)
		return false;
	agree = own && between == octets_without_last(verdict, port, own - 1) + c->tx_gap_sum_octets;
	agree |= verdict->counters->host_frames[port] && between + NEIGHBOUR_FRAME_OCTETS == all + c->tx_gap_sum_octets;
	for (unsigned i = 0; i < from->rules; i++)
		agree |= verdict->counters->rule_frames[port][i] &&
		         between + from->rule[i].frame_octets == all + c->tx_gap_sum_octets;
	return agree;
}

/* Compares the gaps that the line meter saw with the requested pacing and with its own start times. */
static void check_gaps_sent(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t gaps = c->tx_frames ? c->tx_frames - 1 : 0;
	const struct gaps_asked asked = gaps_asked(verdict->pacing, port, gaps, verdict->counters->host_frames[port]);
	const uint128 measured = (uint128)c->tx_gap_sum_octets * asked.denominator;
	/* A hold that was over before the last frame is in a gap, the others are not. */
	const uint128 most = asked.sum + (uint128)c->tx_held_time * asked.denominator;
	const uint128 off = measured > most ? measured - most : measured < asked.sum ? asked.sum - measured : 0;
	const uint64_t highest = asked.most + c->tx_held_time + START_ALIGN_OCTETS - 1;

	if (c->tx_gaps != gaps)
		trial_invalid(verdict->result, "port %u: %" PRIu64 " gaps measured between %" PRIu64 " frames sent",
		              port, c->tx_gaps, c->tx_frames);
	if (gaps == 0)
		return;
	if (!times_agree(verdict, port))
		trial_invalid(verdict->result,
		              "port %u: first start %" PRIu64 ", last start %" PRIu64 " and gaps of %" PRIu64
		              " octets in total do not agree",
		              port, c->tx_first_time, c->tx_last_time, c->tx_gap_sum_octets);
	if (off >= asked.off)
		trial_invalid(verdict->result, "port %u: average gap %.6f octets, requested %.6f", port,
		              (double)c->tx_gap_sum_octets / (double)gaps,
		              (double)asked.sum / (double)asked.denominator / (double)gaps);
	if (c->tx_gap_min_octets < asked.least && asked.least - c->tx_gap_min_octets >= START_ALIGN_OCTETS)
		trial_invalid(verdict->result, "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64, port,
		              c->tx_gap_min_octets, asked.least);
	if (c->tx_gap_max_octets > highest || c->tx_gap_max_octets < c->tx_gap_min_octets)
		trial_invalid(verdict->result, "port %u: largest gap %" PRIu64 " octets, at most %" PRIu64 " possible",
		              port, c->tx_gap_max_octets, highest);
	if (asked.both && c->tx_gap_min_octets >= asked.least + START_ALIGN_OCTETS)
		trial_invalid(verdict->result,
		              "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64 " within bursts", port,
		              c->tx_gap_min_octets, asked.least);
	if (asked.both && c->tx_gap_max_octets + START_ALIGN_OCTETS <= asked.most)
		trial_invalid(verdict->result,
		              "port %u: largest gap %" PRIu64 " octets, requested %" PRIu64 " between bursts", port,
		              c->tx_gap_max_octets, asked.most);
}

static void check_classes(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint64_t classes = c->rx_tcp_frames + c->rx_foreign_frames + c->rx_other_run_frames +
	                   c->rx_wrong_length_frames + c->rx_bad_payload_frames + c->rx_wrong_port_frames +
	                   c->rx_received_frames;
	uint64_t bad = c->rx_bad_code_frames + c->rx_bad_short_frames + c->rx_bad_long_frames + c->rx_bad_fcs_frames;

	if (c->rx_frames != classes)
		trial_invalid(verdict->result,
		              "port %u: rx_frames = %" PRIu64 ", but its classes add up to %" PRIu64
		              ": the snapshot is not consistent",
		              port, c->rx_frames, classes);
	if (c->rx_bad_frames != bad)
		trial_invalid(verdict->result,
		              "port %u: rx_bad_frames = %" PRIu64 ", but its classes add up to %" PRIu64, port,
		              c->rx_bad_frames, bad);
	if (c->rx_mail_frames + c->rx_mail_overflow_frames > c->rx_foreign_frames)
		trial_invalid(verdict->result,
		              "port %u: %" PRIu64 " frames kept for the host and %" PRIu64
		              " without room among %" PRIu64 " foreign ones",
		              port, c->rx_mail_frames, c->rx_mail_overflow_frames, c->rx_foreign_frames);
	/* The DUT was not idle when the trial began, so this was not the requested trial. */
	if (c->rx_other_run_frames)
		trial_invalid(verdict->result,
		              "port %u: %" PRIu64
		              " frames of an earlier trial arrived in this one: settle or drain is too short",
		              port, c->rx_other_run_frames);
}

static void check_latency(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint128 sum = (uint128)c->rx_latency_sum_high << 64 | c->rx_latency_sum;

	if (c->rx_latency_frames != c->rx_received_frames)
		trial_invalid(verdict->result, "port %u: latency of %" PRIu64 " frames, but %" PRIu64 " were received",
		              port, c->rx_latency_frames, c->rx_received_frames);
	if (c->rx_latency_frames == 0)
		return;
	if (c->rx_latency_min > c->rx_latency_max || sum < (uint128)c->rx_latency_min * c->rx_latency_frames ||
	    sum > (uint128)c->rx_latency_max * c->rx_latency_frames)
		trial_invalid(verdict->result,
		              "port %u: latency min %" PRIu64 ", max %" PRIu64 " and their sum do not agree", port,
		              c->rx_latency_min, c->rx_latency_max);
	if (c->rx_last_time < c->rx_first_time)
		trial_invalid(verdict->result,
		              "port %u: last frame arrived at %" PRIu64 ", before the first at %" PRIu64, port,
		              c->rx_last_time, c->rx_first_time);
}

/* Of the frames offered that must arrive here: offered = received - duplicated - late + lost + those lost after the
 * last one received of each stream. */
static void check_received(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	uint64_t offered = verdict->expected.all[port] + verdict->expected.at_tag[port];
	uint64_t distinct = trial_distinct_received(c->rx_received_frames, c->rx_duplicated_frames, c->rx_late_frames);

	if (c->rx_duplicated_frames + c->rx_late_frames > c->rx_received_frames)
		trial_invalid(verdict->result,
		              "port %u: %" PRIu64 " duplicated and %" PRIu64 " late among %" PRIu64 " received", port,
		              c->rx_duplicated_frames, c->rx_late_frames, c->rx_received_frames);
	if (distinct > offered)
		trial_invalid(verdict->result,
		              "port %u: received %" PRIu64 " frames without duplicates, but %" PRIu64 " were offered",
		              port, distinct, offered);
	if (distinct + c->rx_lost_frames > offered)
		trial_invalid(verdict->result,
		              "port %u: received %" PRIu64 " and lost %" PRIu64 " of %" PRIu64 " frames offered", port,
		              distinct, c->rx_lost_frames, offered);
}

/* Those that are counted apart are among all, and not more than were sent. */
static void check_apart(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const struct apart_counters *apart = &verdict->counters->apart[port];
	const uint64_t distinct = trial_distinct_received(apart->received, apart->duplicated, apart->late);

	if (apart->received > c->rx_received_frames || apart->duplicated > c->rx_duplicated_frames ||
	    apart->late > c->rx_late_frames)
		trial_invalid(verdict->result, "port %u: more broadcast frames than frames received", port);
	if (distinct > verdict->expected.apart[port])
		trial_invalid(verdict->result,
		              "port %u: received %" PRIu64 " broadcast frames without duplicates, but %" PRIu64
		              " were offered",
		              port, distinct, verdict->expected.apart[port]);
}

/* So are those of rules at tags. */
static void check_at_tag(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const struct apart_counters *at_tag = &verdict->counters->at_tag[port];
	const uint64_t distinct = trial_distinct_received(at_tag->received, at_tag->duplicated, at_tag->late);

	if (at_tag->received > c->rx_received_frames || distinct > verdict->expected.at_tag[port])
		trial_invalid(verdict->result,
		              "port %u: received %" PRIu64 " frames to new networks, but %" PRIu64 " were offered",
		              port, at_tag->received, verdict->expected.at_tag[port]);
}

static void check_stream(const struct verdict *verdict, const struct stream_counters *stream)
{
	uint64_t limit = PLAUSIBLE_LIMIT;

	if (stream->sent >= limit || stream->received >= limit || stream->lost >= limit ||
	    stream->duplicated >= limit || stream->late >= limit || stream->next >= limit)
		trial_invalid(verdict->result, "port %u stream %u: an impossible counter", stream->source_port,
		              stream->entry);
	else if (stream->next + stream->duplicated + stream->late != stream->received + stream->lost)
		trial_invalid(verdict->result,
		              "port %u stream %u: next %" PRIu64 " is not received %" PRIu64 " - duplicated %" PRIu64
		              " - late %" PRIu64 " + lost %" PRIu64,
		              stream->source_port, stream->entry, stream->next, stream->received, stream->duplicated,
		              stream->late, stream->lost);
	else if (stream->next > stream->sent)
		trial_invalid(verdict->result,
		              "port %u stream %u: sequence reached %" PRIu64 ", but %" PRIu64 " frames were sent",
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
			if ((!traffic_rule_of(from, flow) || traffic_rule_of(from, flow)->at_tag) &&
			    (from->flow[flow].arrives == 0 ||
			     (from->flow[flow].arrives & (from->flow[flow].arrives - 1)) != 0))
				return false;
	}
	return true;
}

/* Compares tables with totals. */
static void check_tables(const struct verdict *verdict, unsigned port)
{
	const struct port_counters *c = &verdict->counters->port[port];
	const uint64_t others = verdict->counters->host_frames[port] + verdict->counters->tcp_frames[port] +
	                        trial_rule_frames(verdict->counters, port) - frames_at_tag(verdict, port);
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
	if (sent + others != c->tx_frames)
		trial_invalid(verdict->result, "port %u: streams sent %" PRIu64 " frames, the line %" PRIu64, port,
		              sent + others, c->tx_frames);
	if (received != c->rx_received_frames || lost != c->rx_lost_frames)
		trial_invalid(verdict->result,
		              "port %u: streams received %" PRIu64 " and lost %" PRIu64 ", the totals are %" PRIu64
		              " and %" PRIu64,
		              port, received, lost, c->rx_received_frames, c->rx_lost_frames);
}

static void add_at_tag(struct verdict *verdict, unsigned port, const struct traffic_rule *rule)
{
	const struct traffic_port *from = &verdict->request->traffic->port[port];

	for (unsigned to = 0; to < verdict->counters->ports; to++)
		if (from->flow[rule->flow].arrives >> to & 1)
			verdict->expected.at_tag[to] += frames_at_tag(verdict, port);
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
	for (unsigned port = 0; port < verdict->counters->ports; port++) {
		const struct traffic_rule *rule = trial_rule_at_tag(verdict->request->traffic, port);

		if (rule)
			add_at_tag(verdict, port, rule);
	}
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
	trial_check_link(request, counters, result);
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		check_host_frames(&verdict, port);
		trial_check_held(request, counters, port, result);
		if (traffic_sends(traffic, port)) {
			check_offered(&verdict, port);
			check_gaps_sent(&verdict, port);
			trial_check_rules(request, counters, port, link_bps, result);
		} else if (trial_test_frames(counters, port)) {
			trial_invalid(result, "port %u: offered %" PRIu64 " frames, but it does not send in this trial",
			              port, trial_test_frames(counters, port));
		}
	}
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		check_classes(&verdict, port);
		check_latency(&verdict, port);
		check_received(&verdict, port);
		check_apart(&verdict, port);
		check_at_tag(&verdict, port);
	}
	for (size_t i = 0; i < counters->stream_count && result->valid; i++)
		check_stream(&verdict, &counters->stream[i]);
	for (unsigned port = 0; port < counters->ports && result->valid && every_stream_was_read(traffic); port++)
		check_tables(&verdict, port);
	trial_sum(request, pacing, link_bps, counters, &verdict.expected, result);
	for (unsigned port = 0; port < counters->ports; port++)
		verdict.expected.all[port] -= verdict.expected.apart[port];
	trial_judge_routing(request, verdict.expected.all, result);
}
