// SPDX-License-Identifier: Apache-2.0
/* The pacer in closed form. */
#include "sim/twin/pacer.h"

#include "sim/twin/divisor.h"

typedef unsigned __int128 uint128;

enum { GROUP_OCTETS = 8 };

static const uint64_t FRAMES_LIMIT = UINT64_C(1) << 52; /* more than in any trial */

void pacer_init(struct pacer *pacer, const struct pacer_settings *settings)
{
	*pacer = (struct pacer){.settings = *settings, .burst_left = settings->burst_frames};
}

uint64_t pacer_ideal_octets(const struct pacer_settings *settings, uint64_t frame)
{
	uint64_t bursts = settings->burst_frames != 0 ? frame / settings->burst_frames : 0;
	uint64_t paced = frame - bursts;
	uint128 ideal = (uint128)paced * settings->step_octets +
	                (uint128)paced * settings->numerator / settings->denominator +
	                (uint128)bursts * settings->burst_step_octets;

	return ideal < UINT64_MAX ? (uint64_t)ideal : UINT64_MAX;
}

uint64_t pacer_first_from(const struct pacer_settings *settings, uint64_t octets)
{
	uint64_t low = 0, high = FRAMES_LIMIT; /* the answer is in low .. high */

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (pacer_ideal_octets(settings, middle) >= octets)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

uint64_t pacer_period_frames(const struct pacer_settings *settings)
{
	/* A round is a frame, or a burst: the fraction advances by the same amount each time. */
	uint64_t round = settings->burst_frames != 0 ? settings->burst_frames : 1;
	uint64_t fractions = settings->burst_frames != 0 ? round - 1 : 1;
	uint64_t moved = (uint64_t)((uint128)fractions * settings->numerator % settings->denominator);
	uint128 rounds = settings->denominator / greatest_common_divisor(settings->denominator, moved);
	uint128 frames = rounds * round;
	uint64_t ideal;

	if (frames >= FRAMES_LIMIT)
		return 0;
	ideal = pacer_ideal_octets(settings, (uint64_t)frames);
	frames *= GROUP_OCTETS / greatest_common_divisor(GROUP_OCTETS, ideal % GROUP_OCTETS);
	return frames < FRAMES_LIMIT && ideal < UINT64_MAX / GROUP_OCTETS ? (uint64_t)frames : 0;
}
