/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of latencies in bins whose width grows with them, as the device counts it beside the one of equal
 * bins: 32 bins an octave, so that no latency is too large for it (rx_octave_histogram in docs/registers.md). Pure. */
#ifndef FPGAUGE_TRIAL_OCTAVES_H
#define FPGAUGE_TRIAL_OCTAVES_H

#include <stdbool.h>
#include <stdint.h>

#include "host/trial/histogram.h"

enum {
	OCTAVE_BINS = 1024, /* bins of every device; the last also holds everything beyond */
	/* A bin of equal width is used from this many times its width on. Below, it is more than 3% of its latencies.
	 */
	EQUAL_BINS_FROM = 34,
};

/* The device's bins `first` to `first` + `bins` - 1. All 0: not read. 64 bits like a histogram's, for the same reason.
 */
struct octaves {
	uint64_t offset; /* subtracted from all latencies, in octet times: as much as from those of the histogram */
	uint64_t first, bins;
	uint64_t count[OCTAVE_BINS];
};

/* The bin of a latency, and the smallest latency of a bin, in octet times; UINT64_MAX behind the last bin. */
uint32_t octave_bin(uint64_t latency_ot);
uint64_t octave_low_ot(uint64_t bin);

/* True if the histogram leaves latencies from least to most in bins that are too wide, so that log bins are needed. */
bool octaves_needed(const struct histogram *histogram, uint64_t least, uint64_t most);

/* The sum of all bins. It may wrap if the device reports nonsense, and then matches no counter. */
uint64_t octaves_total(const struct octaves *octaves);

#endif
