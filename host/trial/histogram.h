/* SPDX-License-Identifier: Apache-2.0 */
/* How measured values spread: the bins of a device, folded into few enough to keep with every trial. Pure. */
#ifndef FPGAUGE_TRIAL_HISTOGRAM_H
#define FPGAUGE_TRIAL_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BINS = 64 };

/* Bin i counts values from first + i * width up to the next bin; beyond counts those above the last one. Values are
 * octet times of latency or octets of gap, as the member that has the histogram says. All 0: nobody measured. */
struct histogram {
	uint64_t first, width;
	uint64_t beyond;
	uint64_t bins; /* in use; 64 bits as all of it, so that equal octets are equal histograms */
	uint64_t count[HISTOGRAM_BINS];
};

/* A device's own bins: equal ones from value 0 on, and one for all beyond them. */
struct histogram_source {
	uint64_t width;
	uint32_t bins;
};

/* Bins of the device that values from least to most can be in, [*first, *end), and room for them in as few bins of ours
 * as there are: the smallest power of two of device bins makes one. What is beyond the device's bins is not in it. */
void histogram_begin(struct histogram *histogram, const struct histogram_source *source, uint64_t least, uint64_t most,
                     uint32_t *first, uint32_t *end);

/* Counts what a bin of the device has. */
void histogram_add(struct histogram *histogram, const struct histogram_source *source, uint32_t bin, uint64_t count);

/* All that was counted. Wraps with a hostile device, and then equals no counter. */
uint64_t histogram_total(const struct histogram *histogram);

/* The same values less an offset; none becomes less than 0. */
void histogram_shift(struct histogram *histogram, uint64_t offset);

#endif
