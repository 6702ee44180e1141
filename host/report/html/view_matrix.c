/* SPDX-License-Identifier: Apache-2.0 */
/* A square of ports for each result: the share of what was lost in what was sent, in numbers and in colours. */
#include <math.h>
#include <stdio.h>

#include "host/report/html/page.h"
#include "host/report/rows.h"

enum { MOST_PORTS = 16 };

struct square {
	double percent[MOST_PORTS][MOST_PORTS]; /* NAN: nothing was sent, or the share is not known */
	bool rows[MOST_PORTS], columns[MOST_PORTS];
};

static int port_of(const json_t *row, const char *key)
{
	const json_t *number = json_object_get(row, key);
	const json_int_t port = json_integer_value(number);

	return json_is_integer(number) && port >= 0 && port < MOST_PORTS ? (int)port : -1;
}

static void fill(const struct result_matrix *matrix, const json_t *list, struct square *square)
{
	const json_t *row;
	size_t i;

	*square = (struct square){0};
	for (unsigned from = 0; from < MOST_PORTS; from++)
		for (unsigned to = 0; to < MOST_PORTS; to++)
			square->percent[from][to] = NAN;
	json_array_foreach(list, i, row)
	{
		const int from = port_of(row, matrix->row), to = port_of(row, matrix->column);
		const double whole = json_number_value(json_object_get(row, matrix->whole));

		if (from < 0 || to < 0)
			continue;
		square->rows[from] = square->columns[to] = true;
		if (json_is_number(json_object_get(row, matrix->part)) && whole > 0)
			square->percent[from][to] = 100 * json_number_value(json_object_get(row, matrix->part)) / whole;
	}
}

/* Nothing, then by powers of ten, since little is as telling as much: one frame in a thousand, a hundred, ten. */
static unsigned heat_of(double percent)
{
	static const double ABOVE[] = {0, 0.1, 1, 10, 50};
	unsigned heat = 0;

	while (heat < sizeof(ABOVE) / sizeof(ABOVE[0]) && percent > ABOVE[heat])
		heat++;
	return heat;
}

static void cell(struct page *page, double percent)
{
	struct format_text class;

	if (isnan(percent)) {
		html_element(page, "td", NULL, "-");
		return;
	}
	snprintf(class.text, sizeof(class.text), "heat-%u", heat_of(percent));
	html_element(page, "td", class.text, "%s", format_percentage(percent).text);
}

static void square_rows(struct page *page, const struct square *square)
{
	for (unsigned from = 0; from < MOST_PORTS; from++) {
		struct format_text number;

		if (!square->rows[from])
			continue;
		snprintf(number.text, sizeof(number.text), "%u", from);
		html_open(page, "tr");
		html_cell_head(page, number.text);
		for (unsigned to = 0; to < MOST_PORTS; to++)
			if (square->columns[to])
				cell(page, square->percent[from][to]);
		html_close(page);
	}
}

static void show(struct page *page, const struct result_listing *rows, const json_t *result)
{
	const char *headings[MOST_PORTS + 2] = {"<From port, to port"};
	struct format_text numbers[MOST_PORTS];
	char name[64], caption[160];
	struct square square;
	size_t filled = 1;

	fill(rows->matrix, json_object_get(result, rows->list), &square);
	for (unsigned to = 0; to < MOST_PORTS; to++) {
		if (!square.columns[to])
			continue;
		snprintf(numbers[to].text, sizeof(numbers[to].text), "%u", to);
		headings[filled++] = numbers[to].text;
	}
	snprintf(name, sizeof(name), "%s-square", rows->list);
	snprintf(caption, sizeof(caption), "%s: %s octets", rows->matrix->caption, rows_head(result).text);
	html_table(page, name, caption, headings);
	square_rows(page, &square);
	html_table_end(page);
}

void html_view_matrix(struct page *page, const struct part *part, const struct result_listing *rows)
{
	for (size_t i = 0; i < part->count; i++)
		if (json_array_size(json_object_get(part->results[i], rows->list)))
			show(page, rows, part->results[i]);
}
