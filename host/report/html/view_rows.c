/* SPDX-License-Identifier: Apache-2.0 */
/* A table of a list: what ports or flows counted. */
#include "host/report/html/page.h"
#include "host/report/latency_error.h"
#include "host/report/rows.h"
#include "host/report/value.h"

enum { MOST_CAPTION = 240 };

static void cell(struct page *page, const json_t *row, const struct result_column *column)
{
	const char *key = column->key;

	if (json_is_array(json_object_get(row, key)))
		html_cell(page, "%s", rows_numbers(json_object_get(row, key)).text);
	else if (json_is_string(json_object_get(row, key)))
		html_cell(page, "%s", rows_word(json_object_get(row, key)).text);
	else if (value_ends_in(key, "_ns"))
		html_cell_time(page, row, key, 1e-9, NULL);
	else
		html_cell_value(page, row, key, (int)column->places);
}

static void table_rows(struct page *page, const struct result_listing *rows, const struct result_column *columns,
                       const json_t *result)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(result, rows->list), i, row)
	{
		html_open(page, "tr");
		html_cell_head(page, rows_head(result).text);
		for (const struct result_column *column = columns; column->key; column++)
			cell(page, row, column);
		html_close(page);
	}
}

void html_view_rows(struct page *page, const struct part *part, const struct result_listing *rows)
{
	struct result_column columns[LISTING_COLUMNS];
	const char *headings[LISTING_COLUMNS + 1] = {"Size, octets"};
	const bool drawn = rows->curves && html_view_curves(page, part, rows);
	char caption[MOST_CAPTION];
	bool any = false;

	listing_columns(rows, columns);
	snprintf(caption, sizeof(caption), "%s%s", rows->caption,
	         latency_error_of_columns(part->results[0], columns).text);
	if (rows->matrix)
		html_view_matrix(page, part, rows);
	for (size_t i = 0; columns[i].key; i++)
		headings[i + 1] = columns[i].heading;
	for (size_t i = 0; i < part->count; i++) {
		/* Tables by port and direction are shown for two ports too: a page has the room. */
		if (!json_array_size(json_object_get(part->results[i], rows->list)))
			continue;
		if (!any)
			html_table(page, rows->list, caption, headings);
		any = true;
		table_rows(page, rows, columns, part->results[i]);
	}
	if (any)
		html_table_end(page);
	if (drawn)
		html_close(page);
}
