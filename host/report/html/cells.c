/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and values of the HTML report. What is shown is rounded for people; the value attribute of <data> has the
 * number as in the JSON, and data-key its name there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/html/page.h"
#include "host/report/value.h"

/* "148 809 523.8": groups of three, separated by a narrow no-break space (SI brochure, 5.4.4). */
static struct format_text grouped(struct format_text plain)
{
	struct format_text out = {""};
	size_t length = 0, digits, first;

	first = plain.text[0] == '-';
	digits = first + strspn(plain.text + first, "0123456789");
	for (size_t i = 0; plain.text[i] && length + 4 < sizeof(out.text); i++) {
		if (i > first && i < digits && (digits - i) % 3 == 0 && digits - first > 4) {
			memcpy(out.text + length, "\xe2\x80\xaf", 3);
			length += 3;
		}
		out.text[length++] = plain.text[i];
	}
	out.text[length] = 0;
	return out;
}

struct format_text html_grouped(double value, int places)
{
	return grouped(format_decimal(value, places));
}

/* A number in the column of a key: percentages as everywhere. */
static struct format_text in_column(const char *key, double value, int places)
{
	struct format_text change;

	if (!strcmp(key, "change_percent")) {
		change = format_change(value);
		change.text[strcspn(change.text, "%")] = 0;
		return change;
	}
	return value_ends_in(key, "_percent") ? format_percentage(value) : html_grouped(value, places);
}

/* A time as formatted by format.h, but with the proper sign for micro. */
static struct format_text time_text(double seconds)
{
	struct format_text text = format_time(seconds), out;
	char *micro = strstr(text.text, " us");

	if (!micro)
		return text;
	snprintf(out.text, sizeof(out.text), "%.*s \xc2\xb5s", (int)(micro - text.text), text.text);
	return out;
}

/* unit NULL: the one that suits this time. */
static struct format_text time_in(double seconds, const struct format_time_unit *unit)
{
	struct format_text out;

	if (!unit)
		return time_text(seconds);
	snprintf(out.text, sizeof(out.text), "%.40s %s", html_grouped(seconds / unit->seconds, unit->places).text,
	         !strcmp(unit->name, "us") ? "\xc2\xb5s" : unit->name);
	return out;
}

double html_unit_seconds(enum metric_unit unit)
{
	return unit == METRIC_S ? 1 : unit == METRIC_NS ? 1e-9 : 0;
}

static void data(struct page *page, const char *value, const char *shown)
{
	html_open(page, "data");
	html_attr(page, "value", "%s", value);
	html_text(page, "%s", shown);
	html_close(page);
}

void html_table(struct page *page, const char *name, const char *caption, const char *const *headings)
{
	html_open_scroll(page, caption);
	html_open(page, "table");
	html_attr(page, "data-table", "%s", name);
	html_element(page, "caption", NULL, "%s", caption);
	html_open(page, "thead");
	html_open(page, "tr");
	for (; *headings; headings++) {
		bool text = **headings == '<'; /* left-aligned, as in text_table.h */

		html_open_class(page, "th", text ? "text" : NULL);
		html_attr(page, "scope", "col");
		html_text(page, "%s", *headings + text);
		html_close(page);
	}
	html_close(page);
	html_close(page);
	html_open(page, "tbody");
}

void html_table_end(struct page *page)
{
	html_close(page);
	html_close(page);
	html_close(page);
}

void html_row(struct page *page, const json_t *result)
{
	html_open(page, "tr");
	if (!result)
		return;
	html_attr(page, "data-test", "%s", value_text(result, "test_number", 0).text);
	html_attr(page, "data-octets", "%s", value_size(result).text);
	if (*value_modifier(result).text)
		html_attr(page, "data-modifier", "%s", value_modifier(result).text + 2);
	if (value_known(result, "goal"))
		html_attr(page, "data-goal", "%s", value_text(result, "goal", 0).text);
}

void html_cell_head(struct page *page, const char *text)
{
	html_open_class(page, "th", "text");
	html_attr(page, "scope", "row");
	html_text(page, "%s", text);
	html_close(page);
}

static void number_cell(struct page *page, const char *key, bool known, struct format_text digits,
                        struct format_text shown)
{
	html_open(page, "td");
	if (*key)
		html_attr(page, "data-key", "%s", key);
	if (known)
		data(page, digits.text, shown.text);
	else
		html_text(page, "-");
	html_close(page);
}

void html_cell_number(struct page *page, const char *key, double value, int places)
{
	number_cell(page, key, isfinite(value), format_exact(value), in_column(key, value, places));
}

void html_cell_digits(struct page *page, const char *key, const json_t *value)
{
	number_cell(page, key, json_is_number(value), value_digits(value), grouped(value_digits(value)));
}

