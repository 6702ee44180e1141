/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the two states of drift.h share: returns, what changes slowly, counting. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_RETURN_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_RETURN_H

#include "host/base/uint128.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/skip/drift.h"

enum {
	DRIFT_LEAST = 1 << 13,          /* steps: fewer are not worth it, */
	DRIFT_LEAST_SLOW = 1 << 9,      /* where playing a frame is slow; there, */
	DRIFT_ONE_BY_ONE = 1 << 17,     /* steps: so many, or fewer, are gone through one by one */
	DRIFT_FEW = 1 << 25,            /* steps: if so many are not worth it, more are not either */
	DRIFT_MOST_MEMORY = 1 << 20,    /* steps that may matter at most */
	DRIFT_MOST_RETURN = 1 << 24,    /* steps of a return */
	DRIFT_MOST_STRETCHES = 4096,    /* stretches of a step over all returns */
	DRIFT_MOST_SETTLING = 1 << 16,  /* steps to play until a state has settled, */
	DRIFT_BURSTS_SETTLING = 1 << 22 /* the same for bursts, which nothing else goes through while it is filling */
};

static const int64_t DRIFT_MOST_PRODUCT = INT64_C(1) << 61;

/* A return of `steps`, gone through for `returns` of them. */
struct drift_return {
	int64_t steps, returns;
};

/* Two turns go on with every step: the first by `first` of 2^64 parts of a turn. The second goes on by `second` for
 * each time that the first begins anew, and for `whole` such turns with every step. */
struct drift_turns {
	uint64_t first, second;
	int64_t whole;
	double first_weight, second_weight; /* stretches that a turn of drift makes */
};

/* The return that takes the least work for so many steps, of those that are accepted; memory: how many more steps have
 * to be gone through. No returns: none is worth it. */
struct drift_return drift_choose(const struct drift_turns *turns, int64_t steps, int64_t memory,
                                 bool (*accepts)(const void *state, int64_t steps), const void *state);

static inline int128 drift_floor(int128 value, int128 parts)
{
	const int128 whole = value / parts;

	return whole - (value % parts < 0);
}

static inline int128 drift_ceil(int128 value, int128 parts)
{
	return -drift_floor(-value, parts);
}

/* The multiple of parts that is nearest to the value, divided by parts; *rest: what is left. */
static inline int128 drift_nearest(int128 value, int128 parts, int128 *rest)
{
	const int128 nearest = drift_floor(value + parts / 2, parts);

	*rest = value - nearest * parts;
	return nearest;
}

/* floor((at + i x drift) / parts) for return i: its value now, and the first return where it has another. */
struct drift_slow {
	int64_t value, until;
};

static inline struct drift_slow drift_slow(int64_t at, int64_t drift, int64_t parts, int64_t now, int64_t returns)
{
	struct drift_slow slow = {.value = 0, .until = returns};
	int64_t rest = at + now * drift, left = returns - 1 - now;

	if (rest < 0 || rest >= parts) {
		slow.value = rest / parts;
		rest -= slow.value * parts;
		if (rest < 0) {
			rest += parts;
			slow.value--;
		}
	}
	if (drift > 0 && left * drift >= parts - rest)
		slow.until = now + (parts - rest + drift - 1) / drift;
	else if (drift < 0 && left * -drift > rest)
		slow.until = now + rest / -drift + 1;
	return slow;
}

/* True if products stay in range, and few turns are made. */
static inline bool drift_is_slow(int64_t drift, int64_t parts, int64_t returns)
{
	const int128 moved = (int128)(drift < 0 ? -drift : drift) * returns;

	return moved < DRIFT_MOST_PRODUCT && moved / parts < DRIFT_MOST_STRETCHES;
}

/* False: outside of what can be counted. */
static inline bool drift_count(uint64_t *counts, int64_t span, int64_t i, int64_t times)
{
	if (i < 0 || i >= span)
		return false;
	counts[i] += (uint64_t)times;
	return true;
}

static inline int64_t drift_smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

#endif
