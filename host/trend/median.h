/* SPDX-License-Identifier: Apache-2.0 */
/* The median of some numbers. */
#ifndef FPGAUGE_TREND_MEDIAN_H
#define FPGAUGE_TREND_MEDIAN_H

#include <stddef.h>

/* NAN for none. */
double trend_median(const double *values, size_t count);

#endif
