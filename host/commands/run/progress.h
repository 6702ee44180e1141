/* SPDX-License-Identifier: Apache-2.0 */
/* Progress: a live line on standard error, only on a terminal, and the live events. A trial may take a minute, so both
 * have a thread of their own that looks every second at what the benchmark said last. */
#ifndef FPGAUGE_COMMANDS_RUN_PROGRESS_H
#define FPGAUGE_COMMANDS_RUN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include "host/bench/bench.h"
#include "host/commands/run/events.h"
#include "host/forecast/forecast.h"

struct progress {
	bool line; /* shown on the terminal */
	struct events *events;
	const struct forecast *forecast;
	bool ticking; /* the thread runs */
	pthread_t thread;
	pthread_mutex_t mutex; /* protects everything below */
	pthread_cond_t changed;
	bool ending;
	bool known;                /* `now` is set */
	struct bench_progress now; /* texts in it are static */
	double told_s;             /* when it was said */
	double shown_s;            /* when the line was last written */
};

/* events: NULL for none; both borrowed. */
void progress_begin(struct progress *progress, struct events *events, const struct forecast *forecast, bool quiet);
void progress_show(struct progress *progress, const struct bench_progress *now);
void progress_end(struct progress *progress);

#endif
