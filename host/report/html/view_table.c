/* SPDX-License-Identifier: Apache-2.0 */
/* A table of a description: headings and cells by the unit of the metric, one row per result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/described_table.h"
#include "host/report/html/page.h"
#include "host/report/latency_error.h"
#include "host/report/value.h"

enum { MOST_CAPTION = 240 };

/* HTML has room for one column per key, with its part of the heading. Times have no unit in the heading: each has it in
 * its cell. */
static struct format_text heading(const struct described_column *one)
{
	const struct metric *metric = one->metric;
	const bool unit = html_unit_seconds(metric->unit) == 0 && *metric_unit_word(metric->unit);
	const char *own = one->column->heading, *text = described_is_text(metric) ? "<" : "";
	struct format_text out;

	if (!own) {
		snprintf(out.text, sizeof(out.text), "%s%s%s%s", text, metric->heading, unit ? ", " : "",
		         unit ? metric_unit_word(metric->unit) : "");
		return out;
	}
	for (size_t i = 0; i < one->index; i++)
		own += strcspn(own, ",") + (strchr(own, ',') != NULL);
	snprintf(out.text, sizeof(out.text), "%s%.*s", text,
	         (int)(strchr(one->column->key, ',') ? strcspn(own, ",") : strlen(own)), own);
	return out;
}

static void list_cell(struct page *page, const char *key, const json_t *list)
{
	size_t runs;
	char *text = described_runs(list, " \xc3\x97 ", &runs);

	html_open_class(page, "td", "text wrap");
	html_attr(page, "data-key", "%s", key);
	html_text(page, "%s", text ? text : "-");
	html_close(page);
	free(text);
}

static void cell(struct page *page, const struct described_column *one, const json_t *result,
                 const struct format_time_unit *unit)
{
	const json_t *value = described_value(result, one->key);
	const double seconds = html_unit_seconds(one->metric->unit);

	if (!strcmp(one->key, "valid"))
		html_cell_valid(page, result);
	else if (described_is_list(one->metric))
		list_cell(page, one->key, value);
	else if (one->metric->unit == METRIC_YES_NO)
		html_cell(page, "%s", json_is_boolean(value) ? json_is_true(value) ? "yes" : "no" : "-");
	else if (described_is_text(one->metric))
		html_cell(page, "%s", json_is_string(value) ? json_string_value(value) : "-");
	else if (seconds > 0 && !one->column->heading)
		html_cell_time(page, result, one->key, seconds, unit);
	else
		html_cell_value(page, result, one->key, (int)one->metric->places);
}

static bool is_size(const struct described_column *one)
{
	return !strcmp(one->key, "frame_octets");
}

static void modifier_cell(struct page *page, const json_t *result)
{
	const struct format_text text = value_modifier(result);

	html_cell(page, "%s", *text.text ? text.text + 2 : "none");
}

void html_view_table(struct page *page, const struct part *part, const struct result_description *description,
                     const struct result_table *view)
{
	struct described_column columns[DESCRIBED_COLUMNS];
	const size_t count = described_columns(description, view, columns);
	const struct format_time_unit unit =
	        format_time_unit(fmin(described_smallest(columns, count, part, METRIC_NS) * 1e-9,
	                              described_smallest(columns, count, part, METRIC_S)));
	struct format_text texts[DESCRIBED_COLUMNS];
	const char *headings[DESCRIBED_COLUMNS + 2] = {NULL};
	const bool modifiers = part_has_modifiers(part);
	size_t filled = 0;
	char caption[MOST_CAPTION];
	bool any = false;

	snprintf(caption, sizeof(caption), "%s%s", view->caption ? view->caption : description->title,
	         latency_error_of_columns(part->results[0], view->columns).text);
	for (size_t i = 0; i < count; i++) {
		texts[i] = heading(&columns[i]);
		headings[filled++] = texts[i].text;
		if (modifiers && is_size(&columns[i]))
			headings[filled++] = "<Modifier";
	}
	for (size_t i = 0; i < part->count; i++) {
		if (!described_has_row(view, part->results[i]))
			continue;
		if (!any)
			html_table(page, view->name, caption, headings);
		any = true;
		html_row(page, part->results[i]);
		for (size_t j = 0; j < count; j++) {
			cell(page, &columns[j], part->results[i], &unit);
			if (modifiers && is_size(&columns[j]))
				modifier_cell(page, part->results[i]);
		}
		html_close(page);
	}
	if (any)
		html_table_end(page);
}
