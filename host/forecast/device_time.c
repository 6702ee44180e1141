/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the frame sizes of a test and its runs with modifiers. */
#include "host/forecast/device_time.h"

#include <math.h>

#include "host/bench/benchmark.h"
#include "host/traffic/modifiers.h"

/* Adds the trials that verify filters, before and after the others; what they take to send is too little to tell. */
static void add_filter_checks(const struct plan_test *test, size_t run, struct extent *extent)
{
	struct traffic_shape shape = test->shape;
	const struct effort checks = effort_of(test, 2, 0, extent_seconds(test->drain_ns));

	shape.modifiers = plan_modifiers(test, (unsigned)run);
	if (!traffic_filters(&shape))
		return;
	effort_add(&extent->least, &checks);
	effort_add(&extent->most, &checks);
}

/* Adds the time from the update before each trial to its start. */
static void add_routing_waits(const struct plan_test *test, size_t run, struct extent *extent)
{
	struct traffic_shape shape = test->shape;
	const double wait_s = extent_seconds(shape.routing_wait_ns);

	shape.modifiers = plan_modifiers(test, (unsigned)run);
	if (!traffic_is_learned(&shape))
		return;
	extent->least.waiting_s += extent->least.trials * wait_s;
	extent->most.waiting_s += extent->most.trials * wait_s;
}

/* Adds the learning before each trial, or only before the first if every address sends: learning frames leave evenly
 * over the time of drain, or for a tenth of the line where there are many, and then that time passes once more
 * (host/trial/device/learning.c). */
static void add_learning(const struct plan_test *test, uint64_t link_bps, struct extent *extent)
{
	enum { PERIOD_OCTETS = 10 * (MIN_FRAME_OCTETS + LINE_OVERHEAD_OCTETS) };
	const double drain_s = extent_seconds(test->drain_ns);
	const double frames_s =
	        (double)test->shape.addresses * TRAFFIC_MAX_PORTS * PERIOD_OCTETS * 8 / (double)link_bps;

	const bool all_send =
	        test->shape.pattern == TRAFFIC_PAIRS && test->shape.bidirectional && test->shape.modifiers == 0;

	if (!test->shape.routed && extent->most.trials > 0)
		extent->most.waiting_s += (all_send ? 1 : extent->most.trials) * (drain_s + fmax(drain_s, frames_s));
}

struct extent device_time_of_test(const struct plan_test *test, uint64_t link_bps)
{
	struct extent sum = {0};

	for (size_t i = 0; i < plan_runs(test) * test->frame_size_count; i++) {
		struct extent here =
		        benchmark_of(test)->extent(test, test->frame_sizes[i % test->frame_size_count], link_bps);

		add_filter_checks(test, i / test->frame_size_count, &here);
		add_routing_waits(test, i / test->frame_size_count, &here);
		add_learning(test, link_bps, &here);
		effort_add(&sum.least, &here.least);
		effort_add(&sum.most, &here.most);
		sum.least_remark = here.least_remark;
		sum.most_remark = here.most_remark;
	}
	return sum;
}

bool device_time_is_bounded(const struct extent *extent)
{
	return !isinf(extent->most.trials);
}
