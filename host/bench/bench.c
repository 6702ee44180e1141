/* SPDX-License-Identifier: Apache-2.0 */
/* Runs all tests of a plan in order, each at all its frame sizes. */
#include "host/bench/bench.h"

#include "host/bench/session.h"
#include "host/traffic/shape.h"

/* Refuses what a plan may say of its traffic and trials cannot send yet: to go, with its call, when they can. */
static int traffic_shape_runs(const struct traffic_shape *shape, struct error *error)
{
	if (shape->pattern != TRAFFIC_PAIRS)
		return error_set(error, ERROR_PLAN,
		                 "traffic.pattern = \"%s\": must be \"%s\": trials have no other yet",
		                 TRAFFIC_PATTERN_NAMES[shape->pattern], TRAFFIC_PATTERN_NAMES[TRAFFIC_PAIRS]);
	if (shape->frame != TRAFFIC_IPV4_UDP)
		return error_set(error, ERROR_PLAN, "traffic.frame = \"%s\": must be \"%s\": trials have no other yet",
		                 TRAFFIC_FRAME_NAMES[shape->frame], TRAFFIC_FRAME_NAMES[TRAFFIC_IPV4_UDP]);
	if (shape->vlan != TRAFFIC_NO_VLAN)
		return error_set(error, ERROR_PLAN, "traffic.vlan = %u: must not be there: trials cannot send tags yet",
		                 shape->vlan);
	if (shape->sizes.count)
		return error_set(
		        error, ERROR_PLAN,
		        "traffic.sizes: must not be there: trials cannot mix frame sizes yet; write frame_sizes");
	return 0;
}

static int check_test(const struct plan_test *test, uint64_t link_bps, struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(test);
	int status = traffic_shape_runs(&test->shape, error);

	for (size_t i = 0; !status && benchmark->check && i < test->frame_size_count; i++)
		status = benchmark->check(test, test->frame_sizes[i], link_bps, error);
	return status;
}

/* A port that sends and one that receives, whatever the pattern. */
unsigned bench_least_ports(const struct plan_test *test)
{
	(void)test;
	return 2;
}

int bench_check(const struct plan *plan, uint64_t link_bps, struct error *error)
{
	int status = 0;

	for (size_t i = 0; !status && i < plan->test_count; i++) {
		status = check_test(&plan->tests[i], link_bps, error);
		if (status == ERROR_PLAN)
			error_prefix(error, "%s:%u: ", plan->path, plan->tests[i].line);
	}
	return status;
}

static int run_size(struct bench_context *context, const struct plan *plan, size_t test_index, uint32_t frame_octets,
                    struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(&plan->tests[test_index]);
	struct session session = session_begin(context, benchmark, plan, test_index, frame_octets);

	return benchmark->run(&session, error);
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
