/* SPDX-License-Identifier: Apache-2.0 */
/* The accepted runs of the same plan in a folder. */
#ifndef FPGAUGE_COMMANDS_COMPARE_BASELINE_H
#define FPGAUGE_COMMANDS_COMPARE_BASELINE_H

#include <jansson.h>

#include "host/base/error.h"

/* The report of a run file, or the JSON that --json wrote. *report is NULL on failure. */
int baseline_load(const char *path, json_t **report, struct error *error);

/* Looks at all files NAME.db of the folder but new_path itself. *runs: the reports, oldest first, of those that are
 * accepted (accepted.h), that compare_is_baseline() takes and that did not begin after NEW, from the last one that a
 * person accepted, at most HISTORY_MOST; empty when there is none. *said: {path, started, runs: [{path, started}],
 * not_accepted, passed_over: [{path, why}]}: path and started of the newest, or null; not_accepted: how many lack
 * nothing else. */
int baseline_find(const char *folder, const char *new_path, const json_t *new, json_t **runs, json_t **said,
                  struct error *error);

#endif
