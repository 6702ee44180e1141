/* SPDX-License-Identifier: Apache-2.0 */
/* Two samples of one metric: what changed, and whether it counts. Numbers only. */
#ifndef FPGAUGE_REPORT_COMPARE_JUDGE_H
#define FPGAUGE_REPORT_COMPARE_JUDGE_H

#include "host/report/compare_evidence.h"

/* Ratios are of the base; INFINITY from nothing to something. */
struct change {
	double difference, step;
	double ratio, low, high; /* low to high: 95% by itself; NAN: one value each */
	double p;                /* of a difference like this by chance; NAN: one value each */
	double factor;           /* the larger, less a step, by the smaller, less 1 */
	bool answer_differs;     /* of the same result */
};

struct judgement {
	const char *verdict; /* "same", "better", "worse" */
	bool significant;
	char why[80];
};

struct change change_of(const struct evidence *base, const struct evidence *new);

/* Many values are compared at once, and at 95% each one in twenty would be a false alarm. So that of equal devices only
 * one comparison in twenty has any, a p counts only up to this: the step-up procedure of Benjamini and Hochberg (1995)
 * at 5%. It finds a change of many values sooner than corrections that allow for each value alone do. Sorts p. */
double judge_largest_p(double *p, size_t count);

struct judgement judge(const struct metric *metric, const struct change *change, double tolerance, double largest_p);

#endif
