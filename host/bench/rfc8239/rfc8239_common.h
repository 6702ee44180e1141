/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of RFC 8239 share this: repetitions, and how far their results vary (section 3.3); what stands between
 * tester and device (RFC 8238 section 4). */
#ifndef FPGAUGE_BENCH_RFC8239_RFC8239_COMMON_H
#define FPGAUGE_BENCH_RFC8239_RFC8239_COMMON_H

#include <jansson.h>

#include "host/bench/benchmark.h"
#include "host/bench/session.h"
#include "host/plan/plan_keys.h"

/* The first member of the settings of each test. */
struct rfc8239_settings {
	unsigned repetitions;
	const char *physical_layer; /* worded as in the plan; NULL: it says nothing */
};

static inline const struct rfc8239_settings *rfc8239_settings(const struct plan_test *test)
{
	return test->settings;
}

extern const struct key_slice RFC8239_KEYS;

/* Refuses an external program, for finish(): it reports the sums of all ports; these tests need the counts of each. */
int rfc8239_refuse_program(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error);

/* The variation between the results of repetitions. The percentage of variation of one is 100 (x2 - x1) / x1, where x1
 * is the one before (RFC 8239 section 3.3): 0 if both are 0, unknown if only x1 is. NAN: unknown, as with one
 * repetition. */
struct variation {
	double min, mean, max;  /* the percentages of variation */
	double relative_stddev; /* 100 x sample standard deviation / mean (section 1.2: below 10%) */
};

/* Values that are NAN, and all of which the neighbour is NAN, do not count. */
struct variation variation_of(const double *values, size_t count);

/* Sets `variation_percent` and `relative_stddev_percent`. */
void variation_report(const struct variation *variation, json_t *object);

/* A flag if what was measured varies by 10% or more. */
void variation_flag(const struct variation *variation, const char *what, json_t *result);

/* The metrics of those two keys, which are about what `answer` names. */
extern const struct metric_slice VARIATION_METRICS;

/* The same two keys in a list, each about its own item. */
#define VARIATION_ITEMS                                                                                                \
	{.key = "variation_percent", .unit = METRIC_OBJECT, .definition = "variation"},                                \
	{                                                                                                              \
		"relative_stddev_percent", "Rel. StdDev, %", METRIC_PERCENT, .places = 3                               \
	}

/* Columns of a table, the outer ones not on a terminal. */
#define VARIATION_COLUMNS                                                                                              \
	{.key = "variation_percent.min", .details = true}, {.key = "variation_percent.mean"},                          \
	        {.key = "variation_percent.max", .details = true},                                                     \
	{                                                                                                              \
		.key = "relative_stddev_percent", .sql = true                                                          \
	}

/* Parameters of every test, to which the caller adds its own. */
json_t *rfc8239_parameters(const struct session *session);

#define RFC8239_PARAMETERS                                                                                             \
	{"Ports", "{ports}; RFC 8239 section 2.3 assumes nine or more", false},                                        \
	        {"Repetitions", "N = {repetitions}", false}, {"Physical layer", "{physical_layer}", false},            \
	{                                                                                                              \
		"Tester accuracy",                                                                                     \
		        "frames begin, and are timestamped, on multiples of {timestamp_step_ns} (RFC 8238 section "    \
		        "4.3)",                                                                                        \
		        false                                                                                          \
	}

/* The parameter of tests that say port by port who sends to whom (port_traffic.h): the plan's pattern is that of the
 * addresses. */
#define RFC8239_TRAFFIC                                                                                                \
	{                                                                                                              \
		"Traffic", "unicast, DSCP and CoS 0, addresses for each pair of ports: {addresses}[, VLAN {vlan}]",    \
		        false                                                                                          \
	}

#endif
