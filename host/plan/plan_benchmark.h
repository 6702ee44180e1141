/* SPDX-License-Identifier: Apache-2.0 */
/* The facts about a benchmark that a plan must know, taken from the benchmark's row (host/bench/benchmark.h): its name,
 * the keys it takes, and what no single key shows. Nothing here knows which benchmarks exist: plan_read() gets them as
 * a family of keys, in which each set is the first member of one of these structs. */
#ifndef FPGAUGE_PLAN_PLAN_BENCHMARK_H
#define FPGAUGE_PLAN_PLAN_BENCHMARK_H

#include "host/plan/plan.h"
#include "host/plan/plan_keys.h"
#include "host/result/description.h"

/* The ports between which frames go, where the clause of a benchmark leaves no choice. */
struct plan_pattern {
	enum traffic_pattern pattern;
	bool bidirectional;   /* unless the plan says otherwise */
	bool either;          /* and it may: the clause takes both directions */
	const char *clause;   /* "RFC 2889 section 5.1.3" */
	unsigned least_ports; /* if the clause wants more than the pattern; 0: it does not */
};

struct plan_benchmark {
	struct key_set keys;  /* name and slices; the slice of all tests, KEYS_TEST, goes first */
	size_t settings_size; /* size of its own settings struct, plan_test.settings; 0: it has none */

	/* The searches it takes, a mask of BY_...; the first of them is the default; 0: all. */
	unsigned searches;
	const char *why_searches; /* follows their names in a complaint: "(RFC 9004 section 6.2)" */

	/* The reason why it makes no search and takes no key of one, for the complaint; NULL: it searches. */
	const char *why_no_search; /* "its loads are given (RFC 2544 section 26.3)" */

	/* The reason why frame sizes cannot be mixed within a trial, for the complaint; NULL: they can. */
	const char *why_unmixed;

	/* The pattern of who sends to whom, if that is not for the plan to say; NULL: it is. */
	const struct plan_pattern *pattern;

	/* Modifiers that it refuses, a mask of traffic_modifier_bit(), and why, for the complaint. */
	uint32_t refused_modifiers;
	const char *why_refused;

	/* Returns what a test sends that a device whose identity says `sends` (DEVICE_SENDS_...) cannot send, with
	 * clause and the key that leaves it out: "frames below 64 octets (RFC 2889 section 5.9.3)"; NULL: it can. May
	 * be NULL, if whole frames with gaps of 12 octets or more are all that it sends. */
	const char *(*cannot_send)(const struct plan_test *test, uint32_t sends);

	/* The clause by which its ports need TCP connections, which not every device has; NULL: they do not. */
	const char *needs_tcp;

	/* It depends on results of an earlier test, and must have the same traffic as that test. NULL: on none. */
	const char *prerequisite;        /* name of that benchmark */
	const char *prerequisite_clause; /* "RFC 9004 section 5" */
	bool needs_prerequisite;         /* it measures nothing without such a result, unless the plan gives `load` */

	/* Sets defaults that follow from other settings; then refuses settings that contradict one another, the link or
	 * the RFC. group: the test in the plan, for the places of complaints. Goals are not read yet. May be NULL. */
	int (*finish)(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);

	/* The program that it starts, which ends with NULL; NULL: it starts none. May be NULL. */
	const char *const *(*command)(const struct plan_test *test);

	/* Descriptions of what its results mean in limits, reports and comparisons: the first one that applies to a
	 * result counts; ends with NULL. */
	const struct result_description *const *results;

	/* Returns which of them will describe the results of a test whose goals have been read. NULL: the first. */
	const struct result_description *(*results_of)(const struct plan_test *test);
};

/* Called in finish(): refuses a rate above line rate at some frame size, which is a mistake in the number or in the
 * link. A key that is not in the group passes, and so does a percentage. */
int plan_check_rate(const struct plan *plan, const struct plan_test *test, const struct node *group, const char *key,
                    const struct quantity *quantity, struct error *error);

#endif
