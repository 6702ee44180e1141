/* SPDX-License-Identifier: Apache-2.0 */
/* The last good run of the same plan in a folder. */
#ifndef FPGAUGE_CLI_BASELINE_H
#define FPGAUGE_CLI_BASELINE_H

#include <jansson.h>

#include "host/base/error.h"

/* The report of a run file, or the JSON that --json wrote. *report is NULL on failure. */
int baseline_load(const char *path, json_t **report, struct error *error);

/* Looks at all files NAME.db of the folder but new_path itself. Of those that compare_is_baseline() accepts and that
 * did not begin after NEW, *base is the report of the last. *said: {path, started, passed_over: [{path, why}]}, which
 * says why later ones were not taken; path and started are null when there is none, and then *base is NULL and the
 * error says so. */
int baseline_find(const char *folder, const char *new_path, const json_t *new, json_t **base, json_t **said,
                  struct error *error);

#endif
