/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: from the result object (docs/results.md) to people and machines. Reads nothing else. */
#ifndef FPGAUGE_REPORT_REPORT_H
#define FPGAUGE_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "host/base/error.h"

/* The terminal report: parameters, RFC 9004 Table 1, throughput table, self-checks, truth beside measured. */
void report_table(const json_t *report, FILE *out);

/* Writes the object to a file, atomically (a temporary file, then rename). path "-" is standard output. */
int report_json(const json_t *report, const char *path, struct error *error);

/* Whether report_json() will be able to write there, found before hours of trials. Leaves nothing behind. */
int report_json_check(const char *path, struct error *error);

#endif
