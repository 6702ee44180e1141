/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps that follow from a pacing. */
#include "host/trial/pacing/gaps_asked.h"

static uint128 gap_units(const struct pacing_gap *gap, uint64_t gaps)
{
	return (uint128)gaps * ((uint128)gap->gap_octets * gap->denominator + gap->numerator);
}

/* A load that changes: the gaps before the first frame of the next load, and those after it. Where answers of the host
 * took places, the change came so many frames earlier or later. */
static struct gaps_asked gaps_of_change(const struct pacing *pacing, unsigned port, uint64_t gaps, uint64_t host)
{
	const struct pacing_gap first = pacing_gap_of(pacing, port), next = pacing->next;
	const uint64_t intended = pacing->before[port], before = intended < gaps ? intended : gaps;
	const struct pacing_gap least = next.gap_octets < first.gap_octets ? next : first;
	const struct pacing_gap most = next.gap_octets < first.gap_octets ? first : next;

	return (struct gaps_asked){
	        .sum = gap_units(&first, before) / first.denominator +
	               gap_units(&next, gaps - before) / next.denominator,
	        .denominator = 1,
	        .off = START_ALIGN_OCTETS + 2 + (uint128)3 * host * (most.gap_octets + 1 - least.gap_octets),
	        .least = least.gap_octets,
	        .most = most.gap_octets + (first.numerator != 0 || next.numerator != 0),
	};
}

/* Several bursts: one gap after each of them but the last, the others within them. */
static struct gaps_asked gaps_of_bursts(const struct pacing *pacing, uint64_t gaps)
{
	const uint64_t between = gaps / pacing->burst_frames, within = gaps - between;

	return (struct gaps_asked){.sum = (uint128)between * pacing->burst_gap_octets +
	                                  (uint128)within * pacing->gap_octets,
	                           .denominator = 1,
	                           .off = START_ALIGN_OCTETS,
	                           .least = within ? pacing->gap_octets : pacing->burst_gap_octets,
	                           .most = between ? pacing->burst_gap_octets : pacing->gap_octets,
	                           .both = true};
}

struct gaps_asked gaps_asked(const struct pacing *pacing, unsigned port, uint64_t gaps, uint64_t host_frames)
{
	const struct pacing_gap gap = pacing_gap_of(pacing, port);

	if (pacing->next_ot)
		return gaps_of_change(pacing, port, gaps, host_frames);
	if (pacing->burst_frames)
		return gaps_of_bursts(pacing, gaps);
	/* The sum is less than one group off, however long the trial. */
	return (struct gaps_asked){.sum = gap_units(&gap, gaps),
	                           .denominator = gap.denominator,
	                           .off = (uint128)START_ALIGN_OCTETS * gap.denominator,
	                           .least = gap.gap_octets,
	                           .most = gap.gap_octets + (gap.numerator != 0)};
}

bool gaps_within_bursts(const struct trial_request *request)
{
	return request->kind == TRIAL_BURST && trial_bursts(request) > 1 && request->burst_frames > 1 &&
	       request->burst_gap_octets >= request->gap_octets + 2 * START_ALIGN_OCTETS;
}
