/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: from the result object (docs/results.md) to people and machines. Reads nothing else. */
#ifndef FPGAUGE_REPORT_REPORT_H
#define FPGAUGE_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "host/base/error.h"
#include "host/store/store.h"

/* The terminal report: parameters, RFC 9004 Table 1, throughput table, self-checks, true beside measured values. */
void report_table(const json_t *report, FILE *out);

/* Writes the object to a file, atomically (a temporary file, then rename). path "-" is standard output. */
int report_json(const json_t *report, const char *path, struct error *error);

/* One value and a line feed, with the fewest digits that say each number. flags: JSON_INDENT(2), or JSON_COMPACT. 0 or
 * -1. */
int report_json_write(const json_t *value, size_t flags, FILE *out);

/* Checks, before hours of trials, that report_json() will be able to write there. Leaves nothing behind. */
int report_json_check(const char *path, struct error *error);

/* One file of comma-separated values per test, in a folder that is made if there is none. */
int report_csv(const json_t *report, const char *folder, struct error *error);
int report_csv_check(const char *folder, struct error *error);

/* JUnit XML: docs/junit.xsd. store: for how long the trials took; NULL if that is not known. */
int report_junit(const json_t *report, struct store *store, const char *path, struct error *error);
int report_junit_check(const char *path, struct error *error);

#endif
