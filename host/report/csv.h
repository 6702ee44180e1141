/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the CSV report share. */
#ifndef FPGAUGE_REPORT_CSV_H
#define FPGAUGE_REPORT_CSV_H

#include <jansson.h>
#include <stdio.h>

#include "host/base/error.h"

/* A cell: a text; any value, of which null and objects are empty. */
void csv_text(FILE *out, const char *text);
void csv_value(FILE *out, const json_t *value);

/* A file for each list that descriptions show as rows (ports.csv, flows.csv): its objects in all results, each with
 * what says of which result it is. None for a list without any. */
int csv_rows(const json_t *report, const char *folder, struct error *error);

#endif
