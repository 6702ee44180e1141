// SPDX-License-Identifier: Apache-2.0
/* The choice of a return. */
#include "sim/twin/skip/drift_return.h"

static double distance(uint64_t turn)
{
	return (double)(turn < -turn ? turn : -turn) * 0x1p-64;
}

/* Numbers may be rounded here, because this is only a choice. Going through fewer steps than the best sum of work so
 * far cannot be better. */
struct drift_return drift_choose(const struct drift_turns *turns, int64_t steps, int64_t memory,
                                 bool (*accepts)(const void *state, int64_t steps), const void *state)
{
	const double all = (double)steps;
	struct drift_return best = {.steps = 1, .returns = 0};
	double least = all / 4;
	uint64_t first = 0, second = 0;

	for (int64_t i = 1; i < DRIFT_MOST_RETURN && i <= steps / 2 && (double)(i + memory) < least; i++) {
		const uint64_t before = first;
		uint64_t nearest;
		double drift, work;

		first += turns->first;
		second += turns->second * ((uint64_t)turns->whole + (first < before));
		nearest = second + (first >> 63 ? turns->second : 0);
		drift = turns->first_weight * distance(first) + turns->second_weight * distance(nearest);
		work = (double)(i + memory) * (1 + drift * (all / (double)i));
		if (work < least && accepts(state, i)) {
			least = work;
			best = (struct drift_return){.steps = i, .returns = steps / i};
		}
	}
	return best;
}
