/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/judging/sent.h"

#include <inttypes.h>

#include "host/traffic/protocols/neighbour_frame.h"
#include "host/trial/judging/held.h"
#include "host/trial/judging/rules.h"
#include "host/trial/judging/sum.h"
#include "host/trial/judging/verdict.h"
#include "host/trial/pacing/frames.h"
#include "host/trial/pacing/gaps_asked.h"
#include "host/trial/traffic.h"

enum {
	HOST_SHARE = 100, /* at most one frame in so many is of the host, or one at all: else it was another load */
};

/* More than a device can be asked for (tx_stop_frames). */
static const uint64_t MOST_FRAMES = UINT64_C(1) << 48;

struct sent {
	const struct trial_request *request;
	const struct pacing *pacing;
	const struct trial_counters *counters;
	struct trial_result *result;
};

/* Octets of the first frames of a port; all ones for more than a trial can have. */
static uint64_t octets_sent(const struct sent *sent, unsigned port, uint64_t frames)
{
	return frames > MOST_FRAMES ? UINT64_MAX : traffic_octets(sent->request->traffic, port, frames);
}

/* Answers to neighbours take places of test frames. A burst of which one was taken is another burst. */
void trial_check_host_frames(const struct trial_request *request, const struct trial_counters *counters, unsigned port,
                             struct trial_result *result)
{
	const uint64_t host = counters->host_frames[port], own = trial_test_frames(counters, port);

	if (host > counters->port[port].tx_frames)
		trial_invalid(result, "port %u: %" PRIu64 " answers to neighbours among %" PRIu64 " frames sent", port,
		              host, counters->port[port].tx_frames);
	else if (host && !traffic_sends(request->traffic, port))
		return;
	else if (host && request->kind == TRIAL_BURST)
		trial_invalid(result, "port %u: %" PRIu64 " answers to neighbours took places of the burst", port,
		              host);
	else if (host > 1 && host > own / HOST_SHARE)
		trial_invalid(result,
		              "port %u: %" PRIu64 " answers to neighbours beside %" PRIu64 " test frames: too many",
		              port, host, own);
}

/* The length of each frame is known, so that of all of them is. */
static void check_octets(const struct sent *sent, unsigned port)
{
	const struct port_counters *c = &sent->counters->port[port];
	const uint64_t octets = octets_sent(sent, port, trial_test_frames(sent->counters, port)) +
	                        sent->counters->host_frames[port] * NEIGHBOUR_FRAME_OCTETS +
	                        trial_rule_octets(sent->request->traffic, sent->counters, port);

	if (c->tx_octets != octets)
		trial_invalid(sent->result, "port %u: %" PRIu64 " octets in %" PRIu64 " frames sent: not %" PRIu64,
		              port, c->tx_octets, c->tx_frames, octets);
}

/* Test frames that a port must have sent, within *allowed. Time is held in whole words: of one that the end of the
 * trial cuts off, what is counted too much takes a frame at most, which is within the same limit. */
static uint64_t frames_intended(const struct sent *sent, unsigned port, uint64_t *allowed)
{
	const struct pacing *pacing = sent->pacing;
	const struct trial_counters *counters = sent->counters;
	const uint64_t host = counters->host_frames[port], rules = trial_rule_frames(counters, port);
	const struct trial_request left = trial_less_held(sent->request, counters, port);

	*allowed = sent->request->kind == TRIAL_BURST ? 0 : 1;
	if (host == 0 && rules == 0 && counters->port[port].tx_held_time == 0)
		return pacing->frames[port];
	if (sent->request->kind == TRIAL_BURST) /* a burst allows none for the host */
		return trial_frames_beside_rules(sent->request, pacing, counters, port);
	if (rules) /* the last one may be a rule's, which is as long as several test frames */
		*allowed += trial_longest_rule(sent->request->traffic, port) / MIN_FRAME_OCTETS + 1;
	if (!pacing->next_ot)
		return pacing_frames_beside(&left, pacing, port, host + rules,
		                            host * NEIGHBOUR_FRAME_OCTETS +
		                                    trial_rule_octets(sent->request->traffic, counters, port));
	/* An answer takes as much time as two frames at most; at which of the two loads is not known. */
	*allowed += 2 * host;
	return pacing->frames[port] > host ? pacing->frames[port] - host : 0;
}

static void check_offered(const struct sent *sent, unsigned port)
{
	const struct port_counters *c = &sent->counters->port[port];
	const uint64_t own = trial_test_frames(sent->counters, port);
	uint64_t allowed;
	const uint64_t intended = frames_intended(sent, port, &allowed);
	const uint64_t off = own > intended ? own - intended : intended - own;
	uint64_t wrong = trial_traffic_wrong_fcs(sent->request->traffic, port, own);

	if (c->tx_late_frames)
		trial_invalid(sent->result,
		              "port %u: the tester was late: %" PRIu64 " frames were not ready when they were due",
		              port, c->tx_late_frames);
	if (off > allowed)
		trial_invalid(sent->result,
		              "port %u: offered %" PRIu64 " frames, intended %" PRIu64 " (within %" PRIu64 ")", port,
		              own, intended, allowed);
	check_octets(sent, port);
	if (c->tx_bad_fcs_frames != wrong)
		trial_invalid(sent->result, "port %u: %" PRIu64 " frames left with a wrong FCS, not %" PRIu64, port,
		              c->tx_bad_fcs_frames, wrong);
}

