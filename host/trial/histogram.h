/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of measured values: the bins of a device, folded into few enough to keep with every trial. Pure. */
#ifndef FPGAUGE_TRIAL_HISTOGRAM_H
#define FPGAUGE_TRIAL_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BINS = 64 };

/* Bin i counts values from first + i * width up to the next bin; `beyond` counts those above the last bin. Values are
 * octet times (latency) or octets (gaps), as the member that holds the histogram says. All 0: not measured. */
struct histogram {
	uint64_t first, width;
	uint64_t beyond;
	uint64_t bins; /* bins in use; 64 bits like all members, so that equal histograms have equal octets */
	uint64_t count[HISTOGRAM_BINS];
};

/* A device's own bins: of equal width from value 0 on, and one for all values beyond. */
struct histogram_source {
	uint64_t width;
	uint32_t bins;
};

/* Finds the device's bins that can hold values from least to most, [*first, *end), and prepares ours: each covers a
 * number of device bins that is the smallest power of two with which they fit. The device's bin for values beyond is
 * not included. */
void histogram_begin(struct histogram *histogram, const struct histogram_source *source, uint64_t least, uint64_t most,
                     uint32_t *first, uint32_t *end);

/* Adds the count of a bin of the device. */
void histogram_add(struct histogram *histogram, const struct histogram_source *source, uint32_t bin, uint64_t count);

/* The sum of all bins. It may wrap if the device reports nonsense, and then matches no counter. */
uint64_t histogram_total(const struct histogram *histogram);

/* The sum of the values, each taken as the first of its bin, without those beyond. It may wrap likewise. */
uint64_t histogram_sum(const struct histogram *histogram);

/* Subtracts an offset from the values; none becomes less than 0. */
void histogram_shift(struct histogram *histogram, uint64_t offset);

#endif
