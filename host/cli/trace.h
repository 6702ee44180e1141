/* SPDX-License-Identifier: Apache-2.0 */
/* The trace: a line for every trial as it comes, for people and for tools/plot-search. */
#ifndef FPGAUGE_CLI_TRACE_H
#define FPGAUGE_CLI_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "host/base/error.h"
#include "host/bench/bench.h"

struct trace {
	FILE *out; /* NULL: none */
	const char *path;
	bool beside_live_line;
	bool begun;
};

/* path NULL: none; "-": standard error. ERROR_PLAN when the file cannot be written. */
int trace_open(struct trace *trace, const char *path, struct error *error);
void trace_show(void *trace, const struct bench_trial *trial); /* for struct bench_context */
int trace_close(struct trace *trace, struct error *error);     /* ERROR_PLAN when something could not be written */

/* Only the line, for tests. */
void trace_line(const struct bench_trial *trial, FILE *out);

#endif
