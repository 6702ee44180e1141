/* SPDX-License-Identifier: Apache-2.0 */
/* All fractions are exact in 128 bits until the last step. */
#include "host/trial/pacing/gap.h"

#include "host/base/uint128.h"
#include "host/trial/traffic.h"

enum { BITS_PER_OCTET = 8 };

#define UINT128_MOST (~(uint128)0)

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

struct traffic_mean pacing_mean_octets(const struct trial_request *request)
{
	return request->traffic ? traffic_mean_octets(request->traffic, trial_traffic_sender(request->traffic))
	                        : (struct traffic_mean){request->shape.frame_octets, 1};
}

/* The gap, as a fraction in lowest terms: the octet times of a frame period, less preamble and the average frame.
 * False: there is none. */
static bool gap_fraction(const struct trial_request *request, struct rate load, uint64_t link_bps, uint128 *gap_n,
                         uint128 *gap_d)
{
	const struct traffic_mean mean = pacing_mean_octets(request);
	uint128 period_n = (uint128)link_bps * load.denominator; /* octet times, start to start */
	uint128 period_d = (uint128)BITS_PER_OCTET * load.numerator;
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

int pacing_gap_of_load(const struct trial_request *request, struct rate load, uint64_t link_bps, struct pacing_gap *gap,
                       struct error *error)
{
	const struct traffic_mean mean = pacing_mean_octets(request);
	uint128 gap_n, gap_d, rest;

	if (load.numerator == 0 || load.denominator == 0)
		return error_set(error, ERROR_INTERNAL, "load %llu / %llu fps: must be above 0",
		                 (unsigned long long)load.numerator, (unsigned long long)load.denominator);
	if (!gap_fraction(request, load, link_bps, &gap_n, &gap_d) || gap_n / gap_d < request->gap_octets)
		return error_set(
		        error, ERROR_INTERNAL,
		        "load %.3f fps of %.10g octets leaves less than the minimum gap of %u octets on this link",
		        rate_fps(load), (double)mean.octets / (double)mean.frames, request->gap_octets);
	if (gap_n / gap_d >= PACING_GAP_LIMIT - 1)
		return error_set(error, ERROR_INTERNAL, "load %g fps: too slow for the device to pace", rate_fps(load));

	rest = gap_n % gap_d;
	gap->gap_octets = (uint64_t)(gap_n / gap_d);
	gap->numerator = (uint32_t)rest;
	gap->denominator = (uint32_t)gap_d;
	if (gap_d > UINT32_MAX)
		fraction_above(rest, gap_d, &gap->numerator, &gap->denominator);
	if (gap->numerator >= gap->denominator) { /* rounded up to a whole octet */
		gap->gap_octets++;
		gap->numerator = 0;
		gap->denominator = 1;
	}
	return 0;
}
