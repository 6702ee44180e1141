/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of descriptions: what the forms of report have in common, and the table for the terminal. */
#ifndef FPGAUGE_REPORT_DESCRIBED_TABLE_H
#define FPGAUGE_REPORT_DESCRIBED_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/report/part.h"
#include "host/result/description.h"

enum { DESCRIBED_COLUMNS = 32 };

/* One key of a table. Where there is little room, keys share a column. */
struct described_column {
	char key[80];
	size_t index; /* its index among the keys of the column */
	const struct result_column *column;
	const struct metric *metric;
};

/* The keys of a table whose metric is known. Returns how many there are. */
size_t described_columns(const struct result_description *description, const struct result_table *table,
                         struct described_column columns[DESCRIBED_COLUMNS]);

/* Returns whether the values of a column are text, and so left-aligned. */
bool described_is_text(const struct metric *metric);

/* Returns whether they are lists of numbers, which fill a cell of text. */
bool described_is_list(const struct metric *metric);

/* The smallest time above zero in columns without a heading of their own whose metric has that unit; INFINITY if there
 * is none. All times of a table are shown in the unit of the smallest, so that they can be compared by eye. */
double described_smallest(const struct described_column *columns, size_t count, const struct part *part,
                          enum metric_unit unit);

/* The values of a list in order; those that are alike are counted: "2000 x 3, 2003", with times = " x ". *runs: how
 * many there are. The caller's to free; NULL: out of memory. */
char *described_runs(const json_t *list, const char *times, size_t *runs);

/* Returns whether a result belongs in a table. */
bool described_has_row(const struct result_table *table, const json_t *result);

/* Prints a table of a description to the terminal, without its detail columns. apart: with an empty line before it.
 * Prints nothing when no result has a row. */
void described_table_print(const struct result_description *description, const struct result_table *table,
                           const struct part *part, bool apart, FILE *out);

#endif
