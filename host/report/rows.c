/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal's tables of lists. */
#include "host/report/rows.h"

#include <string.h>

#include "host/base/text.h"
#include "host/report/latency_error.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

enum { FEW = 2 /* rows, as between the two ports of a pair */ };

bool rows_are_shown(const struct result_listing *rows, const json_t *result)
{
	const size_t count = json_array_size(json_object_get(result, rows->list));
	const json_t *pattern = json_object_get(json_object_get(result, "parameters"), "pattern");
	const bool pairs = !json_is_string(pattern) || !strcmp(json_string_value(pattern), "pairs");

	return count > FEW || (count && (rows->always || !pairs));
}

struct format_text rows_head(const json_t *result)
{
	struct format_text out;

	text_add(out.text, sizeof(out.text), 0, "%.50s%.12s", value_place(result).text, value_goal(result).text);
	return out;
}

struct format_text rows_numbers(const json_t *list)
{
	struct format_text out = {"-"};
	const json_t *value;
	size_t length = 0, i;

	json_array_foreach(list, i, value)
	{
		if (json_is_integer(value))
			length = text_add(out.text, sizeof(out.text), length, "%s%lld", length ? " " : "",
			                  (long long)json_integer_value(value));
	}
	return out;
}

struct format_text rows_word(const json_t *text)
{
	struct format_text out;

	text_add(out.text, sizeof(out.text), 0, "%.40s", json_string_value(text));
	return out;
}

static struct format_text cell(const json_t *row, const struct result_column *column)
{
	const char *key = column->key;

	if (json_is_array(json_object_get(row, key)))
		return rows_numbers(json_object_get(row, key));
	if (json_is_string(json_object_get(row, key)))
		return rows_word(json_object_get(row, key));
	if (value_ends_in(key, "_ns") && value_known(row, key))
		return value_time(row, key, 1e-9);
	return value_text(row, key, (int)column->places);
}

static void add_row(struct text_table *table, const struct result_column *column, const json_t *result,
                    const json_t *row)
{
	text_table_cell(table, "%s", rows_head(result).text);
	for (; column->key; column++)
		if (!column->details)
			text_table_cell(table, "%s", cell(row, column).text);
}

/* How many rows come before a row if they are put in order, those with most first, and else as they are. */
static size_t place_of(const struct result_listing *rows, const json_t *list, size_t number)
{
	const double mine = value_number(json_array_get(list, number), rows->worst);
	size_t before = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const double other = value_number(json_array_get(list, i), rows->worst);

		before += other > mine || (!(other < mine) && i < number);
	}
	return before;
}

/* Rows stay in order. Returns how many are left out. */
static size_t add_rows(struct text_table *table, const struct result_listing *rows, const struct result_column *columns,
                       const json_t *result)
{
	const json_t *list = json_object_get(result, rows->list);
	const size_t count = json_array_size(list);
	const bool all = rows->most == 0 || count <= rows->most;

	for (size_t i = 0; i < count; i++)
		if (all || place_of(rows, list, i) < rows->most)
			add_row(table, columns, result, json_array_get(list, i));
	return all ? 0 : count - rows->most;
}

static void begin(struct text_table *table, const struct result_column *column)
{
	const char *headings[TEXT_TABLE_COLUMNS] = {"Size, octets"};
	size_t count = 1;

	for (; column->key && count < TEXT_TABLE_COLUMNS; column++)
		if (!column->details)
			headings[count++] = column->heading;
	text_table_begin(table, headings, count);
}

void rows_print(const struct result_listing *rows, const struct part *part, FILE *out)
{
	struct result_column columns[LISTING_COLUMNS];
	struct text_table table;
	size_t left_out = 0;
	bool any = false;

	listing_columns(rows, columns);
	begin(&table, columns);
	for (size_t i = 0; i < part->count; i++) {
		if (!rows_are_shown(rows, part->results[i]))
			continue;
		left_out += add_rows(&table, rows, columns, part->results[i]);
		any = true;
	}
	if (any)
		fprintf(out, "\n  %s%s\n", rows->caption, latency_error_of_columns(part->results[0], columns).text);
	text_table_end(&table, out);
	if (left_out)
		fprintf(out, "  and %zu more in the JSON, the CSV and the HTML; of each result, %s are here\n",
		        left_out, rows->which);
}
