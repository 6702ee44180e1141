/* SPDX-License-Identifier: Apache-2.0 */
/* Columns for the terminal. */
#include "host/report/text_table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/text.h"

void text_table_begin(struct text_table *table, const char *const *headings, size_t columns)
{
	*table = (struct text_table){.columns = columns < TEXT_TABLE_COLUMNS ? columns : TEXT_TABLE_COLUMNS};
	for (size_t i = 0; i < table->columns; i++)
		table->headings[i] = headings[i];
}

void text_table_cell(struct text_table *table, const char *format, ...)
{
	char(*cell)[TEXT_TABLE_CELL];
	va_list arguments;

	cell = array_add(&table->cells, table->count, sizeof(*cell));
	if (!cell) {
		table->failed = true;
		return;
	}
	va_start(arguments, format);
	vsnprintf(*cell, sizeof(*cell), format, arguments);
	va_end(arguments);
	text_repair(*cell, sizeof(*cell));
	table->count++;
}

static bool is_text(const char *heading)
{
	return heading[0] == '<';
}

/* Lines end without trailing blanks. */
static void print_cell(FILE *out, const char *text, size_t width, bool left, bool last)
{
	int pad = (int)(width - strlen(text));

	fprintf(out, "  %*s%s%*s", left ? 0 : pad, "", text, left && !last ? pad : 0, "");
}

void text_table_end(struct text_table *table, FILE *out)
{
	size_t widths[TEXT_TABLE_COLUMNS];

	if (table->failed) {
		fputs("  (out of memory: the table is left out, its values are in the JSON)\n", out);
		free(table->cells);
		return;
	}
	for (size_t i = 0; i < table->columns; i++)
		widths[i] = strlen(table->headings[i]) - is_text(table->headings[i]);
	for (size_t i = 0; i < table->count; i++) {
		size_t length = strlen(table->cells[i]);

		if (length > widths[i % table->columns])
			widths[i % table->columns] = length;
	}
	for (size_t i = 0; table->count && i < table->columns; i++)
		print_cell(out, table->headings[i] + is_text(table->headings[i]), widths[i],
		           is_text(table->headings[i]), i + 1 == table->columns);
	for (size_t i = 0; i < table->count; i++) {
		size_t column = i % table->columns;

		if (column == 0)
			fputc('\n', out);
		print_cell(out, table->cells[i], widths[column], is_text(table->headings[column]),
		           column + 1 == table->columns);
	}
	if (table->count)
		fputc('\n', out);
	free(table->cells);
}
