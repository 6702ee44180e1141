// SPDX-License-Identifier: Apache-2.0
/* Begins a trial and its phases, and computes its period. */
#include "sim/twin/play/pacer.h"

#include "host/base/uint128.h"
#include "sim/twin/play/divisor.h"

static uint64_t due_octets(const struct pacer *pacer, const struct pacer_settings *settings)
{
	return pacer->phase < settings->phases ? settings->phase_octets[pacer->phase + 1] : UINT64_MAX;
}

void pacer_init(struct pacer *pacer, const struct pacer_settings *settings)
{
	*pacer = (struct pacer){
	        .ideal_octets = settings->offset_octets, .gap = settings->gap[0], .burst_left = settings->burst_frames};
	pacer->due_octets = due_octets(pacer, settings);
}

void pacer_begin_phase(struct pacer *pacer, const struct pacer_settings *settings)
{
	const uint64_t word = pacer_start_octets(pacer) / WORD_OCTETS;
	const uint64_t guarded_octets = (word + TX_PHASE_GUARD) * WORD_OCTETS;

	pacer->gap = settings->gap[++pacer->phase];
	pacer->fraction = 0;
	pacer->due_octets = due_octets(pacer, settings);
	if (pacer->due_octets < guarded_octets)
		pacer->due_octets = guarded_octets;
}

uint64_t pacer_period_frames(const struct pacer *pacer, const struct pacer_settings *settings, uint64_t round_frames,
                             uint64_t round_octets, uint64_t most, uint64_t *octets)
{
	/* The fraction advances by the same amount from one multiple of a burst and a round to the next. */
	const uint64_t both =
	        least_common_multiple(round_frames, settings->burst_frames != 0 ? settings->burst_frames : 1, most);
	const uint64_t bursts = settings->burst_frames != 0 ? both / settings->burst_frames : 0;
	const struct pacer_gap *gap = &pacer->gap;
	uint128 frames, times, ideal;
	uint64_t moved, again;

	if (both == 0)
		return 0;
	moved = (uint64_t)((uint128)(both - bursts) * gap->numerator % gap->denominator);
	times = gap->denominator / common_divisor(gap->denominator, moved);
	frames = times * both;
	if (frames > most)
		return 0;
	ideal = frames * DUT_PREAMBLE_OCTETS + frames / round_frames * round_octets +
	        times * bursts * settings->burst_gap_octets + times * (both - bursts) * gap->octets +
	        times * (both - bursts) * gap->numerator / gap->denominator;
	again = GROUP_OCTETS / common_divisor(GROUP_OCTETS, (uint64_t)(ideal % GROUP_OCTETS));
	*octets = (uint64_t)(ideal * again);
	return frames * again <= most ? (uint64_t)(frames * again) : 0;
}
