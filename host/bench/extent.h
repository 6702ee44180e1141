/* SPDX-License-Identifier: Apache-2.0 */
/* How much a test may be, by what the device turns out to be: trials, device time, and how much of it frames are sent.
 * Pure arithmetic on the plan. */
#ifndef FPGAUGE_BENCH_EXTENT_H
#define FPGAUGE_BENCH_EXTENT_H

#include <stdbool.h>

#include "host/plan/plan.h"

/* Seconds are of device time. */
struct effort {
	double trials;
	double sending_s; /* frames are sent, at up to line rate */
	double waiting_s; /* drain and settle */
};

/* most: INFINITY where the device alone decides. */
struct extent {
	struct effort least, most;
	struct effort expected; /* as searches mostly go; at least, where open is set */
	bool open;              /* the device alone decides */
	/* What a reader has to know of the least and of the most, behind them in a line; NULL: nothing. */
	const char *least_remark, *most_remark;
};

double extent_seconds(uint64_t ns);

/* That many trials of a test, each with that time of sending and of drain. */
struct effort effort_of(const struct plan_test *test, double trials, double trial_s, double drain_s);

/* Trials of a binary search that goes down so many steps, in the worst case. */
double effort_bisection_trials(const struct plan_test *test, double steps);

void effort_add(struct effort *sum, const struct effort *effort);
double effort_device_s(const struct effort *effort);

#endif
