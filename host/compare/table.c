/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for the terminal. */
#include <ctype.h>
#include <string.h>

#include "host/compare/compare.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

static void sample_cell(struct text_table *table, const json_t *sample)
{
	if (value_known(sample, "stddev"))
		text_table_cell(table, "%s (s %s, N %s)", value_text(sample, "value", 2).text,
		                value_text(sample, "stddev", 2).text, value_text(sample, "count", 0).text);
	else
		text_table_cell(table, "%s", value_text(sample, "value", 2).text);
}

static void percent_cell(struct text_table *table, const json_t *one)
{
	if (!value_known(one, "change_percent"))
		text_table_cell(table, "-");
	else if (value_known(one, "change_low_percent"))
		text_table_cell(table, "%s (%s to %s)", format_change(value_number(one, "change_percent")).text,
		                format_change(value_number(one, "change_low_percent")).text,
		                format_change(value_number(one, "change_high_percent")).text);
	else
		text_table_cell(table, "%s", format_change(value_number(one, "change_percent")).text);
}

enum { LONGEST_WHY = 63 };

/* A longer reason is printed below the table. */
static bool fits(const json_t *one)
{
	return strlen(value_string(one, "why")) <= LONGEST_WHY;
}

/* Only the answers of the tests are shown of what did not change. */
static bool is_shown(const json_t *one)
{
	return value_true(one, "answer") || strcmp(value_string(one, "verdict"), "same") != 0;
}

static void add_row(struct text_table *table, const json_t *one)
{
	text_table_cell(table, "%s %s%s%s", value_text(one, "test_number", 0).text, value_string(one, "test"),
	                value_known(one, "goal") ? " goal " : "",
	                value_known(one, "goal") ? value_text(one, "goal", 0).text : "");
	text_table_cell(table, "%s", value_place(one).text);
	text_table_cell(table, "%s", value_string(one, "key"));
	sample_cell(table, json_object_get(one, "base"));
	sample_cell(table, json_object_get(one, "new"));
	percent_cell(table, one);
	text_table_cell(table, "%s", value_string(one, "verdict"));
	text_table_cell(table, "%s", fits(one) ? value_string(one, "why") : "see !");
}

static void print_table(const json_t *comparison, FILE *out)
{
	static const char *const HEADINGS[] = {"<Test", "Size, octets", "<Value",   "Base",
	                                       "New",   "Change",       "<Verdict", "<Why"};
	const json_t *results = json_object_get(comparison, "results"), *notes = json_object_get(comparison, "notes");
	const char *why = value_string(comparison, "why");
	const json_t *one;
	struct text_table table;
	size_t hidden = 0, i;

	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	json_array_foreach(results, i, one)
	{
		if (is_shown(one))
			add_row(&table, one);
		else
			hidden++;
	}
	text_table_end(&table, out);
	if (hidden)
		fprintf(out, "  other values that are the same: %zu (--json has them)\n", hidden);
	json_array_foreach(results, i, one)
	{
		if (!fits(one))
			fprintf(out, "  ! %s %s of %s: %s\n", value_text(one, "test_number", 0).text,
			        value_string(one, "test"), value_frames(one).text, value_string(one, "why"));
	}
	json_array_foreach(notes, i, one) fprintf(out, "  ! %s\n", json_string_value(one));
	fprintf(out, "\n%c%s.\n", toupper((unsigned char)*why), why + 1);
}

void compare_table(const json_t *comparison, FILE *out)
{
	json_t *shown = value_printable(comparison);

	if (shown)
		print_table(shown, out);
	else
		fprintf(out, "(out of memory: the comparison is left out)\n");
	json_decref(shown);
}
