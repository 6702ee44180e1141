/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how long a test may take, depending on how the device turns out: trials, device time, and how much of that
 * is spent sending. Pure arithmetic on the plan. */
#ifndef FPGAUGE_BENCH_EXTENT_H
#define FPGAUGE_BENCH_EXTENT_H

#include <stdbool.h>

#include "host/plan/plan.h"

/* Seconds are device time. */
struct effort {
	double trials;
	double sending_s; /* spent sending frames, at up to line rate */
	double waiting_s; /* drain and settle */
};

/* most: INFINITY where the device alone decides. */
struct extent {
	struct effort least, most;
	struct effort expected; /* effort of a typical search, when nothing is known of the device */
	bool open;              /* the device alone decides, so that nothing is expected */
	/* Remarks that a reader must know about least and most, printed after them on their line; NULL: nothing. */
	const char *least_remark, *most_remark;
};

double extent_seconds(uint64_t ns);

/* The effort of that many trials of a test, each with that sending and drain time. */
struct effort effort_of(const struct plan_test *test, double trials, double trial_s, double drain_s);

/* Trials of a binary search over that many steps, in the worst case. */
double effort_bisection_trials(const struct plan_test *test, double steps);

/* The same of a search that doubles a small burst until frames are lost, and then bisects. */
double effort_galloping_trials(const struct plan_test *test, double steps);

void effort_add(struct effort *sum, const struct effort *effort);
double effort_device_s(const struct effort *effort);

#endif
