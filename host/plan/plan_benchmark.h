/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan must know of a benchmark, which the row of the benchmark has (host/bench/benchmark.h): its name, the keys
 * that it takes, and what no single key shows. Nothing here knows which benchmarks there are: plan_read() is given them
 * as a family of keys, each set of which is the first member of one of these. */
#ifndef FPGAUGE_PLAN_PLAN_BENCHMARK_H
#define FPGAUGE_PLAN_PLAN_BENCHMARK_H

#include "host/plan/plan.h"
#include "host/plan/plan_keys.h"
#include "host/result/description.h"

struct plan_benchmark {
	struct key_set keys;  /* name and slices; the slice of all tests, KEYS_TEST, goes first */
	size_t settings_size; /* of its own settings struct, plan_test.settings; 0: it has none */

	/* Searches that it takes, a mask of BY_..., of which the first is the default; 0: all. */
	unsigned searches;
	const char *why_searches; /* behind their names in a complaint: "(RFC 9004 section 6.2)" */

	/* Why frame sizes cannot be mixed within a trial, for the complaint. */
	const char *why_unmixed;

	/* It rests on results of another test before it, and must have the traffic of that one. NULL: of none. */
	const char *prerequisite;        /* name of that benchmark */
	const char *prerequisite_clause; /* "RFC 9004 section 5" */

	/* Defaults that follow from other settings; then settings that contradict one another, the link or the RFC.
	 * group: the test in the plan, for the places of complaints. Goals are not read yet. May be NULL. */
	int (*finish)(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);

	/* What its results are, in limits, reports and comparisons: the first that is for a result; ends with NULL. */
	const struct result_description *const *results;

	/* Which of them the results of a test will be; goals are read. NULL: the first. */
	const struct result_description *(*results_of)(const struct plan_test *test);
};

/* For finish(): refuses a rate above the line rate of some size, a slip in the number or in the link. A key that is not
 * in the group, and a percentage, are none. */
int plan_check_rate(const struct plan *plan, const struct plan_test *test, const struct node *group, const char *key,
                    const struct quantity *quantity, struct error *error);

#endif
