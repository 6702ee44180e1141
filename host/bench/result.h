/* SPDX-License-Identifier: Apache-2.0 */
/* Result objects, built in one place. Keys: docs/results.md. What was not measured is null, never 0. */
#ifndef FPGAUGE_BENCH_RESULT_H
#define FPGAUGE_BENCH_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/base/port_counters.h"
#include "host/bench/latency_spread.h"
#include "host/bench/session.h"

/* Sums over the trials that decided something. */
struct counter_sums {
	uint64_t trials;
	uint64_t offered_frames, received_frames, lost_frames, far_reordered_frames;
	PORT_COUNTERS(COUNTER_MEMBER)
	uint64_t foreign[FOREIGN_KINDS], foreign_unread_frames, host_frames;
	uint64_t broadcast_offered_frames, broadcast_expected_frames, broadcast_received_frames;
	uint64_t management_queries, management_answers, management_wrong_frames, routing_updates;
};

void counters_add(struct counter_sums *sums, const struct trial_result *result);

/* Opens a result: test, rfc, frame_octets, sizes, modifier, valid = true, why_invalid = null, max_theoretical_fps,
 * empty flags, truth. clause: what this is a result of, usually the benchmark's. */
json_t *result_begin(const struct session *session, const char *clause);

/* intended_load_fps and offered_load_fps of the trial that settled a result, where the two differ. */
void result_load(json_t *result, const struct trial_load *load);

/* Parameters that every test has: search, waits, traffic. The caller adds its own. */
json_t *result_parameters(const struct session *session);

void result_invalid(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_flag(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_number(json_t *object, const char *key, double value);  /* NAN is null */
void result_count(json_t *object, const char *key, uint64_t value); /* a value above 2^63 - 1 is null */
void result_counters(json_t *object, const char *key, const struct counter_sums *sums);

/* Adds the counters of the modifiers of a test that are missing, because none of their frames was sent: trials of fewer
 * than 100 frames have no broadcasts, which is a count too. */
void result_count_none(const struct session *session, json_t *counters);

/* Latency of a trial: smallest, mean, percentiles, largest, and the non-empty bins. Percentiles are null and the
 * histogram is empty where none was taken: for an external program, and for a trial with loss. */
void result_latency(json_t *result, const struct session *session, const struct trial_result *trial);
/* The same of several trials: statistics of all their frames, frames 0 where nothing is known, and their spread. */
void result_latency_of(json_t *result, const struct session *session, const struct latency_stats *latency,
                       const struct latency_spread *spread);
void result_latency_unknown(json_t *result); /* no trial settled the result */
/* Sets pdv_mean_ns, pdv_p99_9_ns and pdv_max_ns in the same three ways: the PDV of a frame is its latency less the
 * smallest one (RFC 5481 section 4.2). */
void result_variation(json_t *result, const struct session *session, const struct trial_result *trial);
void result_variation_of(json_t *result, const struct session *session, const struct latency_stats *latency,
                         const struct latency_spread *spread);
void result_variation_unknown(json_t *result);

enum { RESULT_FOREIGN_TEXT = 256 };

/* The kinds of unexpected frames, as " (3 arp, 1 lldp)"; nothing where none is known. Returns text. */
const char *result_foreign_text(const struct counter_sums *sums, char text[RESULT_FOREIGN_TEXT]);

/* Sets `ports` and `flows`: what each port and each flow sent and received in a trial; empty if the trial is NULL or by
 * an external program. And `flow_count`, with a flag if there are more flows than rows. */
void result_ports(json_t *result, const struct session *session, const struct trial_result *trial);

/* Sets `upper_ports` and `upper_flows` in the same way. */
void result_upper_ports(json_t *result, const struct session *session, const struct trial_result *trial);

/* Rows of flows; of ports, result_ports.c. */
json_t *result_flow_rows(const struct session *session, const struct trial_result *trial);

/* Sets latency_min_ns, latency_mean_ns and latency_max_ns of a row. */
void result_row_latency(json_t *row, const struct latency_stats *latency, uint64_t link_bps);

/* Adds the counts of trials, names frames with a changed payload in a flag, and appends to the context's results; takes
 * over the reference. 0 or ERROR_INTERNAL. */
int result_finish(struct session *session, json_t *result, struct error *error);

/* An earlier result of the test with that name, for the same frame size or mix and the same traffic with the same
 * modifiers, that is valid and
 * has a number under the key; the last one when there are several, NULL when there is none. Borrowed. */
json_t *result_find(const struct session *session, const char *test, const char *key);

/* A number from a result; NAN when it is null or missing. */
double result_get(const json_t *result, const char *key);

#endif
