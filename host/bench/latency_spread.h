/* SPDX-License-Identifier: Apache-2.0 */
/* Distributes the latencies of a trial, over all ports: from the histograms of the ports, each where its bins are
 * the finer ones. Pure. */
#ifndef FPGAUGE_BENCH_LATENCY_SPREAD_H
#define FPGAUGE_BENCH_LATENCY_SPREAD_H

#include <stddef.h>

#include "host/trial/tester.h"

/* Frames with a latency from low up to, but not including, high. */
struct latency_piece {
	uint64_t low_ot, high_ot, frames;
	bool octave; /* its width grows with its latency */
};

/* Pieces in order of latency; none is empty. */
struct latency_spread {
	struct latency_piece *piece;
	size_t count;
	uint64_t frames;
};

/* The spread is to be freed by latency_spread_free(). It is empty if no histogram was read, or when out of memory. */
struct latency_spread latency_spread_of(const struct trial_result *trial);

/* Adds the latencies of another trial; all 0 is the spread of none. Where its bins have other edges, because they were
 * read in another width, both are kept. Unchanged when out of memory. */
void latency_spread_add(struct latency_spread *spread, const struct trial_result *trial);
void latency_spread_free(struct latency_spread *spread);

/* The latency that a share of the frames, 0 to 1, does not exceed; NAN if the spread is empty. It is at most 3% off:
 * of the bin that holds the last of these frames, it is the upper edge, or the middle if it is a log bin, but not
 * outside the smallest and the largest latency. */
double latency_percentile_ot(const struct latency_spread *spread, double share, const struct latency_stats *latency);

#endif
