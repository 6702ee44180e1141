/* SPDX-License-Identifier: Apache-2.0 */
/* A table of a description: headings and cells by the unit of the metric, one row per result. */
#include <math.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/described_table.h"
#include "host/report/html/page.h"
#include "host/report/value.h"

enum { MOST_COLUMNS = 32 };

struct column {
	char key[80], heading[120]; /* "<" before left-aligned ones */
	const struct metric *metric;
	bool in_unit; /* its heading names no unit of time, so its cells have that of the table */
};

struct columns {
	struct column list[MOST_COLUMNS];
	size_t count;
	struct format_time_unit time_unit;
};

static bool is_valid(const struct metric *metric)
{
	return !strcmp(metric->key, "valid");
}

static bool is_text(const struct metric *metric)
{
	return metric->unit == METRIC_TEXT || metric->unit == METRIC_YES_NO || metric->unit == METRIC_FRAMES_LIST;
}

/* Times have no unit in the heading: each has it in its cell. */
static void set_heading(struct column *column, const char *own, size_t own_length)
{
	const struct metric *metric = column->metric;
	bool unit = !html_unit_seconds(metric->unit) && *html_unit(metric->unit);

	if (own)
		snprintf(column->heading, sizeof(column->heading), "%s%.*s", is_text(metric) ? "<" : "",
		         (int)own_length, own);
	else
		snprintf(column->heading, sizeof(column->heading), "%s%s%s%s", is_text(metric) ? "<" : "",
		         metric->heading, unit ? ", " : "", unit ? html_unit(metric->unit) : "");
	column->in_unit = !own;
}

/* HTML has room for one column per key. */
static void split(struct columns *columns, const struct result_description *description,
                  const struct result_column *from)
{
	const bool several = strchr(from->key, ',');
	const char *own = from->heading;

	for (const char *key = from->key; *key && columns->count < MOST_COLUMNS;) {
		struct column *column = &columns->list[columns->count];
		size_t length = strcspn(key, ","), own_length = own ? several ? strcspn(own, ",") : strlen(own) : 0;

		snprintf(column->key, sizeof(column->key), "%.*s", (int)length, key);
		column->metric = description_metric(description, column->key);
		if (column->metric) {
			set_heading(column, own, own_length);
			columns->count++;
		}
		key += length + (key[length] == ',');
		own = own ? own + own_length + (own[own_length] == ',') : NULL;
	}
}

static void find_columns(struct columns *columns, const struct part *part, const struct result_description *description,
                         const struct result_table *view)
{
	double smallest_s = INFINITY;

	columns->count = 0;
	for (const struct result_column *column = view->columns; column->key; column++)
		split(columns, description, column);
	for (size_t i = 0; i < columns->count * part->count; i++) {
		const struct column *column = &columns->list[i % columns->count];
		double seconds = described_number(part->results[i / columns->count], column->key) *
		                 html_unit_seconds(column->metric->unit);

		if (column->in_unit && seconds > 0)
			smallest_s = fmin(smallest_s, seconds);
	}
	columns->time_unit = format_time_unit(smallest_s);
}

/* Runs of the same value are listed once. */
static void list_cell(struct page *page, const char *key, const json_t *list)
{
	size_t count = json_array_size(list);

	html_open_class(page, "td", "text wrap");
	html_attr(page, "data-key", "%s", key);
	for (size_t i = 0, end; i < count; i = end) {
		const json_t *value = json_array_get(list, i);

		for (end = i + 1; end < count && json_equal(json_array_get(list, end), value);)
			end++;
		html_text(page, end - i > 1 ? "%s%s \xc3\x97 %zu" : "%s%s", i ? ", " : "", value_digits(value).text,
		          end - i);
	}
	html_close(page);
}

static void cell(struct page *page, const struct column *column, const json_t *result,
                 const struct format_time_unit *unit)
{
	const json_t *value = described_value(result, column->key);
	const double seconds = html_unit_seconds(column->metric->unit);

	if (is_valid(column->metric))
		html_cell_valid(page, result);
	else if (column->metric->unit == METRIC_FRAMES_LIST)
		list_cell(page, column->key, value);
	else if (column->metric->unit == METRIC_YES_NO)
		html_cell(page, "%s", json_is_boolean(value) ? json_is_true(value) ? "yes" : "no" : "-");
	else if (is_text(column->metric))
		html_cell(page, "%s", json_is_string(value) ? json_string_value(value) : "-");
	else if (seconds && column->in_unit)
		html_cell_time(page, result, column->key, seconds, unit);
	else
		html_cell_value(page, result, column->key, (int)column->metric->places);
}

void html_view_table(struct page *page, const struct part *part, const struct result_description *description,
                     const struct result_table *view)
{
	const char *headings[MOST_COLUMNS];
	struct columns columns;
	bool any = false;

	find_columns(&columns, part, description, view);
	for (size_t i = 0; i < columns.count; i++)
		headings[i] = columns.list[i].heading;
	for (size_t i = 0; i < part->count; i++) {
		if (!described_has_row(view, part->results[i]))
			continue;
		if (!any)
			html_table(page, view->name, view->caption ? view->caption : description->title, headings,
			           columns.count);
		any = true;
		html_row(page, part->results[i]);
		for (size_t j = 0; j < columns.count; j++)
			cell(page, &columns.list[j], part->results[i], &columns.time_unit);
		html_close(page);
	}
	if (any)
		html_table_end(page);
}
