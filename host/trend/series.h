/* SPDX-License-Identifier: Apache-2.0 */
/* One measure over the runs of a plan. Private to host/trend. */
#ifndef FPGAUGE_TREND_SERIES_H
#define FPGAUGE_TREND_SERIES_H

#include <jansson.h>

/* A measure without points: value is one of trend_run(), of that result. */
json_t *series_new(const json_t *result, const json_t *value);

/* Adds what the run with that number says of the measure. */
void series_add(json_t *series, size_t run, const json_t *value);

/* Sets `p`, `autocorrelation` and `verdict` "untested", or "level" until series_mark() has marked a step. Returns p;
 * NAN: untested. */
double series_test(json_t *series);

/* Sets `steps`, `levels`, `verdict` and `doubtful_runs`. largest_p: of a step. */
void series_mark(json_t *series, double largest_p, double tolerance);

/* Sets `versions`: the values of each version of the device, in the order of their first runs. runs: of the plan. */
void series_by_version(json_t *series, const json_t *runs);

#endif
