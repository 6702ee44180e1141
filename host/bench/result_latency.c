/* SPDX-License-Identifier: Apache-2.0 */
/* Latency of a trial: bounds and mean, percentiles, and the histogram they are read from. */
#include <math.h>
#include <stdlib.h>

#include "host/bench/result.h"

/* RFC 8239 section 2.3 asks for minimum, average and maximum and recommends a histogram. Percentiles are custom. */
static const struct {
	const char *key;
	double share;
} PERCENTILES[] = {
        {"latency_p50_ns", 0.5}, {"latency_p90_ns", 0.9}, {"latency_p99_ns", 0.99}, {"latency_p99_9_ns", 0.999}};

enum { MAX_PIECES = TRIAL_MAX_PORTS * (HISTOGRAM_BINS + 1) };

/* Frames with a latency from low up to, but not including, high. */
struct piece {
	uint64_t low_ot, high_ot, frames;
};

struct spread {
	struct piece piece[MAX_PIECES];
	size_t count;
	uint64_t frames;
};

/* All ports have the same bins, except for the shift of a calibration. */
static void add_piece(struct spread *spread, const struct piece *piece)
{
	size_t i = 0;

	if (piece->frames == 0)
		return;
	while (i < spread->count &&
	       (spread->piece[i].low_ot != piece->low_ot || spread->piece[i].high_ot != piece->high_ot))
		i++;
	if (i == spread->count)
		spread->piece[spread->count++] = (struct piece){piece->low_ot, piece->high_ot, 0};
	spread->piece[i].frames += piece->frames;
	spread->frames += piece->frames;
}

static void add_port(struct spread *spread, const struct trial_port *port, uint64_t max_ot)
{
	const struct histogram *histogram = &port->latency_histogram;
	const uint64_t end_ot = histogram->first + histogram->bins * histogram->width;

	for (uint64_t i = 0; i < histogram->bins; i++) {
		const uint64_t low_ot = histogram->first + i * histogram->width;

		add_piece(spread, &(struct piece){low_ot, low_ot + histogram->width, histogram->count[i]});
	}
	add_piece(spread, &(struct piece){end_ot, max_ot + 1, histogram->beyond});
}

static int by_high(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	if (left->high_ot != right->high_ot)
		return left->high_ot < right->high_ot ? -1 : 1;
	return left->low_ot < right->low_ot ? -1 : left->low_ot > right->low_ot;
}

/* The latency that a share of the frames does not exceed: the upper edge of the bin that holds the last of them, or the
 * largest latency if that is less. */
static double percentile_ot(const struct spread *spread, double share, uint64_t max_ot)
{
	double frames = 0;

	for (size_t i = 0; i < spread->count; i++) {
		frames += (double)spread->piece[i].frames;
		if (frames >= share * (double)spread->frames)
			return (double)(spread->piece[i].high_ot < max_ot ? spread->piece[i].high_ot : max_ot);
	}
	return NAN;
}

static json_t *histogram_of(const struct spread *spread, double ns)
{
	json_t *list = json_array();

	for (size_t i = 0; i < spread->count; i++) {
		const struct piece *piece = &spread->piece[i];
		json_t *bin = json_object();

		result_number(bin, "from_ns", (double)piece->low_ot * ns);
		result_number(bin, "to_ns", (double)piece->high_ot * ns);
		result_count(bin, "frames", piece->frames);
		json_array_append_new(list, bin);
	}
	return list;
}

void result_latency(json_t *result, const struct session *session, const struct trial_result *trial)
{
	const double ns = session_seconds(session, 1) * NS_PER_S;
	const struct latency_stats *latency = &trial->latency;
	const bool known = latency->frames != 0;
	struct spread spread = {.count = 0};

	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		add_port(&spread, &trial->port[i], latency->max_ot);
	qsort(spread.piece, spread.count, sizeof(spread.piece[0]), by_high);
	result_number(result, "latency_min_ns", known ? (double)latency->min_ot * ns : NAN);
	result_number(result, "latency_mean_ns", known ? latency->mean_ot * ns : NAN);
	for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++)
		result_number(result, PERCENTILES[i].key,
		              percentile_ot(&spread, PERCENTILES[i].share, latency->max_ot) * ns);
	result_number(result, "latency_max_ns", known ? (double)latency->max_ot * ns : NAN);
	json_object_set_new(result, "latency_histogram", histogram_of(&spread, ns));
}

void result_latency_unknown(json_t *result)
{
	static const char *const UNKNOWN[] = {"latency_min_ns", "latency_mean_ns", "latency_max_ns"};

	for (size_t i = 0; i < sizeof(UNKNOWN) / sizeof(UNKNOWN[0]); i++)
		result_number(result, UNKNOWN[i], NAN);
	for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++)
		result_number(result, PERCENTILES[i].key, NAN);
	json_object_set_new(result, "latency_histogram", json_array());
}
