/* SPDX-License-Identifier: Apache-2.0 */
/* All runs of a sweep in one table, from their run files as they are. */
#ifndef FPGAUGE_COMMANDS_SWEEP_REPORT_H
#define FPGAUGE_COMMANDS_SWEEP_REPORT_H

#include <jansson.h>

#include "host/base/error.h"
#include "host/commands/sweep/points.h"
#include "host/console/outputs.h"

/* The object that docs/sweeps.md describes. NULL: out of memory. */
json_t *sweep_report_make(const struct sweep *sweep);

/* Returns whether every run is done, whatever its results are. */
bool sweep_report_is_done(const json_t *report);

/* The exit code that it stands for: all done and passed; a result is invalid or misses its limit, or a run is not done.
 */
int sweep_report_code(const json_t *report);

/* Prints the table, writes --json. 0 or an error. */
int sweep_report_write(const json_t *report, const struct output_options *options, struct error *error);

/* fpgauge report DIR. Returns the exit code. */
int sweep_report(const char *path, const struct output_options *options, const char *command);

#endif
