/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/pacing/frames.h"

#include "host/trial/traffic.h"

static uint64_t octets_of(const struct trial_request *request, unsigned port, uint64_t frames)
{
	return request->traffic ? traffic_octets(request->traffic, port, frames) : frames * request->shape.frame_octets;
}

uint128 pacing_between_bursts(const struct pacing *pacing, uint64_t bursts)
{
	return (uint128)bursts * (pacing->burst_gap_octets - pacing->gap_octets);
}

uint128 pacing_scaled_start(const struct trial_request *request, const struct pacing *pacing, unsigned port, uint64_t n)
{
	const uint64_t bursts = pacing->burst_frames ? n / pacing->burst_frames : 0;
	const struct pacing_gap gap = pacing_gap_of(pacing, port);

	return ((uint128)octets_of(request, port, n) + (uint128)n * (PREAMBLE_OCTETS + gap.gap_octets) +
	        pacing_between_bursts(pacing, bursts)) *
	               gap.denominator +
	       (uint128)n * gap.numerator;
}

uint64_t pacing_frames_beside(const struct trial_request *request, const struct pacing *pacing, unsigned port,
                              uint64_t others, uint64_t other_octets)
{
	const uint64_t aligned =
	        (request->duration_ot + START_ALIGN_OCTETS - 1) / START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	const struct pacing_gap gap = pacing_gap_of(pacing, port);
	const uint128 taken = ((uint128)others * (PREAMBLE_OCTETS + gap.gap_octets) + other_octets) * gap.denominator +
	                      (uint128)others * gap.numerator;
	const uint128 all = (uint128)aligned * gap.denominator;
	const uint128 end = taken < all ? all - taken : 0;
	uint64_t begins = 0, too_many = PACING_FRAMES_LIMIT; /* frame 0 begins */

	if (end == 0 || others >= PACING_FRAMES_LIMIT)
		return 0;
	while (too_many - begins > 1) {
		const uint64_t n = begins + (too_many - begins) / 2;

		if (pacing_scaled_start(request, pacing, port, n) < end)
			begins = n;
		else
			too_many = n;
	}
	return begins + 1;
}

/* Frame n begins at its ideal start, rounded down to a group of 8 octets, if that is below the duration. */
static uint64_t frames_in(const struct trial_request *request, const struct pacing *pacing, unsigned port)
{
	return pacing_frames_beside(request, pacing, port, 0, 0);
}

static bool port_sends(const struct trial_request *request, unsigned port)
{
	return request->traffic == NULL || (port < request->traffic->ports && traffic_sends(request->traffic, port));
}

/* The ideal start of a port's frame n, counted from 0, from that of its frame `from`, where this gap begins without a
 * fraction of an octet. */
static uint128 start_after(const struct trial_request *request, const struct pacing_gap *gap, unsigned port,
                           uint64_t from, uint64_t n)
{
	const uint128 frames = n - from;

	return octets_of(request, port, n) - octets_of(request, port, from) +
	       frames * (PREAMBLE_OCTETS + gap->gap_octets) + frames * gap->numerator / gap->denominator;
}

/* Frames of a port that begin before a time, of which `before` begin before the gap changes. */
static uint64_t frames_after(const struct trial_request *request, const struct pacing *pacing, unsigned port)
{
	const uint64_t end_ot =
	        (request->duration_ot + START_ALIGN_OCTETS - 1) / START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	const uint64_t from = pacing->before[port], from_ot = pacing->next_start_ot[port];
	uint64_t begins = from, too_many = PACING_FRAMES_LIMIT;

	if (from_ot >= end_ot)
		return from;
	while (too_many - begins > 1) {
		const uint64_t n = begins + (too_many - begins) / 2;

		if (from_ot + start_after(request, &pacing->next, port, from, n) < end_ot)
			begins = n;
		else
			too_many = n;
	}
	return begins + 1;
}

/* The frames of a load that changes: as many as there are until then, and the others at the next gap. The pacer drops
 * the fraction of an octet that it has carried when the gap changes. */
static void pace_change(const struct trial_request *request, struct pacing *pacing, unsigned port)
{
	struct trial_request until = *request;

	until.duration_ot = pacing->next_ot;
	pacing->before[port] = frames_in(&until, pacing, port);
	pacing->next_start_ot[port] =
	        (uint64_t)(pacing_scaled_start(request, pacing, port, pacing->before[port]) / pacing->denominator);
	pacing->frames[port] = frames_after(request, pacing, port);
}

/* End of the gap after the last frame of a port. */
static uint64_t end_of(const struct trial_request *request, const struct pacing *pacing, unsigned port)
{
	const uint64_t frames = pacing->frames[port];

	if (!pacing->next_ot) /* no other burst follows the last one */
		return (uint64_t)(pacing_scaled_start(request, pacing, port, frames) /
		                          pacing_gap_of(pacing, port).denominator -
		                  (pacing->burst_frames ? pacing_between_bursts(pacing, 1) : 0)) +
		       1;
	return pacing->next_start_ot[port] +
	       (uint64_t)start_after(request, &pacing->next, port, pacing->before[port], frames) + 1;
}

/* Ports with another number of flows have the lengths of a list in another order, so in the same time they send a few
 * frames more or less, and their last frames end at other times. */
void pacing_count_frames(const struct trial_request *request, struct pacing *pacing)
{
	for (unsigned port = 0; port < TRIAL_MAX_PORTS; port++) {
		uint64_t end_ot;

		if (!port_sends(request, port))
			continue;
		if (pacing->next_ot)
			pace_change(request, pacing, port);
		else
			pacing->frames[port] =
			        pacing->stop_frames ? pacing->stop_frames : frames_in(request, pacing, port);
		end_ot = end_of(request, pacing, port);
		if (end_ot > pacing->sending_ot)
			pacing->sending_ot = end_ot;
	}
}
