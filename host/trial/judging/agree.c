/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that what is read after the counters of a trial agrees with them: flows, tagged frames, histograms. */
#include <inttypes.h>

#include "host/traffic/traffic.h"
#include "host/trial/judging/check.h"
#include "host/trial/judging/verdict.h"
#include "host/trial/new_network.h"
#include "host/trial/pacing/gaps_asked.h"

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
	const struct trial_flow sum = sum_of_flows(traffic, result, false), apart = sum_of_flows(traffic, result, true);
	uint64_t wrong_port_frames = 0, apart_sent = 0, apart_received = 0;

	for (unsigned port = 0; port < result->ports; port++) {
		wrong_port_frames += result->port[port].wrong_port_frames;
		apart_sent += result->port[port].broadcast_offered_frames + result->port[port].management_queries +
		              result->port[port].routing_updates + result->port[port].new_network_offered_frames;
		apart_received +=
		        result->port[port].broadcast_received_frames + result->port[port].new_network_received_frames;
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
	        {"counted apart sent", apart.offered_frames, apart_sent},
	        {"counted apart received", apart.received_frames, apart_received},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]) && result->flows == result->flow_count; i++)
		if (pairs[i].flows != pairs[i].ports)
			trial_invalid(result, "frames %s: %" PRIu64 " by flows, but %" PRIu64 " by ports",
			              pairs[i].what, pairs[i].flows, pairs[i].ports);
}

static void check_total(struct trial_result *result, unsigned port, const char *what, uint64_t total, uint64_t measured)
{
	if (total != measured)
		trial_invalid(result, "port %u: the histogram of %s holds %" PRIu64 ", but %" PRIu64 " were measured",
		              port, what, total, measured);
}

static void check_histogram(struct trial_result *result, unsigned port, const char *what,
                            const struct histogram *histogram, uint64_t measured)
{
	if (histogram->width != 0)
		check_total(result, port, what, histogram_total(histogram), measured);
}

void trial_note_tag(struct trial_result *result, unsigned from, unsigned to, uint64_t latency_ot, uint64_t way_ot)
{
	const struct latency_stats *all = &result->port[to].latency;
	const uint64_t without_way_ot = latency_ot - (way_ot < latency_ot ? way_ot : latency_ot);
	struct trial_port *sender;

	if (from >= result->ports || !result->port[from].sent) {
		trial_invalid(result, "port %u: a tagged frame of port %u came, which sent none", to, from);
		return;
	}
	if (all->frames == 0 || latency_ot < all->min_ot || latency_ot > all->max_ot) {
		trial_invalid(result,
		              "port %u: a tagged frame took %" PRIu64 " octet times, where all frames took %" PRIu64
		              " to %" PRIu64,
		              to, latency_ot, all->min_ot, all->max_ot);
		return;
	}
	sender = &result->port[from];
	if (sender->tagged_frames++ == 0 || without_way_ot < sender->tagged_latency_ot)
		sender->tagged_latency_ot = without_way_ot;
}

void trial_check_tag_flow(const struct traffic *traffic, unsigned from, unsigned flow, struct trial_result *result)
{
	const struct traffic_rule *rule = from < traffic->ports ? trial_rule_at_tag(traffic, from) : NULL;

	if (rule && rule->flow != flow)
		trial_invalid(result,
		              "port %u: the tag was on another frame than the one to a new network: an answer to a "
		              "neighbour took its place",
		              from);
}

/* A frame to a new network that the device lost takes its tag with it. */
static bool is_lost_at_tag(const struct trial_port *port)
{
	return port->new_network_offered_frames > port->new_network_received_frames;
}

void trial_judge_tags(const struct trial_request *request, struct trial_result *result)
{
	for (unsigned i = 0; i < result->ports && result->valid && request->tag_after_ot; i++)
		if (result->port[i].sent && result->port[i].tagged_frames == 0 && result->lost_frames == 0 &&
		    !is_lost_at_tag(&result->port[i]))
			trial_invalid(
			        result,
			        "port %u: no tagged frame came back, though no frame was lost: did one begin after the "
			        "time of the tag?",
			        i);
}

/* The histogram has only gaps within bursts where these can be told from those between them. They begin and end with
 * starts that are rounded down to a group. */
static void check_gaps_within(const struct trial_request *request, struct trial_result *result, unsigned port)
{
	const struct histogram *histogram = &result->port[port].tx_gap_histogram;
	const uint128 within = (uint128)trial_bursts(request) * (request->burst_frames - 1);
	const uint128 asked = within * request->gap_octets;
	const uint128 most_off = (uint128)trial_bursts(request) * (START_ALIGN_OCTETS - 1);
	const uint128 measured = histogram_sum(histogram);

	check_total(result, port, "gaps", histogram_total(histogram), (uint64_t)within);
	if (measured > asked + most_off || asked > measured + most_off)
		trial_invalid(result, "port %u: average gap within bursts %.6f octets, requested %u", port,
		              (double)measured / (double)within, request->gap_octets);
}

void trial_judge_histograms(const struct trial_request *request, struct trial_result *result)
{
	for (unsigned i = 0; i < result->ports && result->valid; i++) {
		const struct trial_port *port = &result->port[i];

		check_histogram(result, i, "latencies", &port->latency_histogram, port->latency.frames);
		if (port->latency_octaves.bins)
			check_total(result, i, "latencies by octaves", octaves_total(&port->latency_octaves),
			            port->latency.frames);
		if (gaps_within_bursts(request) && port->tx_gap_histogram.width)
			check_gaps_within(request, result, i);
		else
			check_histogram(result, i, "gaps", &port->tx_gap_histogram, port->tx_gap.gaps);
		check_histogram(result, i, "gaps received", &port->rx_gap_histogram, port->rx_gap.gaps);
	}
}
