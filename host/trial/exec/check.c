/* SPDX-License-Identifier: Apache-2.0 */
/* The validity rule of docs/trial.md, as far as a program's answer allows; then the sums of a trial result. */
#include "host/trial/exec/check.h"

#include <inttypes.h>
#include <math.h>

#include "host/base/uint128.h"
#include "host/trial/judging/verdict.h"

/* A duration that is off by more than this was a different load. Programs measure time less precisely than they
 * count frames. */
static const double DURATION_TOLERANCE = 0.01;

/* A burst may be this much longer than its frames at the minimum gap, because frames start on words of the line. */
static const double WORD_OCTETS = 8;

/* Frames that begin within the duration, the first at its start: load x duration, rounded up, for each sender. */
static uint64_t intended_of(const struct exec_terms *terms, const struct trial_request *request)
{
	uint128 octets, per_s;

	if (request->kind == TRIAL_BURST)
		return trial_bursts(request) * request->burst_frames * terms->senders;
	octets = (uint128)request->duration_ot * 8 * request->load.numerator;
	per_s = (uint128)terms->link_bps * request->load.denominator;
	return (uint64_t)((octets + per_s - 1) / per_s) * terms->senders;
}

/* A burst must be exact; a load may be off by one frame per sender, for the edges of its duration. The plan's tolerance
 * is added to both. */
static void check_offered(const struct exec_terms *terms, const struct trial_request *request,
                          const struct exec_answer *answer, struct trial_result *result)
{
	uint64_t intended = result->intended_frames, offered = answer->offered_frames;
	uint64_t off = offered > intended ? offered - intended : intended - offered;
	uint64_t allowed = request->kind == TRIAL_LOAD ? terms->senders : 0;

	allowed += (uint64_t)((uint128)intended * terms->tolerance.numerator / terms->tolerance.denominator);
	if (off > allowed)
		trial_invalid(result, "offered %" PRIu64 " frames, intended %" PRIu64 " (within %" PRIu64 ")", offered,
		              intended, allowed);
}

static void check_duration(const struct exec_terms *terms, const struct trial_request *request,
                           const struct exec_answer *answer, struct trial_result *result)
{
	double asked_s = seconds_from_octet_times(request->duration_ot, terms->link_bps);
	double period_s = 1 / rate_fps(request->load);
	double tolerance = fmax(DURATION_TOLERANCE, rate_fps(terms->tolerance));

	if (request->kind == TRIAL_LOAD && fabs(answer->duration_s - asked_s) > tolerance * asked_s + period_s)
		trial_invalid(result, "sent for %.9g s, requested %.9g s (within %.9g%%)", answer->duration_s, asked_s,
		              100 * tolerance);
}

/* The average of all gaps, of several bursts both within and between them. */
static double mean_gap_of(const struct trial_request *request)
{
	double bursts = (double)trial_bursts(request), gaps = bursts * (double)request->burst_frames - 1;

	if (bursts <= 1)
		return request->gap_octets;
	return request->gap_octets + (bursts - 1) * ((double)request->burst_gap_octets - request->gap_octets) / gaps;
}

/* The largest gap of several bursts is that between them and, unless each is one frame, the smallest is that within
 * them. */
static void check_gaps_between(const struct trial_request *request, const struct exec_answer *answer,
                               struct trial_result *result)
{
	double within = (double)(request->burst_frames > 1 ? request->gap_octets : request->burst_gap_octets);
	double between = (double)request->burst_gap_octets;

	if (trial_bursts(request) > 1 && fabs((double)answer->gap_max_octets - between) >= WORD_OCTETS)
		trial_invalid(result, "largest gap %" PRIu64 " octets, requested %" PRIu64 " between bursts",
		              answer->gap_max_octets, request->burst_gap_octets);
	else if (trial_bursts(request) > 1 && fabs((double)answer->gap_min_octets - within) >= WORD_OCTETS)
		trial_invalid(result, "smallest gap %" PRIu64 " octets, requested %.0f within bursts",
		              answer->gap_min_octets, within);
}

/* The bursts of a program that measures gaps are checked like those of the hardware: the average must be what was
 * asked for, to within a word of 8 octets over all of them. */
