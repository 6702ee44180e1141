/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_REPORT_DESCRIBED_TABLE_H
#define FPGAUGE_REPORT_DESCRIBED_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/report/part.h"
#include "host/result/description.h"

/* Whether a result belongs into a table. */
bool described_has_row(const struct result_table *table, const json_t *result);

/* A table of a description for the terminal, without the columns that are details. apart: an empty line before it.
 * Nothing when no result has a row. */
void described_table_print(const struct result_description *description, const struct result_table *table,
                           const struct part *part, bool apart, FILE *out);

#endif
