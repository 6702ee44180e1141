/* SPDX-License-Identifier: Apache-2.0 */
/* Building blocks for the extents of all benchmarks. */
#include "host/bench/extent.h"

#include <math.h>

double extent_seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_S;
}

struct effort effort_of(const struct plan_test *test, double trials, double trial_s, double drain_s)
{
	return (struct effort){trials, trials * trial_s, trials * (drain_s + extent_seconds(test->settle_ns))};
}

/* The points that a bisection over that many steps visits, times the trials at each in the worst case. */
double effort_bisection_trials(const struct plan_test *test, double steps)
{
	return (ceil(log2(steps > 1 ? steps : 1)) + 1) *
	       (test->counts_repeats ? test->max_repeats + 1 : test->max_trials);
}

double effort_galloping_trials(const struct plan_test *test, double steps)
{
	return 2 * effort_bisection_trials(test, steps);
}

void effort_add(struct effort *sum, const struct effort *effort)
{
	sum->trials += effort->trials;
	sum->sending_s += effort->sending_s;
	sum->waiting_s += effort->waiting_s;
}

double effort_device_s(const struct effort *effort)
{
	return effort->sending_s + effort->waiting_s;
}
