/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/offered_load.h"

#include "host/base/uint128.h"

enum { BITS_PER_OCTET = 8, START_OCTETS = 8 /* frames begin on groups of so many */ };

/* Octet times in which so many frames leave at a rate, as a fraction. */
static struct rate octets_a_frame(struct rate load, uint64_t link_bps)
{
	return rate_scale((struct rate){link_bps, BITS_PER_OCTET}, load.denominator, load.numerator);
}

static uint64_t octets_rounded_up(uint64_t frames, struct rate load, uint64_t link_bps)
{
	const struct rate each = octets_a_frame(load, link_bps);

	return (uint64_t)(((uint128)frames * each.numerator + each.denominator - 1) / each.denominator);
}

struct burst_load burst_load_of(uint64_t burst_frames, struct rate line, struct rate load, uint64_t link_bps)
{
	const uint64_t at_line = octets_rounded_up(burst_frames, line, link_bps);
	const uint64_t period = octets_rounded_up(burst_frames, load, link_bps);

	return (struct burst_load){.burst_frames = burst_frames,
	                           .tx_octets = at_line - MIN_GAP_OCTETS,
	                           .gap_octets = MIN_GAP_OCTETS + (period > at_line ? period - at_line : 0)};
}

uint64_t burst_period_octets(const struct burst_load *bursts)
{
	return bursts->tx_octets + bursts->gap_octets;
}

uint64_t bursts_of_duration(const struct burst_load *bursts, uint64_t duration_ot)
{
	const uint64_t period = burst_period_octets(bursts);

	return duration_ot / period + (duration_ot % period != 0);
}

uint64_t frames_of_duration(struct rate load, uint64_t duration_ns)
{
	const uint128 frames = (uint128)load.numerator * duration_ns / ((uint128)load.denominator * NS_PER_S);

	return frames ? (uint64_t)frames : 1;
}

/* Frame n begins at n times its period, rounded down to a group, if that is before the end: so the frame after the last
 * one is at the end or behind it, and the last one is a whole frame before. */
uint64_t duration_of_frames(uint64_t frames, struct rate load, uint64_t link_bps)
{
	const struct rate each = octets_a_frame(load, link_bps);

	return (uint64_t)((uint128)frames * each.numerator / each.denominator) / START_OCTETS * START_OCTETS;
}
