/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/pacing/pacing.h"

#include "host/trial/pacing/frames.h"
#include "host/trial/pacing/gap.h"
#include "host/trial/pacing/tag.h"

enum { BITS_PER_OCTET = 8 };

/* Widths of tx_burst_frames and tx_duration. */
static const uint64_t BURST_LIMIT = UINT64_C(1) << 32;
static const uint64_t DURATION_LIMIT = UINT64_C(1) << 56;

/* Gives what the load changes to, and when. */
static int next_gap(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing, struct error *error)
{
	if (request->next_load_ot == 0)
		return 0;
	if (request->next_load_ot >= request->duration_ot)
		return error_set(error, ERROR_INTERNAL,
		                 "next load after %llu octet times: must be below the duration, %llu",
		                 (unsigned long long)request->next_load_ot, (unsigned long long)request->duration_ot);
	pacing->next_ot = request->next_load_ot;
	return pacing_gap_of_load(request, request->next_load, link_bps, &pacing->next, error);
}

static int pace_bursts(const struct trial_request *request, struct pacing *pacing, struct error *error)
{
	const uint64_t bursts = trial_bursts(request);

	if (request->burst_frames == 0 || request->burst_frames >= PACING_FRAMES_LIMIT ||
	    bursts > (PACING_FRAMES_LIMIT - 1) / request->burst_frames)
		return error_set(error, ERROR_INTERNAL, "%llu bursts of %llu frames: must be 1 to %llu in all",
		                 (unsigned long long)bursts, (unsigned long long)request->burst_frames,
		                 (unsigned long long)PACING_FRAMES_LIMIT - 1);
	pacing->stop_frames = bursts * request->burst_frames;
	if (bursts == 1)
		return 0;
	if (request->burst_frames >= BURST_LIMIT)
		return error_set(error, ERROR_INTERNAL, "several bursts of %llu frames: must be at most %llu each",
		                 (unsigned long long)request->burst_frames, (unsigned long long)BURST_LIMIT - 1);
	if (request->burst_gap_octets < request->gap_octets || request->burst_gap_octets >= PACING_GAP_LIMIT)
		return error_set(error, ERROR_INTERNAL, "gap of %llu octets between bursts: must be %u to %llu",
		                 (unsigned long long)request->burst_gap_octets, request->gap_octets,
		                 (unsigned long long)PACING_GAP_LIMIT - 1);
	if (request->burst_gap_octets ==
	    request->gap_octets) /* no gap is another: one burst, which the twin plays faster */
		return 0;
	pacing->burst_frames = request->burst_frames;
	pacing->burst_gap_octets = request->burst_gap_octets;
	return 0;
}

/* Ports that send a share of the load. */
static int pace_shares(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                       struct error *error)
{
	const struct traffic *traffic = request->traffic;
	int status = 0;

	for (unsigned port = 0; traffic && port < traffic->ports && status == 0; port++) {
		const struct traffic_port *sender = &traffic->port[port];

		if (!sender->share_of || !traffic_sends(traffic, port))
			continue;
		if (request->kind != TRIAL_LOAD || request->next_load_ot)
			return error_set(error, ERROR_INTERNAL, "port %u: a share of what is not a constant load",
			                 port);
		status = pacing_gap_of_load(request, rate_scale(request->load, sender->share, sender->share_of),
		                            link_bps, &pacing->own[port], error);
	}
	return status;
}

/* Frames a second: of bursts, those of a burst over the time to the next one. */
static double actual_fps(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps)
{
	const struct traffic_mean mean = pacing_mean_octets(request);
	const double octets_per_s = (double)link_bps / BITS_PER_OCTET;
	const uint128 frame_n =
	        (mean.octets + mean.frames * (uint128)(PREAMBLE_OCTETS + pacing->gap_octets)) * pacing->denominator +
	        (uint128)mean.frames * pacing->numerator;
	const uint128 frame_d = (uint128)mean.frames * pacing->denominator;

	if (!pacing->burst_frames)
		return octets_per_s * (double)frame_d / (double)frame_n;
	return octets_per_s * (double)(frame_d * pacing->burst_frames) /
	       (double)(frame_n * pacing->burst_frames + pacing_between_bursts(pacing, 1) * frame_d);
}

int pacing_of_request(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                      struct error *error)
{
	*pacing = (struct pacing){
	        .gap_octets = request->gap_octets,
	        .denominator = 1,
	        .tag_after_ot = request->tag_after_ot,
	        .obeys_pause = request->obeys_pause,
	};
	if (request->kind == TRIAL_BURST) {
		int status = pace_bursts(request, pacing, error);

		if (status)
			return status;
	} else {
		struct pacing_gap gap;
		int status = pacing_gap_of_load(request, request->load, link_bps, &gap, error);

		if (status == 0)
			status = next_gap(request, link_bps, pacing, error);
		if (status)
			return status;
		pacing->gap_octets = gap.gap_octets;
		pacing->numerator = gap.numerator;
		pacing->denominator = gap.denominator;
		if (request->duration_ot == 0 || request->duration_ot >= DURATION_LIMIT)
			return error_set(error, ERROR_INTERNAL, "duration of %llu octet times: must be 1 to %llu",
			                 (unsigned long long)request->duration_ot,
			                 (unsigned long long)DURATION_LIMIT - 1);
		pacing->duration_ot = request->duration_ot;
	}
	if (request->obeys_pause && (request->kind != TRIAL_LOAD || request->next_load_ot))
		return error_set(error, ERROR_INTERNAL, "pause frames are obeyed in a constant load only");
	if (pace_shares(request, link_bps, pacing, error))
		return error->code;
	if (request->kind == TRIAL_LOAD)
		pacing_tag_a_test_frame(request, link_bps, pacing);
	pacing_count_frames(request, pacing);
	pacing->fps = actual_fps(request, pacing, link_bps);
	return 0;
}
