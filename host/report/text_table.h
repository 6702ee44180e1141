/* SPDX-License-Identifier: Apache-2.0 */
/* A table for the terminal: cells are collected, then printed in columns as wide as needed, numbers right-aligned. */
#ifndef FPGAUGE_REPORT_TEXT_TABLE_H
#define FPGAUGE_REPORT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TEXT_TABLE_COLUMNS = 13, TEXT_TABLE_CELL = 160 };

struct text_table {
	size_t columns;
	const char *headings[TEXT_TABLE_COLUMNS];
	char (*cells)[TEXT_TABLE_CELL]; /* row by row */
	size_t count;
	bool failed; /* out of memory: reported in place of the table */
};

/* headings are not copied. A heading that begins with '<' makes a column of text, left-aligned. */
void text_table_begin(struct text_table *table, const char *const *headings, size_t columns);

/* The next cell, row by row; cut to fit. */
void text_table_cell(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints, indented by two, and frees. Prints nothing when there is no row. */
void text_table_end(struct text_table *table, FILE *out);

#endif
