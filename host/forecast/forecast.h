/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates how much more wall time a run takes: this trial by its progress, this search by its trials so far, what
 * comes after by the measured pace. */
#ifndef FPGAUGE_FORECAST_FORECAST_H
#define FPGAUGE_FORECAST_FORECAST_H

#include "host/bench/bench.h"
#include "host/forecast/pace.h"

struct forecast {
	const struct plan *plan;
	const struct pace *pace;
	const struct tester *tester; /* the one that sends, not a journal in front of it */
};

/* Seconds, estimated; below 0 is unknown. */
struct time_left {
	double size_s; /* of this test at this size */
	double run_s;  /* of the whole run */
};

/* Device time for which this trial has been sending; below 0 is unknown. */
double forecast_sent_s(const struct forecast *forecast);

/* running_s: wall time since the trial began; sent_s: as above. Pure. */
struct time_left forecast_left(const struct forecast *forecast, const struct bench_progress *now, double running_s,
                               double sent_s);

#endif
