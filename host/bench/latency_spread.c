/* SPDX-License-Identifier: Apache-2.0 */
/* Puts two histograms of the same latencies together. The edges of the bins of both are powers of two apart, so that a
 * bin of one is a whole number of bins of the other, and nothing is counted twice or left out. */
#include "host/bench/latency_spread.h"

#include <math.h>
#include <stdlib.h>

/* All ports have the same bins, except for the shift of a calibration. */
static void add_piece(struct latency_spread *spread, const struct latency_piece *piece)
{
	size_t i = 0;

	if (piece->frames == 0)
		return;
	while (i < spread->count &&
	       (spread->piece[i].low_ot != piece->low_ot || spread->piece[i].high_ot != piece->high_ot))
		i++;
	if (i == spread->count) {
		spread->piece[spread->count] = *piece;
		spread->piece[spread->count++].frames = 0;
	}
	spread->piece[i].frames += piece->frames;
	spread->frames += piece->frames;
}

/* The bins of equal width from `least_ot` on. */
static void add_equal_bins(struct latency_spread *spread, const struct histogram *histogram, uint64_t least_ot)
{
	for (uint64_t i = 0; i < histogram->bins && i < HISTOGRAM_BINS; i++) {
		const uint64_t low_ot = histogram->first + i * histogram->width;

		if (low_ot >= least_ot)
			add_piece(spread, &(struct latency_piece){low_ot, low_ot + histogram->width,
			                                          histogram->count[i], false});
	}
}

static uint64_t less(uint64_t value, uint64_t offset)
{
	return value > offset ? value - offset : 0;
}

/* All edges are where the device has them, before the subtraction of a calibration. */
struct edges {
	uint64_t width, low_ot, end_ot; /* bins of equal width are used from low up to end */
	uint64_t max_ot, offset_ot;
};

/* Adds the log bins outside of these edges. Returns the number of frames in those from their end on. */
static uint64_t add_octaves(struct latency_spread *spread, const struct octaves *octaves, const struct edges *edges)
{
	uint64_t beyond = 0;

	for (uint64_t i = 0; i < octaves->bins && i < OCTAVE_BINS; i++) {
		const uint64_t low_ot = octave_low_ot(octaves->first + i);
		const uint64_t high_ot = octave_low_ot(octaves->first + i + 1);

		if (low_ot >= edges->end_ot)
			beyond += octaves->count[i];
		else if (high_ot > edges->low_ot)
			continue;
		add_piece(spread, &(struct latency_piece){less(low_ot, edges->offset_ot),
		                                          high_ot == UINT64_MAX ? edges->max_ot + 1
		                                                                : less(high_ot, edges->offset_ot),
		                                          octaves->count[i], true});
	}
	return beyond;
}

/* Frames beyond the device's bins of equal width, but in the log bin in which these end. Folded bins may end there too;
 * then the last of them has room for these frames. */
static void add_straddling(struct latency_spread *spread, uint64_t frames, const struct edges *edges)
{
	const uint64_t bin = octave_bin(edges->end_ot);
	const bool folded = octave_low_ot(bin) == edges->end_ot;
	const uint64_t low_ot = folded ? edges->end_ot - edges->width : edges->end_ot;
	const uint64_t high_ot = folded ? edges->end_ot : octave_low_ot(bin + 1);

	add_piece(spread, &(struct latency_piece){less(low_ot, edges->offset_ot), less(high_ot, edges->offset_ot),
	                                          frames, !folded});
}

static void add_port(struct latency_spread *spread, const struct trial_port *port, uint64_t max_ot)
{
	const struct histogram *histogram = &port->latency_histogram;
	const struct octaves *octaves = &port->latency_octaves;
	const uint64_t end_ot = histogram->first + histogram->bins * histogram->width;
	const struct edges edges = {.width = histogram->width,
	                            .low_ot = EQUAL_BINS_FROM * histogram->width,
	                            .end_ot = end_ot + octaves->offset,
	                            .max_ot = max_ot,
	                            .offset_ot = octaves->offset};
	uint64_t beyond;

	if (octaves->bins == 0) {
		add_equal_bins(spread, histogram, 0);
		add_piece(spread, &(struct latency_piece){end_ot, max_ot + 1, histogram->beyond, false});
		return;
	}
	beyond = add_octaves(spread, octaves, &edges);
	add_equal_bins(spread, histogram, less(edges.low_ot, edges.offset_ot));
	add_straddling(spread, less(histogram->beyond, beyond), &edges);
}

static int by_high(const void *a, const void *b)
{
	const struct latency_piece *left = a, *right = b;

	if (left->high_ot != right->high_ot)
		return left->high_ot < right->high_ot ? -1 : 1;
	return left->low_ot < right->low_ot ? -1 : left->low_ot > right->low_ot;
}

void latency_spread_add(struct latency_spread *spread, const struct trial_result *trial)
{
	struct latency_piece *grown;
	size_t most = spread->count + 1;

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		most += HISTOGRAM_BINS + 1u + (trial->port[i].latency_octaves.bins ? OCTAVE_BINS : 0u);
	grown = realloc(spread->piece, most * sizeof(*spread->piece));
	if (!grown)
		return;
	spread->piece = grown;
	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		add_port(spread, &trial->port[i], trial->latency.max_ot);
	qsort(spread->piece, spread->count, sizeof(spread->piece[0]), by_high);
}

struct latency_spread latency_spread_of(const struct trial_result *trial)
{
	struct latency_spread spread = {.count = 0};

	latency_spread_add(&spread, trial);
	return spread;
}

void latency_spread_free(struct latency_spread *spread)
{
	free(spread->piece);
	spread->piece = NULL;
}

static double value_in(const struct latency_piece *piece, const struct latency_stats *latency)
{
	const double high_ot = fmin((double)piece->high_ot, (double)latency->max_ot);
	const double low_ot = fmax((double)piece->low_ot, (double)latency->min_ot);

	return piece->octave && low_ot < high_ot ? (low_ot + high_ot) / 2 : high_ot;
}

double latency_percentile_ot(const struct latency_spread *spread, double share, const struct latency_stats *latency)
{
	double frames = 0;

	for (size_t i = 0; i < spread->count; i++) {
		frames += (double)spread->piece[i].frames;
		if (frames >= share * (double)spread->frames)
			return value_in(&spread->piece[i], latency);
	}
	return NAN;
}
