/* SPDX-License-Identifier: Apache-2.0 */
/* Ratios of integers as doubles, rounded once. Rounding to the nearest keeps the order of numbers, so a measured ratio
 * that is exactly its limit is still equal to it as a double, and none that is greater becomes less: whatever is
 * computed from counts, times and rates, and each limit of a plan, becomes a double here and nowhere else. */
#ifndef FPGAUGE_BASE_RATIO_H
#define FPGAUGE_BASE_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/uint128.h"

/* The double nearest to numerator / denominator. NAN for 0 / 0, and INFINITY for anything else / 0. */
double ratio_nearest(uint128 numerator, uint128 denominator);

/* The numerator of a ratio that ratio_nearest() made, if it was below 2^52. False if no such ratio gives this value. */
bool ratio_numerator(double ratio, uint64_t denominator, uint64_t *numerator);

/* 100 x part / whole in the same way; part must be below 2^121. */
double ratio_percent(uint128 part, uint128 whole);

#endif
