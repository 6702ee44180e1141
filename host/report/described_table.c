/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of descriptions: headings and cells by the unit of the metric. */
#include "host/report/described_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/report/described.h"
#include "host/report/latency_error.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

enum { MOST_RUNS = 12 };

size_t described_columns(const struct result_description *description, const struct result_table *table,
                         struct described_column columns[DESCRIBED_COLUMNS])
{
	size_t count = 0;

	for (const struct result_column *column = table->columns; column->key; column++) {
		const char *key = column->key;

		for (size_t index = 0; *key && count < DESCRIBED_COLUMNS; index++) {
			struct described_column *one = &columns[count];
			size_t length = strcspn(key, ",");

			*one = (struct described_column){.index = index, .column = column};
			snprintf(one->key, sizeof(one->key), "%.*s", (int)length, key);
			one->metric = description_metric(description, one->key);
			count += one->metric != NULL;
			key += length + (key[length] == ',');
		}
	}
	return count;
}

bool described_is_text(const struct metric *metric)
{
	return metric->unit == METRIC_TEXT || metric->unit == METRIC_YES_NO || described_is_list(metric);
}

bool described_is_list(const struct metric *metric)
{
	return metric->unit == METRIC_FRAMES_LIST || metric->unit == METRIC_NS_LIST || metric->unit == METRIC_S_LIST;
}

double described_smallest(const struct described_column *columns, size_t count, const struct part *part,
                          enum metric_unit unit)
{
	double smallest = INFINITY;

	for (size_t i = 0; i < count * part->count; i++) {
		const struct described_column *one = &columns[i % count];
		double value = described_number(part->results[i / count], one->key);

		if (one->metric->unit == unit && !one->column->heading && value > 0)
			smallest = fmin(smallest, value);
	}
	return smallest;
}

char *described_runs(const json_t *list, const char *times, size_t *runs)
{
	size_t count = json_array_size(list), length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	*runs = 0;
	for (size_t i = 0, end; out && i < count; i = end) {
		const json_t *value = json_array_get(list, i);

		for (end = i + 1; end < count && json_equal(json_array_get(list, end), value);)
			end++;
		fprintf(out, "%s%s", (*runs)++ ? ", " : "", value_digits(value).text);
		if (end - i > 1)
			fprintf(out, "%s%zu", times, end - i);
	}
	if (out)
		fclose(out);
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

/* -- the terminal ------------------------------------------------------------------------------------------------- */

static const char *unit_text(const struct metric *metric)
{
	switch (metric->unit) {
	case METRIC_FPS:
		return ", fps";
	case METRIC_GBPS:
		return ", Gb/s";
	case METRIC_FRAMES:
	case METRIC_FRAMES_LIST:
		return ", frames";
	case METRIC_OCTETS:
		return ", octets";
	case METRIC_S_LIST:
		return ", s";
	case METRIC_S:
		return metric->places ? ", s" : "";
	default:
		return "";
	}
}

static struct format_text heading(const struct described_column *one)
{
	const char *own = one->column->heading;
	struct format_text text;

	snprintf(text.text, sizeof(text.text), "%s%s%s", described_is_text(one->metric) ? "<" : "",
	         own ? own : one->metric->heading, own ? "" : unit_text(one->metric));
	return text;
}

static void list_cell(struct text_table *out, const json_t *list)
{
	size_t runs;
	char *text = described_runs(list, " x ", &runs);

	if (!text || runs > MOST_RUNS || strlen(text) >= TEXT_TABLE_CELL)
		text_table_cell(out, "%zu values, all in the JSON", json_array_size(list));
	else
		text_table_cell(out, "%s", runs ? text : "-");
	free(text);
}

static struct format_text number_text(const struct metric *metric, const json_t *value,
                                      const struct format_time_unit *unit)
{
	double number = json_number_value(value);

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
	return format_decimal(number, (int)metric->places);
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

/* The modifier without the comma before it. */
static const char *modifier_word(const json_t *result, struct format_text *text)
{
	*text = value_modifier(result);
	return *text->text ? text->text + 2 : "none";
}

static void row(const struct described_column *columns, size_t count, const json_t *result, bool modifiers,
                const struct format_time_unit *unit, struct text_table *out)
{
	struct format_text word;

	for (size_t i = 0; i < count; i++) {
		const struct described_column *one = &columns[i];
		char text[TEXT_TABLE_CELL];
		size_t length = 0;

		if (one->column->details || one->index)
			continue;
		if (!strcmp(one->key, "frame_octets")) {
			text_table_cell(out, "%s", value_size(result).text);
			if (modifiers)
				text_table_cell(out, "%s", modifier_word(result, &word));
			continue;
		}
		if (!strcmp(one->key, "valid")) {
			text_table_cell(out, "%s", described_valid(result));
			continue;
		}
		if (described_is_list(one->metric)) {
			list_cell(out, described_value(result, one->key));
			continue;
		}
		for (; one < columns + count && one->column == columns[i].column; one++)
			length = text_add(text, sizeof(text), length, "%s%s%s", one->index ? "," : "",
			                  described_is_at_least(result, one->key) ? ">= " : "",
			                  value_cell_text(one->metric, described_value(result, one->key), unit).text);
		text_table_cell(out, "%s", text);
	}
}

void described_table_print(const struct result_description *description, const struct result_table *table,
                           const struct part *part, bool apart, FILE *out)
{
	struct described_column columns[DESCRIBED_COLUMNS];
	const size_t count = described_columns(description, table, columns);
	const struct format_time_unit unit =
	        format_time_unit(described_smallest(columns, count, part, METRIC_NS) * 1e-9);
	struct format_text texts[TEXT_TABLE_COLUMNS];
	const char *headings[TEXT_TABLE_COLUMNS];
	struct text_table rows;
	size_t shown = 0, filled = 0;
	const bool modifiers = part_has_modifiers(part);

	for (size_t i = 0; i < count && filled < TEXT_TABLE_COLUMNS; i++) {
		if (columns[i].column->details || columns[i].index)
			continue;
		texts[filled] = heading(&columns[i]);
		headings[filled] = texts[filled].text;
		filled++;
		if (modifiers && !strcmp(columns[i].key, "frame_octets") && filled < TEXT_TABLE_COLUMNS)
			headings[filled++] = "<Modifier";
	}
	text_table_begin(&rows, headings, filled);
	for (size_t i = 0; i < part->count; i++) {
		if (!described_has_row(table, part->results[i]))
			continue;
		row(columns, count, part->results[i], modifiers, &unit, &rows);
		shown++;
	}
	if (shown)
		fprintf(out, "%s  %s%s\n", apart ? "\n" : "", table->caption,
		        latency_error_of_columns(part->results[0], table->columns).text);
	text_table_end(&rows, out);
}
