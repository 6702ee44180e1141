/* SPDX-License-Identifier: Apache-2.0 */
/* Two samples of one metric: what changed, and whether it counts. Numbers only. */
#ifndef FPGAUGE_COMPARE_JUDGE_H
#define FPGAUGE_COMPARE_JUDGE_H

#include "host/compare/evidence.h"

/* Ratios are relative to the base; INFINITY when it was zero. */
struct change {
	double difference, step;
	double rounding;         /* the ratio is off by no more than this, as the values are doubles */
	double ratio, low, high; /* low to high: 95% interval, taken by itself; NAN: one value each */
	double p;                /* probability of such a difference by chance; NAN: one value each */
	double factor;           /* (larger - step) / smaller - 1 */
	bool answer_differs;     /* the answer of the same result differs too */
};

struct judgement {
	const char *verdict; /* "same", "better", "worse"; "unclear": worse, unless it is chance */
	bool significant;
	char why[80];
};

struct change change_of(const struct evidence *base, const struct evidence *new);

/* The largest p that counts, by the step-up procedure of Benjamini and Hochberg (1995); negative: none does. Many
 * values are compared at once, and at a level of 5% one in twenty would be a false alarm. With this limit, only one
 * comparison of equal devices in twenty has any. It finds a change in many values sooner than corrections for each
 * value alone do. Sorts p. */
double judge_largest_p(double *p, size_t count, double level);

/* repeats: the same device gives the same values again, as a simulation does, so that a single value is enough. */
struct judgement judge(const struct metric *metric, const struct change *change, bool repeats, double tolerance,
                       double largest_p);

#endif
