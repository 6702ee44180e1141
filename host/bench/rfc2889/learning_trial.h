/* SPDX-License-Identifier: Apache-2.0 */
/* The trials of tests of an address table: one iteration of the algorithm of RFC 2889 5.7.3, and the measurement of the
 * ageing time on which it rests. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_TRIAL_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_TRIAL_H

#include <jansson.h>

#include "host/bench/result.h"
#include "host/bench/rfc2889/learning_keys.h"
#include "host/bench/session.h"
#include "host/result/metric.h"

/* The knowledge of the ageing time. */
struct ageing {
	double above_s,
	        s; /* the address was known after the first, and not any more after the second; NAN: not measured */
	uint64_t pause_ns; /* so long an iteration waits: longer than the device remembers */
	double shortest_s; /* shortest ageing time that the device is known to have */
};

/* A search over iterations, and what they found. */
struct learning {
	struct session *session;
	struct search_config config;
	struct search *search;
	struct ageing ageing;
	json_t *iterations; /* rows */
	struct counter_sums sums;
	uint64_t upper_flood_frames; /* frames of the last iteration that failed; COUNT_UNKNOWN: none did */
	bool taught_unknown;         /* frames to the test port were flooded in some iteration */
};

/* The meaning of a point of its search. */
struct learning_point {
	uint64_t addresses, learning_fps;
};

/* Measures the ageing time, or believes the plan. 0, SESSION_INVALID or a negative error. */
int learning_measure_ageing(struct learning *learning, struct error *error);

/* Waits, teaches, asks; adds a row, and tells the search. 0, SESSION_INVALID or a negative error. */
int learning_iterate(struct learning *learning, const struct learning_point *point, struct error *error);

/* Sets what both tests report in the same way: `ageing_s`, `ageing_above_s`, `iterations`, `flood_frames`, `counters`,
 * and flags of the ageing time. */
void learning_report(const struct learning *learning, json_t *result);
extern const struct metric_slice LEARNING_METRICS;
extern const struct result_listing LEARNING_ROWS;

/* The differences between the two tests. */
struct learning_test {
	json_t *(*parameters)(const struct session *session);
	/* Measures the ageing time and searches. 0, SESSION_INVALID or a negative error. */
	int (*search)(struct learning *learning, struct error *error);
	/* found: NULL if the search did not end. */
	void (*report)(const struct learning *learning, const struct search_result *found, json_t *result);
};

/* Makes the trials of either test, for benchmark.run. */
int learning_run(struct session *session, const struct learning_test *test, struct error *error);

/* Parameters of both tests. */
json_t *learning_parameters(const struct session *session);
#define LEARNING_PARAMETERS                                                                                            \
	{"Ports",                                                                                                      \
	 "port 0 learns (Lport), port 1 tests (Tport), all others monitor (Mport); frames go one way at a time",       \
	 false},                                                                                                       \
	        {"Iteration",                                                                                          \
	         "wait until all addresses are forgotten; Tport broadcasts one frame; Lport sends one frame from "     \
	         "each "                                                                                               \
	         "address; Tport sends one frame to each, {test_rate_fps} a second",                                   \
	         false},                                                                                               \
	        {"Addresses", "{first_address} and following, {address_order}[, seed {seed}]", false},                 \
	        {"Ageing time", "{ageing_given_s} by the plan[measure_ageing=true , measured first]", false},          \
	{                                                                                                              \
		"Waits", "settle {settle_s}, drain at most {drain_s}", false                                           \
	}

#endif
