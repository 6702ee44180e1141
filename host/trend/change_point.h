/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a series of numbers changes its level. It sees numbers only, and the same numbers give the same answer.
 *
 * The test is that of the maximally selected rank statistic (Lausen and Schumacher, Biometrics 48, 1992, pages 73 to
 * 85): of all places that split the series in two, the one at which Wilcoxon's rank sum, divided by its standard
 * deviation, is largest. It is Pettitt's test (Applied Statistics 28, 1979, pages 126 to 135) with that division, which
 * Pettitt leaves out, so that a step near an end is found nearly as well as one in the middle. Ranks need no normal
 * noise, and one outlier is one rank. Its probability without a step is that among random orders of the same values,
 * ties included (a permutation test), which are drawn from a fixed seed until 20 orders are as extreme (Besag and
 * Clifford, Biometrika 78, 1991, pages 301 to 304), or 19,999 are drawn. Further steps are looked for on both sides of
 * one that was found (binary segmentation: Scott and Knott, Biometrics 30, 1974, pages 507 to 512). Its place is then
 * that of the least absolute deviations from the medians of both sides (Bai, Econometric Theory 11, 1995, pages 403 to
 * 436), between the neighbouring steps.
 *
 * Random orders are what noise would be if each run were independent of the one before. Where a value is correlated
 * with the next one, about its levels and more than chance explains, the orders are those of an autoregressive process
 * of the first order: what each value has that the one before did not explain is what is put in a random order. */
#ifndef FPGAUGE_TREND_CHANGE_POINT_H
#define FPGAUGE_TREND_CHANGE_POINT_H

#include <stddef.h>

enum {
	CHANGE_LEAST_SIDE = 3,    /* values on each side of a step */
	CHANGE_LEAST_VALUES = 12, /* fewer have too few orders for any to be rare */
	CHANGE_ORDERS = 19999,    /* at most drawn; the smallest probability is 1 / (this + 1) */
	CHANGE_EXTREME = 20,      /* extreme orders after which the probability is known well enough */
};

struct change_test {
	size_t at;        /* the first value behind the split */
	double statistic; /* standard deviations of the rank sum; 0: there is no split, or all values are equal */
	double p;         /* 1 where the statistic is 0 */
	double memory;    /* the correlation of a value with the next that was reckoned with; 0: none */
};

/* count values, all finite. Fewer than CHANGE_LEAST_VALUES are not tested: their p is 1. */
struct change_test change_test(const double *values, size_t count);

struct change_step {
	size_t at;            /* the first value of the new level */
	double before, after; /* medians, to the step before and to the one behind */
	double p;             /* probability found by its test */
};

/* The steps of a series, in order, each with a probability up to largest_p. Those of which the medians differ by no
 * more than a ratio of the first, or by no more than `resolution`, are taken out, the smallest first: what they
 * separate is then one level. steps: room for count / CHANGE_LEAST_SIDE. */
size_t change_steps(const double *values, size_t count, double largest_p, double ratio, double resolution,
                    struct change_step *steps);

#endif
