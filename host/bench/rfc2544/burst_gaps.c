/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc2544/burst_gaps.h"

#include <math.h>

#include "host/base/uint128.h"

/* Octet times of a link in a time; a plan's limits keep it far below 64 bits. */
static uint64_t octets_in(const struct quantity *time, uint64_t link_bps)
{
	return (uint64_t)((uint128)link_bps * time->numerator / ((uint128)8 * time->denominator));
}

static uint64_t longest_gap(const struct bursty_traffic_settings *settings, uint64_t burst_octets, uint64_t link_bps)
{
	const struct quantity *max_gap = &settings->max_gap;
	uint64_t octets;

	if (max_gap->numerator == 0)
		return MIN_GAP_OCTETS + burst_octets * (100 / LEAST_LOAD_PERCENT - 1);
	octets = max_gap->unit == QUANTITY_TIME ? octets_in(max_gap, link_bps)
	                                        : max_gap->numerator / max_gap->denominator;
	return octets > MIN_GAP_OCTETS ? octets : MIN_GAP_OCTETS;
}

static uint64_t step_of(const struct quantity *resolution, uint64_t burst_octets)
{
	uint128 octets = resolution->numerator;

	if (resolution->unit == QUANTITY_PERCENT)
		octets *= burst_octets;
	octets /= resolution->denominator;
	return octets ? (uint64_t)octets : 1;
}

struct burst_gaps burst_gaps(const struct bursty_traffic_settings *settings, uint32_t burst_frames, struct rate line,
                             uint64_t link_bps)
{
	const uint128 octets_n = (uint128)burst_frames * link_bps * line.denominator;
	const uint128 octets_d = (uint128)8 * line.numerator;
	struct burst_gaps gaps = {.burst_frames = burst_frames,
	                          .burst_octets = (uint64_t)((octets_n + octets_d - 1) / octets_d),
	                          .least = MIN_GAP_OCTETS};
	uint64_t range;

	gaps.step = step_of(&settings->resolution, gaps.burst_octets);
	range = longest_gap(settings, gaps.burst_octets, link_bps) - gaps.least;
	if (range && gaps.step > range)
		gaps.step = range;
	gaps.most = gaps.least + range / gaps.step * gaps.step;
	return gaps;
}

struct search_config burst_gaps_search(const struct burst_gaps *gaps)
{
	return (struct search_config){
	        .low = gaps->most, .high = 2 * gaps->most - gaps->least, .step = gaps->step, .first = gaps->most};
}

uint64_t burst_gap_at(const struct burst_gaps *gaps, uint64_t point)
{
	return 2 * gaps->most - point;
}

static uint64_t burst_period(const struct burst_gaps *gaps, uint64_t gap_octets)
{
	return gaps->burst_octets + gap_octets - gaps->least;
}

uint64_t bursts_within(const struct burst_gaps *gaps, uint64_t gap_octets, uint64_t duration_ot)
{
	const uint64_t period_ot = burst_period(gaps, gap_octets);
	const uint64_t bursts = (duration_ot + period_ot - 1) / period_ot;

	return bursts > 2 ? bursts : 2;
}

struct rate burst_load(const struct burst_gaps *gaps, uint64_t gap_octets)
{
	return (struct rate){gaps->burst_octets, burst_period(gaps, gap_octets)};
}

uint64_t burst_least_gap(const struct burst_gaps *gaps, double throughput, uint64_t longest_burst_frames)
{
	/* The rest is less by a millionth of an octet, so that what is whole does not become more by a rounded
	 * division. */
	const double rest = (double)gaps->burst_octets / throughput - (double)gaps->burst_octets - 1e-6;

	if (throughput >= 1)
		return gaps->least;
	if (gaps->burst_frames > longest_burst_frames || !(rest < 0x1p63))
		return 0;
	return gaps->least + (rest > 0 ? (uint64_t)ceil(rest) : 0);
}
