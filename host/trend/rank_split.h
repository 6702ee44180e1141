/* SPDX-License-Identifier: Apache-2.0 */
/* The statistic of change_point.h, in whole numbers: equal orders have equal statistics, to the last bit. */
#ifndef FPGAUGE_TREND_RANK_SPLIT_H
#define FPGAUGE_TREND_RANK_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A series as ranks. */
struct ranks {
	int64_t *scores; /* twice the rank, less twice the mean rank; equal values have the mean of their ranks */
	double *weights; /* weight of a split in front of the value: 1 / variance of the sum of the scores before it */
	size_t count;
};

/* False when out of memory. All equal: every weight is 0. */
bool ranks_of(const double *values, size_t count, struct ranks *ranks);
void ranks_free(struct ranks *ranks);

/* The largest square of (sum before a split / its standard deviation) over all splits; at: the first value behind that
 * split, the first of several; may be NULL. */
double ranks_best_split(const struct ranks *ranks, size_t *at);

#endif
