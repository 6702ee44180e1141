/* SPDX-License-Identifier: Apache-2.0 */
/* The table of benchmarks. */
#include "host/bench/benchmark.h"

#include <string.h>

#include "host/bench/rfc2544/throughput.h"
#include "host/bench/rfc9004/back_to_back.h"
#include "host/bench/rfc9971/mlrsearch.h"

const struct benchmark *const BENCHMARKS[] = {
        [PLAN_THROUGHPUT] = &THROUGHPUT,
        [PLAN_BACK_TO_BACK] = &BACK_TO_BACK,
        [PLAN_MLRSEARCH] = &MLRSEARCH,
};
const size_t BENCHMARK_COUNT = sizeof(BENCHMARKS) / sizeof(BENCHMARKS[0]);

_Static_assert(sizeof(BENCHMARKS) / sizeof(BENCHMARKS[0]) == PLAN_TEST_KINDS, "a benchmark for every kind of test");

static const struct result_description *const *results_of(enum plan_test_kind kind)
{
	return BENCHMARKS[kind]->results;
}

void benchmarks_begin(void)
{
	plan_results = results_of;
}

const struct benchmark *benchmark_find(const char *name)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		if (!strcmp(BENCHMARKS[i]->name, name))
			return BENCHMARKS[i];
	}
	return NULL;
}

const struct benchmark *benchmark_of(const struct plan_test *test)
{
	return BENCHMARKS[test->kind];
}
