/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of one trial, in this order: are the counters possible at all; did all that left the core leave the card
 * (link.c); did the tester offer what was requested, with the requested gaps (sent.c); do the counters
 * agree with each other. sum.c computes the sums for the result, and agree.c looks at what is read later.
 */
#include "host/trial/judging/check.h"

#include <inttypes.h>

#include "host/base/format.h"
#include "host/base/rate.h"
#include "host/base/uint128.h"
#include "host/trial/judging/held.h"
#include "host/trial/judging/link.h"
#include "host/trial/judging/routing.h"
#include "host/trial/judging/rules.h"
#include "host/trial/judging/sent.h"
#include "host/trial/judging/sum.h"
#include "host/trial/judging/verdict.h"
#include "host/trial/new_network.h"
#include "host/trial/traffic.h"

/* Not even a trial of years at 400G counts this far; sums of a few such numbers cannot overflow. */
static const uint64_t PLAUSIBLE_LIMIT = UINT64_C(1) << 60;

struct verdict {
	const struct trial_request *request;
	uint64_t link_bps;
	const struct trial_counters *counters;
	struct trial_result *result;
	struct trial_expected expected; /* derived from the frames that were offered */
};

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

/* A frame that outlived an earlier trial was kept for at least this long. */
static struct format_text time_waited(const struct verdict *verdict)
{
	const struct trial_request *request = verdict->request;

	return format_time(seconds_from_octet_times(request->drain_ot + request->settle_ot, verdict->link_bps));
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
		              " frames of an earlier trial arrived in this one, after its drain and settle time of %s: "
		              "they were not lost; a drain of more than that is needed",
		              port, c->rx_other_run_frames, time_waited(verdict).text);
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

/* Checks the frames offered that must arrive here: offered = received - duplicated - late + lost + those lost after
 * the last one received of each stream. */
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

/* Frames that are counted apart are among all, and not more than were sent. */
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

/* Frames of rules at tags are among all, and not more than were sent, either. */
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

/* True if every stream was read wherever it must arrive. */
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
	struct verdict verdict = {.request = request, .link_bps = link_bps, .counters = counters, .result = result};

	expect_frames(&verdict);
	*result = (struct trial_result){.valid = true,
	                                .ports = counters->ports,
	                                .intended_fps = pacing->fps,
	                                .flow_count = trial_traffic_flows(traffic)};
	for (unsigned port = 0; port < counters->ports; port++)
		check_plausible(&verdict, port);
	trial_check_link(request, counters, result);
	for (unsigned port = 0; port < counters->ports && result->valid; port++) {
		trial_check_host_frames(request, counters, port, result);
		trial_check_held(request, counters, port, result);
		if (traffic_sends(traffic, port)) {
			trial_check_sent(request, pacing, counters, port, result);
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
