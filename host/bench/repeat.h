/* SPDX-License-Identifier: Apache-2.0 */
/* The same trial again and again: benchmarks that search nothing, and report a mean. */
#ifndef FPGAUGE_BENCH_REPEAT_H
#define FPGAUGE_BENCH_REPEAT_H

#include "host/base/statistics.h"
#include "host/bench/session.h"

/* Runs the trial that points->request makes, whatever the point, so many times until each was valid; points->note sees
 * each. 0, SESSION_INVALID when a trial stayed invalid, or a negative error. */
int repeat_trial(struct session *session, unsigned repetitions, const struct search_points *points,
                 struct error *error);

/* The statistics that are reported of the values of repetitions. NAN where there are too few: a mean needs one, a
 * deviation two. */
struct repeated {
	double mean, min, max, stddev, confidence95_low, confidence95_high;
};

struct repeated repeated_statistics(const double *values, size_t count);

#endif
