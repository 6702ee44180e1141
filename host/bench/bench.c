/* SPDX-License-Identifier: Apache-2.0 */
/* All tests of a plan, in its order, at all their frame sizes. */
#include "host/bench/bench.h"

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
	}
	return error_set(error, ERROR_INTERNAL, "test %zu is of no kind", test_index + 1);
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
