/* SPDX-License-Identifier: Apache-2.0 */
/* The table of benchmarks: every row is complete, and is the one that a plan selects by its name. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/plan/plan_keys.h"

Test(benchmarks, a_plan_finds_the_row_of_the_name_that_it_says)
{
	struct error error = {0};

	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		struct node *node = node_new(NODE_TEXT, "test", benchmark_name(BENCHMARKS[i]), "lab.cfg:1", 1);
		const struct key_set *set = plan_family_pick(&BENCHMARK_KEYS, "", node, &error);
		const struct plan_test test = {.benchmark = (const struct plan_benchmark *)set};

		cr_assert_not_null(set, "%s", error.text);
		cr_expect_eq(benchmark_of(&test), BENCHMARKS[i]);
		cr_expect_str_eq(plan_test_name(&test), benchmark_name(BENCHMARKS[i]));
		node_free(node);
	}
}

Test(benchmarks, every_row_has_what_all_benchmarks_have)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const struct benchmark *row = BENCHMARKS[i];

		cr_expect(row->title && *row->title, "%s", benchmark_name(row));
		cr_expect(row->clause && !strncmp(row->clause, "RFC ", 4), "%s", benchmark_name(row));
		cr_expect(row->point_key && row->point_unit, "%s", benchmark_name(row));
		cr_expect(!row->plan.searches == !row->plan.why_searches, "%s", benchmark_name(row));
		cr_expect(!row->plan.prerequisite == !row->plan.prerequisite_clause, "%s", benchmark_name(row));
		cr_expect(row->run && row->extent && row->longest_trial_s && row->shorten, "%s", benchmark_name(row));
	}
}

/* Keys of live events are built from both: "load_fps", "low_fps", "high_fps". */
Test(benchmarks, the_key_of_a_point_ends_in_its_unit)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const char *unit = strrchr(BENCHMARKS[i]->point_key, '_');

		cr_assert(unit, "%s", BENCHMARKS[i]->point_key);
		cr_expect_str_eq(unit + 1, BENCHMARKS[i]->point_unit);
	}
}
