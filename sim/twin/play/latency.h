/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies: their extremes and sum, and the two histograms. Latencies are multiples of a group of 8 octets. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_LATENCY_H
#define FPGAUGE_SIM_TWIN_PLAY_LATENCY_H

#include <stddef.h>
#include <stdint.h>

#include "host/base/uint128.h"
#include "sim/twin/play/clocks.h"

enum { LATENCY_BINS = 1024 }; /* bins of either histogram */

/* Latencies of a stream, or of all of them. */
struct latency {
	uint64_t min_ot, max_ot; /* UINT64_MAX and 0 without any value */
	uint128 sum_groups;
};

static inline void latency_add(struct latency *latency, uint64_t latency_ot)
{
	latency->min_ot = latency_ot < latency->min_ot ? latency_ot : latency->min_ot;
	latency->max_ot = latency_ot > latency->max_ot ? latency_ot : latency->max_ot;
	latency->sum_groups += latency_ot / GROUP_OCTETS;
}

static inline void latency_merge(struct latency *latency, const struct latency *more)
{
	latency->min_ot = more->min_ot < latency->min_ot ? more->min_ot : latency->min_ot;
	latency->max_ot = more->max_ot > latency->max_ot ? more->max_ot : latency->max_ot;
	latency->sum_groups += more->sum_groups;
}

/* The bits of a sum that a register holds, low word or high. The hardware carries at 2^61 groups, which is 2^64 octet
 * times; above that it has 16 bits. */
static inline uint64_t latency_sum_low(const struct latency *latency)
{
	return (uint64_t)latency->sum_groups * GROUP_OCTETS;
}

static inline uint64_t latency_sum_high(const struct latency *latency)
{
	return (uint64_t)(latency->sum_groups >> 61) & UINT16_MAX;
}

/* Returns log2 of the groups of 8 in a bin, which is at least one group, as in hw/rtl/rx/rx_histogram.v. */
static inline uint64_t latency_bin_shift(uint64_t width_log2)
{
	enum { GROUP_LOG2 = 3 };

	return width_log2 < GROUP_LOG2 ? 0 : width_log2 - GROUP_LOG2;
}

/* Base and latency are counted in groups. */
static inline size_t latency_bin(uint64_t base_groups, uint64_t shift, uint64_t groups)
{
	enum { REGULAR_BINS = LATENCY_BINS - 2 };
	uint64_t bin = (groups - base_groups) >> shift;

	if (groups < base_groups)
		return 0;
	return bin < REGULAR_BINS ? bin + 1 : LATENCY_BINS - 1;
}

/* A bin of the histogram of octaves, and the latencies in it, in groups. */
struct octave {
	size_t bin;
	uint64_t first, width;
};

/* rx_octave_histogram_index in docs/registers.md: 32 bins an octave. Below 64 groups a bin is one group. */
static inline struct octave latency_octave(uint64_t groups)
{
	enum { OCTAVE_LOG2 = 5, OCTAVE_BINS = 1 << OCTAVE_LOG2 };
	const unsigned shift = 63 - OCTAVE_LOG2 - (unsigned)__builtin_clzll(groups | OCTAVE_BINS);
	const uint64_t bin = shift * OCTAVE_BINS + (groups >> shift);

	return (struct octave){.bin = bin < LATENCY_BINS ? bin : LATENCY_BINS - 1,
	                       .first = groups >> shift << shift,
	                       .width = UINT64_C(1) << shift};
}

#endif
