/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over tests and sizes. */
#include "host/forecast/wall_time.h"

#include <math.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/bench/benchmark.h"

struct wall_time wall_time_of_test(const struct pace *pace, const struct plan_test *test, uint64_t link_bps)
{
	struct wall_time sum = {0, 0, 0};

	for (size_t i = 0; i < test->frame_size_count; i++) {
		const uint32_t frame_octets = test->frame_sizes[i];
		const struct extent extent = benchmark_of(test)->extent(test, frame_octets, link_bps);
		const struct glimpse glimpse = pace_glimpse(pace, test, frame_octets);
		const struct effort expected = benchmark_expected(test, frame_octets, link_bps, &glimpse);

		sum.least_s += pace_wall_s(pace, test, frame_octets, &extent.least);
		sum.expected_s += pace_wall_s(pace, test, frame_octets, &expected);
		sum.most_s += pace_wall_s(pace, test, frame_octets, &extent.most);
	}
	sum.least_s *= plan_runs(test);
	sum.expected_s *= plan_runs(test);
	sum.most_s *= plan_runs(test);
	return sum;
}

struct wall_time wall_time_of_plan(const struct pace *pace, const struct plan *plan, uint64_t link_bps)
{
	struct wall_time sum = {0, 0, 0};

	for (size_t i = 0; i < plan->test_count; i++) {
		struct wall_time time = wall_time_of_test(pace, &plan->tests[i], link_bps);

		sum.least_s += time.least_s;
		sum.expected_s += time.expected_s;
		sum.most_s += time.most_s;
	}
	return sum;
}

struct wall_time_text wall_time_text(struct wall_time time)
{
	struct wall_time_text text;

	snprintf(text.text, sizeof(text.text), "about %s of wall time (%s %s%s)", format_clock(time.expected_s).text,
	         format_clock(time.least_s).text, isinf(time.most_s) ? "or more" : "to ",
	         isinf(time.most_s) ? "" : format_clock(time.most_s).text);
	return text;
}
