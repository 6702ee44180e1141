/* SPDX-License-Identifier: Apache-2.0 */
/* What the plan requires, and what it got. */
#include "host/report/sections.h"

#include <string.h>

#include "host/report/text_table.h"
#include "host/report/value.h"

static void limit_cells(struct text_table *table, const json_t *result, const json_t *one)
{
	text_table_cell(table, "%s", value_string(result, "test"));
	text_table_cell(table, "%s", value_text(result, "frame_octets", 0).text);
	text_table_cell(table, "%s", value_string(one, "key"));
	text_table_cell(table, "%s %.10g", !strcmp(value_string(one, "relation"), "at_least") ? "at least" : "at most",
	                value_number(one, "limit"));
	if (value_known(one, "value")) /* rates and times of a few nanoseconds alike */
		text_table_cell(table, "%.10g", value_number(one, "value"));
	else
		text_table_cell(table, "-");
	text_table_cell(table, "%s",
	                value_true(result, "skipped")  ? "not tested"
	                : !value_true(result, "valid") ? "INVALID"
	                : value_true(one, "met")       ? "met"
	                                               : "NOT MET");
}

void section_verdict(const json_t *report, FILE *out)
{
	static const char *const HEADINGS[] = {"<Test", "Size, octets", "<Value", "Required", "Measured", "<Verdict"};
	const json_t *results = json_object_get(report, "results"), *result, *one;
	struct text_table table;
	size_t i, j;

	if (!json_is_string(json_object_get(report, "verdict")))
		return;
	fprintf(out, "\nRequired by the plan (units as the names of the values say):\n");
	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	json_array_foreach(results, i, result)
	{
		json_array_foreach(json_object_get(result, "requirements"), j, one) limit_cells(&table, result, one);
	}
	text_table_end(&table, out);
	fprintf(out, "Verdict: %s\n", !strcmp(value_string(report, "verdict"), "pass") ? "PASS" : "FAIL");
}