/* Octets of all frames of a port but its last test frame, with the preambles of all but one. */
static uint128 octets_without_last(const struct sent *sent, unsigned port, uint64_t own)
{
	const struct trial_counters *counters = sent->counters;
	const uint64_t host = counters->host_frames[port], rules = trial_rule_frames(counters, port);

	return (uint128)octets_sent(sent, port, own) + (uint128)host * NEIGHBOUR_FRAME_OCTETS +
	       trial_rule_octets(sent->request->traffic, counters, port) +
	       ((uint128)host + rules + trial_test_frames(counters, port) - 1) * PREAMBLE_OCTETS;
}

/* The last frame of a port, whose octets are not before its start, may be a test frame, of the host, or of a rule. */
static bool times_agree(const struct sent *sent, unsigned port)
{
	const struct port_counters *c = &sent->counters->port[port];
	const struct traffic_port *from = &sent->request->traffic->port[port];
	const uint64_t own = trial_test_frames(sent->counters, port);
	const uint128 between = c->tx_last_time - c->tx_first_time, all = octets_without_last(sent, port, own);
	bool agree;

	if (c->tx_last_time < c->tx_first_time)
		return false;
	agree = own && between == octets_without_last(sent, port, own - 1) + c->tx_gap_sum_octets;
	agree |= sent->counters->host_frames[port] && between + NEIGHBOUR_FRAME_OCTETS == all + c->tx_gap_sum_octets;
	for (unsigned i = 0; i < from->rules; i++)
		agree |= sent->counters->rule_frames[port][i] &&
		         between + from->rule[i].frame_octets == all + c->tx_gap_sum_octets;
	return agree;
}

/* Compares the gaps that the line meter saw with the requested pacing and with its own start times. */
static void check_gaps_sent(const struct sent *sent, unsigned port)
{
	const struct port_counters *c = &sent->counters->port[port];
	const uint64_t gaps = c->tx_frames ? c->tx_frames - 1 : 0;
	const struct gaps_asked asked = gaps_asked(sent->pacing, port, gaps, sent->counters->host_frames[port]);
	const uint128 measured = (uint128)c->tx_gap_sum_octets * asked.denominator;
	/* A hold that was over before the last frame is in a gap, the others are not. */
	const uint128 most = asked.sum + (uint128)c->tx_held_time * asked.denominator;
	const uint128 off = measured > most ? measured - most : measured < asked.sum ? asked.sum - measured : 0;
	const uint64_t highest = asked.most + c->tx_held_time + START_ALIGN_OCTETS - 1;

	if (c->tx_gaps != gaps)
		trial_invalid(sent->result, "port %u: %" PRIu64 " gaps measured between %" PRIu64 " frames sent", port,
		              c->tx_gaps, c->tx_frames);
	if (gaps == 0)
		return;
	if (!times_agree(sent, port))
		trial_invalid(sent->result,
		              "port %u: first start %" PRIu64 ", last start %" PRIu64 " and gaps of %" PRIu64
		              " octets in total do not agree",
		              port, c->tx_first_time, c->tx_last_time, c->tx_gap_sum_octets);
	if (off >= asked.off)
		trial_invalid(sent->result, "port %u: average gap %.6f octets, requested %.6f", port,
		              (double)c->tx_gap_sum_octets / (double)gaps,
		              (double)asked.sum / (double)asked.denominator / (double)gaps);
	if (c->tx_gap_min_octets < asked.least && asked.least - c->tx_gap_min_octets >= START_ALIGN_OCTETS)
		trial_invalid(sent->result, "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64, port,
		              c->tx_gap_min_octets, asked.least);
	if (c->tx_gap_max_octets > highest || c->tx_gap_max_octets < c->tx_gap_min_octets)
		trial_invalid(sent->result, "port %u: largest gap %" PRIu64 " octets, at most %" PRIu64 " possible",
		              port, c->tx_gap_max_octets, highest);
	if (asked.both && c->tx_gap_min_octets >= asked.least + START_ALIGN_OCTETS)
		trial_invalid(sent->result,
		              "port %u: smallest gap %" PRIu64 " octets, requested %" PRIu64 " within bursts", port,
		              c->tx_gap_min_octets, asked.least);
	if (asked.both && c->tx_gap_max_octets + START_ALIGN_OCTETS <= asked.most)
		trial_invalid(sent->result,
		              "port %u: largest gap %" PRIu64 " octets, requested %" PRIu64 " between bursts", port,
		              c->tx_gap_max_octets, asked.most);
}

void trial_check_sent(const struct trial_request *request, const struct pacing *pacing,
                      const struct trial_counters *counters, unsigned port, struct trial_result *result)
{
	const struct sent sent = {request, pacing, counters, result};

	check_offered(&sent, port);
	check_gaps_sent(&sent, port);
}
