// SPDX-License-Identifier: Apache-2.0
/* Draws of the model faults. Hits are rare as a rule, so that looking for the next one comes first: it takes a fraction
 * of a nanosecond a draw, and what follows goes from hit to hit. */
#include "sim/dut/faults_draws.h"

#include "sim/dut/random.h"

enum { AT_ONCE = 32 };

/* Draws as many as it takes for the first hit to be among the next few, or for few to be left of `most`. Returns how
 * many. */
static inline __attribute__((always_inline)) uint64_t draw_misses(uint64_t draws, uint64_t limit, uint64_t most)
{
	uint64_t misses = 0;

	for (; most - misses >= AT_ONCE; misses += AT_ONCE) {
		uint64_t state = draws + misses * SPLITMIX64_STEP, hits = 0;

		for (unsigned i = 0; i < AT_ONCE; i++)
			hits += splitmix64(&state) <= limit;
		if (hits != 0)
			break;
	}
	return misses;
}

#if defined(__x86_64__)
/* Draws with eight products of 64 bits at a time. */
static __attribute__((noinline, target("avx512f,avx512dq"))) uint64_t draw_misses_wide(uint64_t draws, uint64_t limit,
                                                                                       uint64_t most)
{
	return draw_misses(draws, limit, most);
}
#endif

/* Not inlined, so that the constants of the generator stay in registers. */
static __attribute__((noinline)) uint64_t draw_misses_plain(uint64_t draws, uint64_t limit, uint64_t most)
{
	return draw_misses(draws, limit, most);
}

/* Draws up to the first hit, at most `most`; returns those before it. */
static uint64_t draw_to_hit(struct fault *fault, uint64_t most)
{
	uint64_t misses;
	bool hit = false;

#if defined(__x86_64__)
	if (most >= 8 * AT_ONCE && __builtin_cpu_supports("avx512dq"))
		misses = draw_misses_wide(fault->draws, fault->limit, most);
	else
#endif
		misses = draw_misses_plain(fault->draws, fault->limit, most);
	fault->draws += misses * SPLITMIX64_STEP;
	while (!hit && misses < most) {
		hit = splitmix64(&fault->draws) <= fault->limit;
		misses += !hit;
	}
	fault->hits = hit;
	return misses;
}

uint64_t fault_spares(struct fault *fault, uint64_t most)
{
	if (fault->spared < most && !fault->hits)
		fault->spared += draw_to_hit(fault, most - fault->spared);
	return fault->spared < most ? fault->spared : most;
}

void fault_skip(struct fault *fault, uint64_t frames)
{
	fault->spared -= frames;
}

static void draw_at_random(struct fault *fault, uint8_t bit, uint8_t *hits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const size_t spared = (size_t)fault_spares(fault, count - i);

		fault_skip(fault, spared);
		i += spared;
		if (i == count)
			return;
		hits[i] |= bit;
		fault->hits = false;
	}
}

static void draw_every(struct fault *fault, uint8_t bit, uint8_t *hits, size_t count)
{
	size_t i = fault->left - 1;

	for (; i < count; i += fault->every)
		hits[i] |= bit;
	fault->left = (uint32_t)(i - count + 1);
}

void fault_draw(struct fault *fault, uint8_t bit, uint8_t *hits, size_t count)
{
	if (fault->at_random)
		draw_at_random(fault, bit, hits, count);
	else
		draw_every(fault, bit, hits, count);
}
