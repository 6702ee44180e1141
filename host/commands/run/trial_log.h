/* SPDX-License-Identifier: Apache-2.0 */
/* The trial log: a line for every trial as it comes, for people and for tools/plot-search. */
#ifndef FPGAUGE_COMMANDS_RUN_TRIAL_LOG_H
#define FPGAUGE_COMMANDS_RUN_TRIAL_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "host/base/error.h"
#include "host/bench/bench.h"

struct trial_log {
	FILE *out; /* NULL: none */
	const char *path;
	bool beside_live_line;
	bool begun;
};

/* path NULL: none; "-": standard error. ERROR_PLAN when the file cannot be written. */
int trial_log_open(struct trial_log *log, const char *path, struct error *error);
void trial_log_show(void *log, const struct bench_trial *trial); /* fits struct bench_context */
int trial_log_close(struct trial_log *log, struct error *error); /* ERROR_PLAN when something could not be written */

/* Just the line, for tests. */
void trial_log_line(const struct bench_trial *trial, FILE *out);

#endif