void html_cell_seconds(struct page *page, const char *key, double seconds, const struct format_time_unit *unit)
{
	number_cell(page, key, isfinite(seconds), format_exact(seconds), time_in(seconds, unit));
}

void html_cell_value(struct page *page, const json_t *object, const char *key, int places)
{
	const json_t *value = described_value(object, key);
	int shown = json_is_integer(value) ? 0 : places;
	struct format_text text = in_column(key, json_number_value(value), shown), limit;

	if (described_is_at_least(object, key)) {
		limit = text;
		snprintf(text.text, sizeof(text.text), "\xe2\x89\xa5 %.50s", limit.text);
	}
	if (!json_is_number(value) && !strcmp(key, "frame_octets"))
		html_cell(page, "%s", value_size(object).text);
	else
		number_cell(page, key, json_is_number(value), value_digits(value), text);
}

void html_cell_time(struct page *page, const json_t *object, const char *key, double scale,
                    const struct format_time_unit *unit)
{
	const json_t *value = described_value(object, key);

	number_cell(page, key, json_is_number(value), value_digits(value),
	            time_in(json_number_value(value) * scale, unit));
}

void html_cell_valid(struct page *page, const json_t *result)
{
	bool valid = value_true(result, "valid"), skipped = value_true(result, "skipped");
	bool flags = json_array_size(json_object_get(result, "flags")) > 0;
	const char *verdict = value_string(result, "verdict");

	html_open_class(page, "td", "text");
	if (skipped)
		html_element(page, "span", "badge muted", "not tested");
	else if (!valid)
		html_element(page, "span", "badge bad", "%s", value_not_valid(result));
	else if (!strcmp(verdict, "fail"))
		html_element(page, "span", "badge bad", "FAIL");
	else
		html_element(page, "span", flags ? "badge warn" : "badge good", "%s%s",
		             !strcmp(verdict, "pass") ? "PASS" : "valid", flags ? ", see remarks" : "");
	html_close(page);
}

static const char *const UNITS[] = {"_fps", "_ns", "_s", "_percent", "_octets", "_frames", "_bps"};
enum { UNIT_COUNT = sizeof(UNITS) / sizeof(UNITS[0]) };

void html_key(struct page *page, const char *key)
{
	size_t length = strlen(key);
	char *text = strdup(key);

	for (size_t i = 0; text && i < UNIT_COUNT; i++) {
		if (value_ends_in(key, UNITS[i]) && length > strlen(UNITS[i])) {
			text[length - strlen(UNITS[i])] = 0;
			break;
		}
	}
	for (char *c = text; c && *c; c++) {
		if (*c == '_')
			*c = ' ';
	}
	if (text && *text >= 'a' && *text <= 'z')
		*text = (char)(*text - 'a' + 'A');
	html_text(page, "%s", text ? text : key);
	free(text);
}

struct format_text html_quantity(const char *key, const json_t *value, int places)
{
	double number = json_number_value(value);
	struct format_text out = {"-"};

	if (!json_is_number(value))
		return out;
	if (value_ends_in(key, "_fps"))
		return format_fps(number);
	if (value_ends_in(key, "_ns"))
		return time_text(number * 1e-9);
	if (value_ends_in(key, "_s"))
		return time_text(number);
	if (value_ends_in(key, "_percent"))
		return format_percent(number / 100);
	if (value_ends_in(key, "_bps") || key == strstr(key, "bits_per_second"))
		return format_bit_rate((uint64_t)fmin(fmax(number, 0), 1e18));
	if (json_is_integer(value) || places >= 0)
		out = html_grouped(number, json_is_integer(value) ? 0 : places);
	else
		snprintf(out.text, sizeof(out.text), "%.10g", number);
	if (value_ends_in(key, "_octets"))
		strcat(out.text, " octets");
	else if (value_ends_in(key, "_frames"))
		strcat(out.text, " frames");
	return out;
}

void html_value(struct page *page, const char *key, const json_t *value)
{
	size_t i;
	const json_t *one;
	const char *inner;

	if (json_is_number(value)) {
		data(page, value_digits(value).text, html_quantity(key, value, -1).text);
	} else if (json_is_string(value)) {
		html_text(page, "%s", json_string_value(value));
	} else if (json_is_boolean(value)) {
		html_text(page, json_is_true(value) ? "yes" : "no");
	} else if (json_is_array(value)) {
		json_array_foreach(value, i, one)
		{
			html_text(page, i ? "; " : "");
			html_value(page, key, one);
		}
	} else if (json_is_object(value)) {
		bool first = true;

		json_object_foreach((json_t *)(uintptr_t)value, inner, one)
		{
			html_text(page, first ? "" : "; ");
			html_key(page, inner);
			html_text(page, ": ");
			html_value(page, inner, (const json_t *)one);
			first = false;
		}
	} else {
		html_text(page, "-");
	}
}
