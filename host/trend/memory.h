/* SPDX-License-Identifier: Apache-2.0 */
/* Noise that carries over from one run to the next (a lab that warms up over the day, a neighbour on the same host): a
 * value is `memory` times the one before, and something new: an autoregressive process of the first order. Numbers
 * only. Private to host/trend. */
#ifndef FPGAUGE_TREND_MEMORY_H
#define FPGAUGE_TREND_MEMORY_H

#include "host/trend/rank_split.h"

/* The autocorrelation from each value to the next, about the levels of the series, 0 to MEMORY_MOST; 0 if it is not
 * more than chance gives independent values, and for fewer than CHANGE_LEAST_VALUES. */
double memory_of(const double *values, size_t count);

/* The probability that noise with this memory, above 0, has a split as clear as `square` (ranks_best_split()), which is
 * at `at`. 1 when out of memory. */
double memory_probability(const struct ranks *ranks, size_t at, double square, double memory);

#endif
