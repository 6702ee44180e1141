/* SPDX-License-Identifier: Apache-2.0 */
/* The table of benchmarks: every row is whole, and is the one that a plan means by its name. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/plan/plan_keys.h"

Test(benchmarks, a_plan_finds_the_row_of_the_name_that_it_says)
{
	cr_assert_eq(BENCHMARK_COUNT, PLAN_TEST_KINDS);
	for (int kind = 0; kind < PLAN_TEST_KINDS; kind++) {
		const struct plan_test test = {.kind = (enum plan_test_kind)kind};

		cr_expect_str_eq(benchmark_of(&test)->name, plan_test_name(test.kind));
	}
}

Test(benchmarks, every_row_has_what_all_benchmarks_have)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const struct benchmark *row = BENCHMARKS[i];

		cr_expect(row->title && *row->title, "%s", row->name);
		cr_expect(row->clause && !strncmp(row->clause, "RFC ", 4), "%s", row->name);
		cr_expect(row->point_key && row->point_unit, "%s", row->name);
		cr_expect(row->run && row->extent && row->longest_trial_s && row->shorten, "%s", row->name);
	}
}

/* Keys of live events are made of both: "load_fps", "low_fps", "high_fps". */
Test(benchmarks, the_key_of_a_point_ends_in_its_unit)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const char *unit = strrchr(BENCHMARKS[i]->point_key, '_');

		cr_assert(unit, "%s", BENCHMARKS[i]->point_key);
		cr_expect_str_eq(unit + 1, BENCHMARKS[i]->point_unit);
	}
}
