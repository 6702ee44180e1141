// SPDX-License-Identifier: Apache-2.0
/* Turns, and what has arrived of each flow. */
#include "sim/twin/skip/drift_flows.h"

#include <string.h>

void drift_arrange(struct drift_flows *flows)
{
	int64_t last[DRIFT_FLOWS] = {0};

	memset(flows->frames, 0, sizeof(flows->frames));
	flows->most_back = 1;
	flows->gone_turns = 0;
	/* The first time through, only to learn which one is the last of each flow. */
	for (int64_t k = 0; k < 2 * flows->period; k++) {
		struct drift_turn *turn = &flows->turn[k % flows->period];

		if (k >= flows->period) {
			turn->rank = (uint16_t)flows->frames[turn->flow]++;
			turn->back = (uint16_t)(k - last[turn->flow]);
			flows->turn[last[turn->flow] % flows->period].asked = turn->back != 1;
			turn->gone = flows->gone[turn->flow];
			flows->gone_turns += turn->gone;
			if (!turn->gone && turn->back > flows->most_back)
				flows->most_back = turn->back;
		}
		last[turn->flow] = k;
	}
}

void drift_arrive_none(const struct drift_flows *flows, struct drift_arrived *arrived)
{
	for (size_t i = 0; i < flows->flows; i++) {
		arrived->last[i] = -1 - flows->behind[i];
		arrived->window[i] = flows->window[i];
	}
}

static uint64_t window_after(uint64_t window, int64_t ahead)
{
	return ahead < 64 ? window << ahead : 0;
}

void drift_arrive_all(const struct drift_flows *flows, int64_t frames, struct drift_arrived *arrived)
{
	int64_t count[DRIFT_FLOWS];

	for (size_t i = 0; i < flows->flows; i++)
		count[i] = frames / flows->period * flows->frames[i];
	for (int64_t k = 0; k < frames % flows->period; k++)
		count[flows->turn[k].flow]++;
	drift_arrive_none(flows, arrived);
	for (size_t i = 0; i < flows->flows; i++) {
		if (flows->gone[i])
			continue;
		arrived->last[i] = count[i] - 1;
		arrived->window[i] =
		        count[i] < 64 ? window_after(flows->window[i], count[i]) | ((UINT64_C(1) << count[i]) - 1)
		                      : UINT64_MAX;
	}
}

int64_t drift_arrive(const struct drift_flows *flows, int64_t k, struct drift_arrived *arrived)
{
	const struct drift_turn *turn = drift_turn(flows, k);
	const int64_t number = k / flows->period * flows->frames[turn->flow] + turn->rank;
	const int64_t ahead = number - arrived->last[turn->flow];

	arrived->window[turn->flow] = window_after(arrived->window[turn->flow], ahead) | 1;
	arrived->last[turn->flow] = number;
	return ahead - 1;
}
