/* SPDX-License-Identifier: Apache-2.0 */
/* Requirements of the plan, and what was measured against them; the last line, which says why the exit code is what
 * it is. */
#include "host/report/section.h"

#include <string.h>

#include "host/report/text_table.h"
#include "host/report/value.h"
#include "host/report/verdict.h"

static void limit_cells(struct text_table *table, const json_t *result, const json_t *one)
{
	text_table_cell(table, "%s", value_string(result, "test"));
	text_table_cell(table, "%s", value_place(result).text);
	text_table_cell(table, "%s", value_string(one, "key"));
	/* All digits are shown: a limit that is missed by the last of them is not what was measured. */
	text_table_cell(table, "%s %s", value_relation(one), value_digits(json_object_get(one, "limit")).text);
	text_table_cell(table, "%s", value_digits(json_object_get(one, "value")).text);
	text_table_cell(table, "%s", value_met(result, one));
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

static const char *are(size_t number)
{
	return number == 1 ? "is" : "are";
}

/* Says what keeps the exit code from being 0. */
static void print_faults(const struct result_counts *counts, FILE *out)
{
	const size_t wrong = counts->invalid - counts->unfinished;

	if (wrong)
		fprintf(out, "%zu of %zu results %s INVALID", wrong, counts->results, are(wrong));
	if (counts->unfinished)
		fprintf(out, "%s%zu of %zu results %s not finished", wrong ? "; " : "", counts->unfinished,
		        counts->results, are(counts->unfinished));
	if (counts->missed)
		fprintf(out, "%s%zu of %zu limits not met", counts->invalid ? "; " : "", counts->missed,
		        counts->limits);
}

static void print_good(const struct result_counts *counts, bool incomplete, FILE *out)
{
	size_t valid = counts->results - counts->skipped;

	if (valid == 0)
		fprintf(out, "%s results", incomplete ? "no" : "No");
	else if (valid == 1)
		fprintf(out, "%s only result%s is valid", incomplete ? "the" : "The", incomplete ? " so far" : "");
	else
		fprintf(out, "%s %zu results%s are valid", incomplete ? "all" : "All", valid,
		        incomplete ? " so far" : "");
	if (counts->limits)
		fprintf(out, "; all %zu limits met", counts->limits);
}

void section_last_line(const json_t *report, FILE *out)
{
	struct result_counts counts = verdict_counts(json_object_get(report, "results"));
	bool incomplete = json_object_get(report, "incomplete") != NULL;

	fprintf(out, "\n%s", incomplete ? "INCOMPLETE: " : "");
	if (counts.invalid || counts.missed)
		print_faults(&counts, out);
	else
		print_good(&counts, incomplete, out);
	if (counts.skipped)
		fprintf(out, "; %zu not tested (RFC 9004 section 6.1)", counts.skipped);
	fprintf(out, ".\n");
}
