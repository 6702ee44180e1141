/* SPDX-License-Identifier: Apache-2.0 */
/* Latency of a trial: bounds and mean, percentiles, and the histogram they are read from, as JSON. */
#include <math.h>

#include "host/bench/latency_spread.h"
#include "host/bench/result.h"

/* RFC 8239 section 2.3 asks for minimum, average and maximum and recommends a histogram. Percentiles are custom. */
static const struct {
	const char *key;
	double share;
} PERCENTILES[] = {
        {"latency_p50_ns", 0.5}, {"latency_p90_ns", 0.9}, {"latency_p99_ns", 0.99}, {"latency_p99_9_ns", 0.999}};

static json_t *histogram_of(const struct latency_spread *spread, double ns)
{
	json_t *list = json_array();

	for (size_t i = 0; i < spread->count; i++) {
		const struct latency_piece *piece = &spread->piece[i];
		json_t *bin = json_object();

		result_number(bin, "from_ns", (double)piece->low_ot * ns);
		result_number(bin, "to_ns", (double)piece->high_ot * ns);
		result_count(bin, "frames", piece->frames);
		json_array_append_new(list, bin);
	}
	return list;
}

void result_latency_of(json_t *result, const struct session *session, const struct latency_stats *latency,
                       const struct latency_spread *spread)
{
	const double ns = session_seconds(session, 1) * NS_PER_S;
	const bool known = latency->frames != 0;

	result_number(result, "latency_min_ns", known ? (double)latency->min_ot * ns : NAN);
	result_number(result, "latency_mean_ns", known ? latency->mean_ot * ns : NAN);
	for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++)
		result_number(result, PERCENTILES[i].key,
		              latency_percentile_ot(spread, PERCENTILES[i].share, latency) * ns);
	result_number(result, "latency_max_ns", known ? (double)latency->max_ot * ns : NAN);
	json_object_set_new(result, "latency_histogram", histogram_of(spread, ns));
}

void result_latency(json_t *result, const struct session *session, const struct trial_result *trial)
{
	struct latency_spread spread = latency_spread_of(trial);

	result_latency_of(result, session, &trial->latency, &spread);
	latency_spread_free(&spread);
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

void result_variation(json_t *result)
{
	static const struct {
		const char *key, *of;
	} VALUES[] = {{"pdv_mean_ns", "latency_mean_ns"},
	              {"pdv_p99_9_ns", "latency_p99_9_ns"},
	              {"pdv_max_ns", "latency_max_ns"}};
	const double least = result_get(result, "latency_min_ns");

	for (size_t i = 0; i < sizeof(VALUES) / sizeof(VALUES[0]); i++) {
		const double more = result_get(result, VALUES[i].of) - least;

		result_number(result, VALUES[i].key, more < 0 ? 0 : more); /* by rounding */
	}
}
