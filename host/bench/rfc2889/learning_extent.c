/* SPDX-License-Identifier: Apache-2.0 */
/* Each iteration waits for the ageing time: on hardware that is most of the test. */
#include "host/bench/rfc2889/learning_extent.h"

#include <math.h>

enum { AGEING_TIMES = 2 };

static double ageing_s(const struct plan_test *test)
{
	return extent_seconds(learning_settings(test)->ageing_ns);
}

double learning_longest_s(const struct plan_test *test, double longest_s)
{
	const double probing_s = learning_settings(test)->measure_ageing ? AGEING_TIMES * ageing_s(test) : 0;

	return fmax(probing_s, longest_s);
}

/* Iterations are three trials each, one after the other, and so long a wait before them. */
static struct effort iterations(const struct plan_test *test, double count, double sending_s, double drain_s,
                                double forgets_s)
{
	const double waits_s = 3 * (drain_s + extent_seconds(test->settle_ns));

	return (struct effort){count, count * sending_s, count * (waits_s + forgets_s)};
}

static struct effort with_ageing(const struct plan_test *test, struct effort effort)
{
	const struct effort measuring = iterations(test, 1, AGEING_TIMES * ageing_s(test), 0, ageing_s(test));

	if (learning_settings(test)->measure_ageing)
		effort_add(&effort, &measuring);
	return effort;
}

struct extent learning_extent(const struct plan_test *test, const struct learning_search *search)
{
	const double asking_s = search->addresses / (double)learning_settings(test)->test_fps;
	const double drain_s = extent_seconds(test->drain_ns);
	const double doublings = ceil(log2(fmax(search->points / search->first, 1))) + 1;
	const double halvings = ceil(log2(fmax(search->points, 2)));

	const bool measures = learning_settings(test)->measure_ageing;
	const double longest_ageing_s = (measures ? AGEING_TIMES : 1) * ageing_s(test);

	return (struct extent){
	        .least = measures ? (struct effort){0} : iterations(test, 1, search->shortest_s, 0, ageing_s(test)),
	        .most = with_ageing(test, iterations(test, doublings + halvings, search->longest_s + asking_s, drain_s,
	                                             longest_ageing_s)),
	        .expected = with_ageing(
	                test, iterations(test, halvings + 1, search->longest_s / 2 + asking_s / 2, 0, ageing_s(test))),
	        .least_remark =
	                measures ? ", when the device forgets at once" : ", when the first iteration settles it",
	        .most_remark = measures ? ", with twice the ageing time of the plan before each iteration" : NULL};
}
