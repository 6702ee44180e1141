/* SPDX-License-Identifier: Apache-2.0 */
/* Pacing arithmetic. All fractions are exact in 128 bits until the last step. */
#include "host/trial/pacing.h"

#include "host/trial/trial_traffic.h"

typedef unsigned __int128 uint128;

enum { BITS_PER_OCTET = 8, START_ALIGN_OCTETS = 8 };

#define UINT128_MOST (~(uint128)0)

/* Widths of tx_gap_octets, tx_stop_frames and tx_duration. */
static const uint64_t GAP_LIMIT = UINT64_C(1) << 40;
static const uint64_t FRAMES_LIMIT = UINT64_C(1) << 48;
static const uint64_t DURATION_LIMIT = UINT64_C(1) << 56;

static uint128 greatest_common_divisor(uint128 a, uint128 b)
{
	while (b) {
		uint128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint128 smaller(uint128 a, uint128 b)
{
	return a < b ? a : b;
}

/* The least fraction >= rest / whole (0 < rest < whole) whose denominator fits in 32 bits, by a walk down the
 * Stern-Brocot tree in strides (the terms of the continued fraction). It may be 1 / 1. As long as rest and whole are
 * below 2^70, the products cannot overflow. */
static void fraction_above(uint128 rest, uint128 whole, uint32_t *numerator, uint32_t *denominator)
{
	uint128 below_n = 0, below_d = 1, above_n = 1, above_d = 1;

	while (below_d + above_d <= UINT32_MAX) {
		/* The distance of each bound from the target, scaled by a common factor. */
		uint128 below_gap = rest * below_d - below_n * whole;
		uint128 above_gap = above_n * whole - rest * above_d;
		uint128 stride;

		if (above_gap == 0)
			break;
		stride = smaller(below_gap / above_gap, (UINT32_MAX - below_d) / above_d);
		below_n += stride * above_n;
		below_d += stride * above_d;

		below_gap = rest * below_d - below_n * whole;
		if (below_gap == 0) { /* the target itself */
			above_n = below_n;
			above_d = below_d;
			break;
		}
		stride = smaller(above_gap / below_gap, (UINT32_MAX - above_d) / below_d);
		above_n += stride * below_n;
		above_d += stride * below_d;
	}
	*numerator = (uint32_t)above_n;
	*denominator = (uint32_t)above_d;
}

static struct traffic_mean mean_octets(const struct trial_request *request)
{
	return request->traffic ? traffic_mean_octets(request->traffic, trial_traffic_sender(request->traffic))
	                        : (struct traffic_mean){request->shape.frame_octets, 1};
}

static uint64_t octets_of(const struct trial_request *request, uint64_t frames)
{
	return request->traffic ? traffic_octets(request->traffic, trial_traffic_sender(request->traffic), frames)
	                        : frames * request->shape.frame_octets;
}

/* The gap, as a fraction in lowest terms: the octet times of a frame period, less preamble and the average frame.
 * False: there is none. */
static bool gap_fraction(const struct trial_request *request, uint64_t link_bps, uint128 *gap_n, uint128 *gap_d)
{
	const struct traffic_mean mean = mean_octets(request);
	uint128 period_n = (uint128)link_bps * request->load.denominator; /* octet times, start to start */
	uint128 period_d = (uint128)BITS_PER_OCTET * request->load.numerator;
	uint128 divisor = greatest_common_divisor(period_n, period_d), occupied;

	period_n /= divisor;
	period_d /= divisor;
	occupied = mean.octets + (uint128)mean.frames * PREAMBLE_OCTETS;
	if (period_n > UINT128_MOST / mean.frames || period_d > UINT128_MOST / occupied ||
	    period_n * mean.frames < occupied * period_d)
		return false;
	*gap_n = period_n * mean.frames - occupied * period_d;
	*gap_d = period_d * mean.frames;
	divisor = greatest_common_divisor(*gap_n, *gap_d);
	*gap_n /= divisor;
	*gap_d /= divisor;
	return true;
}

static int gap_of_load(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                       struct error *error)
{
	const struct traffic_mean mean = mean_octets(request);
	uint128 gap_n, gap_d, rest;

	if (request->load.numerator == 0 || request->load.denominator == 0)
		return error_set(error, ERROR_INTERNAL, "load %llu / %llu fps: must be above 0",
		                 (unsigned long long)request->load.numerator,
		                 (unsigned long long)request->load.denominator);
	if (!gap_fraction(request, link_bps, &gap_n, &gap_d) || gap_n / gap_d < request->gap_octets)
		return error_set(
		        error, ERROR_INTERNAL,
		        "load %.3f fps of %.10g octets leaves less than the minimum gap of %u octets on this link",
		        rate_fps(request->load), (double)mean.octets / (double)mean.frames, request->gap_octets);
	if (gap_n / gap_d >= GAP_LIMIT - 1)
		return error_set(error, ERROR_INTERNAL, "load %g fps: too slow for the device to pace",
		                 rate_fps(request->load));

	rest = gap_n % gap_d;
	pacing->gap_octets = (uint64_t)(gap_n / gap_d);
	pacing->numerator = (uint32_t)rest;
	pacing->denominator = (uint32_t)gap_d;
	if (gap_d > UINT32_MAX)
		fraction_above(rest, gap_d, &pacing->numerator, &pacing->denominator);
	if (pacing->numerator >= pacing->denominator) { /* rounded up to a whole octet */
		pacing->gap_octets++;
		pacing->numerator = 0;
		pacing->denominator = 1;
	}
	return 0;
}

/* The ideal start of frame n, counted from 0, in octet times from the first one, times the denominator. */
static uint128 scaled_start(const struct trial_request *request, const struct pacing *pacing, uint64_t n)
{
	return ((uint128)octets_of(request, n) + (uint128)n * (PREAMBLE_OCTETS + pacing->gap_octets)) *
	               pacing->denominator +
	       (uint128)n * pacing->numerator;
}

/* Frame n begins at its ideal start, rounded down to a group of 8 octets, if that is below the duration. */
static uint64_t frames_in(const struct trial_request *request, const struct pacing *pacing)
{
	const uint64_t aligned =
	        (request->duration_ot + START_ALIGN_OCTETS - 1) / START_ALIGN_OCTETS * START_ALIGN_OCTETS;
	const uint128 end = (uint128)aligned * pacing->denominator;
	uint64_t begins = 0, too_many = FRAMES_LIMIT; /* frame 0 begins */

	while (too_many - begins > 1) {
		const uint64_t n = begins + (too_many - begins) / 2;

		if (scaled_start(request, pacing, n) < end)
			begins = n;
		else
			too_many = n;
	}
	return begins + 1;
}

int pacing_of_request(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                      struct error *error)
{
	const struct traffic_mean mean = mean_octets(request);

	*pacing = (struct pacing){.gap_octets = request->gap_octets, .denominator = 1};
	if (request->kind == TRIAL_BURST) {
		if (request->burst_frames == 0 || request->burst_frames >= FRAMES_LIMIT)
			return error_set(error, ERROR_INTERNAL, "burst of %llu frames: must be 1 to %llu",
			                 (unsigned long long)request->burst_frames,
			                 (unsigned long long)FRAMES_LIMIT - 1);
		pacing->frames = pacing->stop_frames = request->burst_frames;
	} else {
		int status = gap_of_load(request, link_bps, pacing, error);

		if (status)
			return status;
		if (request->duration_ot == 0 || request->duration_ot >= DURATION_LIMIT)
			return error_set(error, ERROR_INTERNAL, "duration of %llu octet times: must be 1 to %llu",
			                 (unsigned long long)request->duration_ot,
			                 (unsigned long long)DURATION_LIMIT - 1);
		pacing->duration_ot = request->duration_ot;
		pacing->frames = frames_in(request, pacing);
	}
	pacing->sending_ot = (uint64_t)(scaled_start(request, pacing, pacing->frames) / pacing->denominator) + 1;
	pacing->fps = (double)link_bps / BITS_PER_OCTET * ((double)mean.frames * (double)pacing->denominator) /
	              (double)((mean.octets + mean.frames * (uint128)(PREAMBLE_OCTETS + pacing->gap_octets)) *
	                               pacing->denominator +
	                       (uint128)mean.frames * pacing->numerator);
	return 0;
}
