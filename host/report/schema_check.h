/* SPDX-License-Identifier: Apache-2.0 */
/* Checks reports against the published schema, docs/results.schema.json (schema.h). A run file may be somebody
 * else's, and its documents may be anything: they are used only if they are what the schema says. */
#ifndef FPGAUGE_REPORT_SCHEMA_CHECK_H
#define FPGAUGE_REPORT_SCHEMA_CHECK_H

#include <jansson.h>

#include "host/base/error.h"

/* Keys may be added to results without a new schema, so every reader can do without them: what is demanded here is not
 * `required`, but "x-essential", which every version has. Returns 0, or ERROR_STORE with the place
 * as a JSON pointer, the value and what was expected: "run.db: /results/2/goal = -1: must be at least 1". path: for the
 * complaint. */
int schema_check_report(const json_t *report, const char *path, struct error *error);

/* The same for one result of a report, at /results/INDEX, with what schema_of_report() gives (schema.h). */
int schema_check_result(const json_t *schema, const json_t *result, size_t index, const char *path,
                        struct error *error);

/* The same with any schema that uses only the keywords of the published one; any other keyword is ERROR_INTERNAL. */
int schema_check(const json_t *schema, const json_t *value, const char *path, struct error *error);

#endif