static void check_gaps(const struct exec_terms *terms, const struct trial_request *request,
                       const struct exec_answer *answer, struct trial_result *result)
{
	double gaps = (double)answer->offered_frames - terms->senders, asked = mean_gap_of(request);

	if (request->kind != TRIAL_BURST || isnan(answer->gap_mean_octets) || gaps <= 0)
		return;
	if (fabs(answer->gap_mean_octets - asked) * gaps >= WORD_OCTETS * terms->senders)
		trial_invalid(result, "average gap %.6f octets, requested %.9g", answer->gap_mean_octets, asked);
	else
		check_gaps_between(request, answer, result);
}

static void fill_gaps(const struct exec_terms *terms, const struct exec_answer *answer, struct gap_stats *gaps)
{
	if (isnan(answer->gap_mean_octets) || answer->offered_frames <= terms->senders)
		return;
	gaps->gaps = answer->offered_frames - terms->senders;
	gaps->min_octets = answer->gap_min_octets;
	gaps->max_octets = answer->gap_max_octets;
	gaps->sum_octets = (uint64_t)(answer->gap_mean_octets * (double)gaps->gaps + 0.5);
}

static void fill_latency(const struct exec_terms *terms, const struct exec_answer *answer,
                         struct latency_stats *latency)
{
	double ot_per_ns = (double)terms->link_bps / 8 / NS_PER_S;

	if (isnan(answer->latency_min_ns) || isnan(answer->latency_mean_ns) || isnan(answer->latency_max_ns))
		return;
	latency->frames = answer->received_frames;
	latency->min_ot = (uint64_t)(answer->latency_min_ns * ot_per_ns + 0.5);
	latency->max_ot = (uint64_t)(answer->latency_max_ns * ot_per_ns + 0.5);
	latency->mean_ot = answer->latency_mean_ns * ot_per_ns;
}

/* Sums only, because a program does not report per port. Port 0 stands for all, so that counters that results add up
 * over ports come out right. */
static void fill(const struct exec_terms *terms, const struct exec_answer *answer, struct trial_result *result)
{
	struct trial_port *all = &result->port[0];

	result->offered_frames = answer->offered_frames;
	result->received_frames = answer->received_frames;
	result->lost_frames = answer->offered_frames - answer->received_frames;
#define COPY_SUM(name, ...) result->name = answer->name;
	FLOW_COUNTERS(COPY_SUM)
#undef COPY_SUM
	result->forwarding_rate_fps = isnan(answer->forwarding_rate_fps) ? 0 : answer->forwarding_rate_fps;
	result->duration_s = isnan(answer->duration_s) ? 0 : answer->duration_s;
	fill_gaps(terms, answer, &result->tx_gap);
	fill_latency(terms, answer, &result->latency);
	result->ports = 1;
	all->sent = true;
	all->offered_frames = answer->offered_frames;
	all->received_frames = answer->received_frames;
#define COPY_COUNTER(name, ...) all->name = answer->name;
	RECEIVER_COUNTERS(COPY_COUNTER)
#undef COPY_COUNTER
	for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++)
		all->foreign[kind] = COUNT_UNKNOWN;
	all->foreign_unread_frames = all->host_frames = COUNT_UNKNOWN;
}

void exec_judge(const struct exec_terms *terms, const struct trial_request *request, const struct exec_answer *answer,
                struct trial_result *result)
{
	*result = (struct trial_result){.valid = true,
	                                .intended_frames = intended_of(terms, request),
	                                .intended_fps = request->kind == TRIAL_LOAD ? rate_fps(request->load) : 0,
	                                .flow_count = COUNT_UNKNOWN,
	                                .gaps_unproven = isnan(answer->gap_mean_octets)};
	if (!answer->valid) {
		trial_invalid(result, "the tester says %s",
		              answer->why_invalid[0] ? answer->why_invalid : "so, without a reason");
		return;
	}
	check_offered(terms, request, answer, result);
	check_duration(terms, request, answer, result);
	check_gaps(terms, request, answer, result);
	fill(terms, answer, result);
}
