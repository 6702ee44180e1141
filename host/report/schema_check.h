/* SPDX-License-Identifier: Apache-2.0 */
/* Reports against the published schema, docs/results.schema.json: schema_write.h. A run file may be somebody else's,
 * and its documents anything: what is used of them is what the schema says, or nothing is used. */
#ifndef FPGAUGE_REPORT_SCHEMA_CHECK_H
#define FPGAUGE_REPORT_SCHEMA_CHECK_H

#include <jansson.h>

#include "host/base/error.h"

/* Keys may be added to results, so one of an older program lacks some, and everybody who reads them can do without: not
 * `required` is asked for here, but "x-essential", what every version has.
 * 0, or ERROR_STORE with the place as a JSON pointer, the value and what was expected: "run.db: /results/2/goal = -1:
 * must be at least 1". path: for the complaint. */
int schema_check_report(const json_t *report, const char *path, struct error *error);

/* The same with any schema of the keywords that the published one uses; another keyword is ERROR_INTERNAL. */
int schema_check(const json_t *schema, const json_t *value, const char *path, struct error *error);

#endif
