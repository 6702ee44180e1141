/* SPDX-License-Identifier: Apache-2.0 */
/* Latency of a trial: bounds and mean, percentiles, and the histogram they are read from, as JSON. */
#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/latency_spread.h"
#include "host/bench/result.h"
#include "host/trial/judging/sum.h"

/* RFC 8239 section 2.3 asks for minimum, average and maximum and recommends a histogram. Percentiles are custom. */
static const struct {
	const char *key;
	double share;
} PERCENTILES[] = {
        {"latency_p50_ns", 0.5}, {"latency_p90_ns", 0.9}, {"latency_p99_ns", 0.99}, {"latency_p99_9_ns", 0.999}};

static json_t *histogram_of(const struct latency_spread *spread, uint64_t link_bps)
{
	json_t *list = json_array();

	for (size_t i = 0; i < spread->count; i++) {
		const struct latency_piece *piece = &spread->piece[i];
		json_t *bin = json_object();

		result_number(bin, "from_ns", ns_from_octet_times(piece->low_ot, link_bps));
		result_number(bin, "to_ns", ns_from_octet_times(piece->high_ot, link_bps));
		result_count(bin, "frames", piece->frames);
		json_add(list, bin);
	}
	return list;
}

void result_latency_of(json_t *result, const struct session *session, const struct latency_stats *latency,
                       const struct latency_spread *spread)
{
	const uint64_t link_bps = session_link_bps(session);

	result_row_latency(result, latency, link_bps);
	for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++)
		result_number(result, PERCENTILES[i].key,
		              ns_from_mean(latency_percentile_ot(spread, PERCENTILES[i].share, latency), 1, link_bps));
	json_put(result, "latency_histogram", histogram_of(spread, link_bps));
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
	json_put(result, "latency_histogram", json_array());
}

void result_variation_of(json_t *result, const struct session *session, const struct latency_stats *latency,
                         const struct latency_spread *spread)
{
	const double late_ot = latency_percentile_ot(spread, 0.999, latency) - (double)latency->min_ot;
	const uint64_t link_bps = session_link_bps(session);
	const bool known = latency->frames != 0;
	struct latency_stats above = *latency;

	trial_shift_latency(&above, latency->min_ot);
	result_number(result, "pdv_mean_ns", known ? ns_from_mean(above.mean_ot, above.frames, link_bps) : NAN);
	result_number(result, "pdv_p99_9_ns", known ? ns_from_mean(late_ot, 1, link_bps) : NAN);
	result_number(result, "pdv_max_ns", known ? ns_from_octet_times(above.max_ot, link_bps) : NAN);
}

void result_variation(json_t *result, const struct session *session, const struct trial_result *trial)
{
	struct latency_spread spread = latency_spread_of(trial);

	result_variation_of(result, session, &trial->latency, &spread);
	latency_spread_free(&spread);
}

void result_variation_unknown(json_t *result)
{
	static const char *const UNKNOWN[] = {"pdv_mean_ns", "pdv_p99_9_ns", "pdv_max_ns"};

	for (size_t i = 0; i < sizeof(UNKNOWN) / sizeof(UNKNOWN[0]); i++)
		result_number(result, UNKNOWN[i], NAN);
}
