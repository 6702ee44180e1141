/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_REPORT_DESCRIBED_TABLE_H
#define FPGAUGE_REPORT_DESCRIBED_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/report/part.h"
#include "host/result/description.h"

/* Whether a result belongs in a table. */
bool described_has_row(const struct result_table *table, const json_t *result);

/* Prints a table of a description to the terminal, without its detail columns. apart: with an empty line before it.
 * Prints nothing when no result has a row. */
void described_table_print(const struct result_description *description, const struct result_table *table,
                           const struct part *part, bool apart, FILE *out);

#endif
