/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs of the same plan: how each measure went from run to run, and where its level changed. */
#ifndef FPGAUGE_TREND_TREND_H
#define FPGAUGE_TREND_TREND_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* `schema` of the trend. */
enum { TREND_SCHEMA = 1 };

/* The part of a report that a trend needs, which is far smaller. path: the file it is from. NULL when out of memory. */
json_t *trend_run(const json_t *report, const char *path);

/* The trend as an object (docs/trend.md). runs: a list of trend_run(), in any order; passed_over: of {path, why}, kept
 * as it is. tolerance: a step of up to this ratio is not marked. NULL when out of memory. */
json_t *trend_of_runs(const json_t *runs, json_t *passed_over, double tolerance);

/* True if the newest step of any measure is for the worse. */
bool trend_got_worse(const json_t *trend);

/* True if that can be said of the newest run: its measures have enough runs, and the newest values, too few for a step,
 * do not look like one for the worse. */
bool trend_is_judged(const json_t *trend);

/* Prints for the terminal: the steps, and what was read. */
void trend_table(const json_t *trend, FILE *out);

#endif
