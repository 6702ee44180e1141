/* SPDX-License-Identifier: Apache-2.0 */
/* All tests of a plan, in its order, at all their frame sizes. */
#include "host/bench/bench.h"

#include <math.h>

#include "host/bench/goals.h"
#include "host/bench/session.h"

static int run_size(struct bench_context *context, const struct plan *plan, size_t test_index, uint32_t frame_octets,
                    struct error *error)
{
	struct session session = session_begin(context, plan, test_index, frame_octets);

	switch (session.test->kind) {
	case PLAN_THROUGHPUT:
		return throughput_run(&session, error);
	case PLAN_BACK_TO_BACK:
		return back_to_back_run(&session, error);
	case PLAN_MLRSEARCH:
		return mlrsearch_run(&session, error);
	}
	return error_set(error, ERROR_INTERNAL, "test %zu is of no kind", test_index + 1);
}

int bench_check(const struct plan *plan, uint64_t link_bps, struct error *error)
{
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i];

		for (size_t j = 0; test->search == PLAN_SEARCH_MLRSEARCH && j < test->frame_size_count; j++) {
			struct goal_search goals;
			struct search *search;

			goals_configure(test, rate_max_theoretical(link_bps, test->frame_sizes[j]), &goals);
			search = search_create(&goals.config, error);
			if (!search) {
				if (error->code == ERROR_PLAN)
					error_prefix(error, "%s:%u: ", plan->path, test->line);
				return error->code;
			}
			search_free(search);
		}
	}
	return 0;
}

double bench_least_traffic_s(const struct plan_test *test, uint64_t link_bps)
{
	struct goal_search goals;
	double most_s = 0;

	goals_configure(test, rate_max_theoretical(link_bps, test->frame_sizes[0]), &goals);
	for (size_t i = 0; i < goals.mlrsearch.goal_count; i++) {
		const struct mlrsearch_goal *goal = &goals.goals[i];
		/* Full-length trials without loss make a load LOWER when D (1 - e) of them are there. */
		double lower_s = (double)goal->sum_ns / 1e9 * (1 - (double)goal->exceed_ppm / MLRSEARCH_PPM);

		most_s = fmax(most_s, lower_s + (double)goal->initial_ns / 1e9);
	}
	return most_s;
}

int bench_run(struct bench_context *context, const struct plan *plan, struct error *error)
{
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i];

		for (size_t j = 0; j < test->frame_size_count; j++) {
			int status = run_size(context, plan, i, test->frame_sizes[j], error);

			if (status == 0 && context->done)
				status = context->done(context->user, context->results, error);
			if (status)
				return status;
		}
	}
	return 0;
}
