/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of descriptions as text: headings and cells by the unit of the metric. */
#include "host/report/described_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

enum { KEY_SIZE = 80, MOST_RUNS = 12 };

static const char *unit_text(const struct metric *metric)
{
	switch (metric->unit) {
	case METRIC_FPS:
		return ", fps";
	case METRIC_FRAMES:
	case METRIC_FRAMES_LIST:
		return ", frames";
	case METRIC_OCTETS:
		return ", octets";
	case METRIC_S:
		return metric->places ? ", s" : "";
	default:
		return "";
	}
}

static bool is_text(const struct metric *metric)
{
	return metric->unit == METRIC_TEXT || metric->unit == METRIC_YES_NO || metric->unit == METRIC_FRAMES_LIST;
}

/* The metric of a column; that of its first key if it has several. */
static const struct metric *metric_of(const struct result_description *description, const struct result_column *column)
{
	char key[KEY_SIZE];

	snprintf(key, sizeof(key), "%.*s", (int)strcspn(column->key, ","), column->key);
	return description_metric(description, key);
}

static struct format_text heading(const struct metric *metric, const struct result_column *column)
{
	struct format_text text;

	snprintf(text.text, sizeof(text.text), "%s%s%s", is_text(metric) ? "<" : "",
	         column->heading ? column->heading : metric->heading, column->heading ? "" : unit_text(metric));
	return text;
}

bool described_has_row(const struct result_table *table, const json_t *result)
{
	if (table->needs && !isfinite(described_number(result, table->needs)))
		return false;
	if (table->rows == ROWS_ALL)
		return true;
	if (value_true(result, "skipped"))
		return false;
	return table->rows == ROWS_TESTED || json_is_object(json_object_get(result, "truth"));
}

/* All latencies of a table have one unit, so that they can be compared by eye. */
static struct format_time_unit latency_unit(const struct result_description *description,
                                            const struct result_table *table, const struct part *part)
{
	double smallest_ns = INFINITY;

	for (const struct result_column *column = table->columns; column->key; column++) {
		const struct metric *metric = metric_of(description, column);

		for (size_t i = 0; metric && metric->unit == METRIC_NS && i < part->count; i++) {
			double value_ns = described_number(part->results[i], column->key);

			if (value_ns > 0 && value_ns < smallest_ns)
				smallest_ns = value_ns;
		}
	}
	return format_time_unit(smallest_ns * 1e-9);
}

static void valid_cell(struct text_table *out, const json_t *result)
{
	bool flags = json_array_size(json_object_get(result, "flags")) > 0;

	text_table_cell(out, "%s", !value_true(result, "valid") ? "INVALID" : flags ? "yes, see !" : "yes");
}

/* The values of a list in order; consecutive equal ones are counted: "2000 x 3, 2003". */
static void list_cell(struct text_table *out, const json_t *list)
{
	size_t count = json_array_size(list), runs = 0, length = 0;
	char text[TEXT_TABLE_CELL] = "-";

	for (size_t i = 0, end; i < count && length < sizeof(text); i = end) {
		const json_t *value = json_array_get(list, i);

		for (end = i + 1; end < count && json_equal(json_array_get(list, end), value);)
			end++;
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", runs++ ? ", " : "",
		                           value_digits(value).text);
		if (end - i > 1 && length < sizeof(text))
			length += (size_t)snprintf(text + length, sizeof(text) - length, " x %zu", end - i);
	}
	if (runs > MOST_RUNS || length >= sizeof(text))
		snprintf(text, sizeof(text), "%zu values, all in the JSON", count);
	text_table_cell(out, "%s", text);
}

static struct format_text number_text(const struct metric *metric, const json_t *value,
                                      const struct format_time_unit *unit)
{
	double number = json_number_value(value);
	struct format_text text;

	if (metric->unit == METRIC_NS)
		return format_time_in(number * 1e-9, unit);
	if (metric->unit == METRIC_S && !metric->places)
		return format_time(number);
	if (metric->unit == METRIC_PERCENT)
		return format_percent(number / 100);
	if (metric->unit == METRIC_RATIO)
		return format_percent(number);
	if (json_is_integer(value))
		return value_digits(value);
	/* Above 10^15 a double has no decimal places left to show. */
	snprintf(text.text, sizeof(text.text), fabs(number) < 1e15 ? "%.*f" : "%.*g", (int)metric->places, number);
	return text;
}

static struct format_text value_cell_text(const struct metric *metric, const json_t *value,
                                          const struct format_time_unit *unit)
{
	struct format_text text = {"-"};

	if (json_is_number(value))
		return number_text(metric, value, unit);
	if (json_is_string(value))
		snprintf(text.text, sizeof(text.text), "%.60s", json_string_value(value));
	else if (json_is_boolean(value))
		snprintf(text.text, sizeof(text.text), "%s", json_is_true(value) ? "yes" : "no");
	return text;
}

/* The values of a column with several keys are separated by commas. */
static void cell(const struct result_description *description, const struct result_column *column, const json_t *result,
                 const struct format_time_unit *unit, struct text_table *out)
{
	char text[TEXT_TABLE_CELL] = "", key[KEY_SIZE];
	size_t length = 0;

	for (const char *at = column->key; *at && length < sizeof(text);) {
		size_t end = strcspn(at, ",");
		const struct metric *metric;

		snprintf(key, sizeof(key), "%.*s", (int)end, at);
		metric = description_metric(description, key);
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", at == column->key ? "" : ",",
		                           metric ? value_cell_text(metric, described_value(result, key), unit).text
		                                  : "-");
		at += at[end] ? end + 1 : end;
	}
	text_table_cell(out, "%s", text);
}

static void row(const struct result_description *description, const struct result_table *table, const json_t *result,
                const struct format_time_unit *unit, struct text_table *out)
{
	for (const struct result_column *column = table->columns; column->key; column++) {
		const struct metric *metric = metric_of(description, column);

		if (column->details || !metric)
			continue;
		if (!strcmp(column->key, "valid"))
			valid_cell(out, result);
		else if (metric->unit == METRIC_FRAMES_LIST)
			list_cell(out, described_value(result, column->key));
		else
			cell(description, column, result, unit, out);
	}
}

void described_table_print(const struct result_description *description, const struct result_table *table,
                           const struct part *part, bool apart, FILE *out)
{
	const struct format_time_unit unit = latency_unit(description, table, part);
	struct format_text texts[TEXT_TABLE_COLUMNS];
	const char *headings[TEXT_TABLE_COLUMNS];
	struct text_table rows;
	size_t columns = 0, shown = 0;

	for (const struct result_column *column = table->columns; column->key && columns < TEXT_TABLE_COLUMNS;
	     column++) {
		const struct metric *metric = metric_of(description, column);

		if (column->details || !metric)
			continue;
		texts[columns] = heading(metric, column);
		headings[columns] = texts[columns].text;
		columns++;
	}
	text_table_begin(&rows, headings, columns);
	for (size_t i = 0; i < part->count; i++) {
		if (!described_has_row(table, part->results[i]))
			continue;
		row(description, table, part->results[i], &unit, &rows);
		shown++;
	}
	if (shown)
		fprintf(out, "%s  %s\n", apart ? "\n" : "", table->caption);
	text_table_end(&rows, out);
}
