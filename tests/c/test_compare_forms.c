/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which run may be a baseline, and what a comparison is as Markdown and as JUnit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/compare/compare.h"

/* A report of one valid throughput at 64 octets; the rest of it is JSON, with a comma before. */
static json_t *report_with(const char *trial_duration, const char *rest)
{
	char text[1000];
	json_t *report;

	snprintf(text, sizeof(text),
	         "{\"results\": [{\"test\": \"throughput\", \"test_number\": 1, \"frame_octets\": 64, \"valid\": true, "
	         "\"why_invalid\": \"\", \"throughput_fps\": 1000.0, \"parameters\": {\"search\": \"binary\", "
	         "\"trial_duration_s\": %s}}], \"device\": {\"backend\": \"sim\", \"name\": \"sim twin\"}%s}",
	         trial_duration, rest);
	report = json_loads(text, 0, NULL);
	cr_assert_not_null(report, "%s", text);
	return report;
}

#define LINK ", \"link\": {\"bps\": 100000000000}"

/* why: NULL, or the beginning of the reason why not. */
static void expect_baseline(json_t *base, const char *why)
{
	json_t *new = report_with("60.0", LINK ", \"info\": {\"dut\": \"a switch\"}");
	char said[200] = "";

	cr_expect_eq(compare_is_baseline(base, new, said, sizeof(said)), why == NULL, "%s", said);
	cr_expect(!why || strncmp(said, why, strlen(why)) == 0, "\"%s\" is not \"%s\"", said, why);
	json_decref(base);
	json_decref(new);
}

Test(compare_forms, each_reason_for_which_a_run_is_no_baseline_is_named)
{
	json_t *empty = report_with("60.0", LINK), *bad = report_with("60.0", LINK);

	expect_baseline(report_with("60.0", LINK), NULL);
	expect_baseline(report_with("60.0", LINK ", \"info\": {\"dut\": \"a switch\"}"), NULL);
	expect_baseline(report_with("60.0", LINK ", \"info\": {\"dut\": \"a router\"}"),
	                "another device under test: a router");
	expect_baseline(report_with("60.0", ", \"link\": {\"bps\": 25000000000}"), "another speed of the link");
	expect_baseline(report_with("60.0", LINK ", \"incomplete\": \"stopped\""), "it is incomplete");
	expect_baseline(report_with("60.0", LINK ", \"verdict\": \"fail\""), "a result is invalid, or not within");
	expect_baseline(report_with("1.0", LINK), "another plan: it has no result of throughput");
	json_array_clear(json_object_get(empty, "results"));
	expect_baseline(empty, "it has no results");
	json_object_set_new(json_object_get(bad, "device"), "name", json_string("sim rtl"));
	expect_baseline(bad, "another tester: sim rtl");
}

/* -- files --------------------------------------------------------------------------------------------------------- */

static json_t *row_of(const char *key, const char *verdict, double base, double new)
{
	return json_pack("{s:i, s:s, s:i, s:s, s:{s:f, s:f, s:i}, s:{s:f}, s:f, s:s, s:s}", "test_number", 1, "test",
	                 "throughput", "frame_octets", 64, "key", key, "base", "value", base, "stddev", 0.25, "count",
	                 5, "new", "value", new, "change_percent", 100 * (new / base - 1), "verdict", verdict, "why",
	                 "<b>said</b>");
}

/* Makes a comparison with so many rows of each verdict, and a note. */
static json_t *comparison_of(unsigned worse, unsigned better, unsigned same, unsigned without_base)
{
	const struct {
		const char *verdict;
		unsigned rows;
	} KINDS[] = {{"better", better}, {"worse", worse}, {"same", same}, {"no_base", without_base}};
	json_t *rows = json_array();

	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		for (unsigned j = 0; j < KINDS[i].rows; j++)
			json_array_append_new(rows, row_of("throughput_fps", KINDS[i].verdict, 1000, 900));
	return json_pack("{s:s, s:s, s:i, s:[s], s:o}", "verdict", "worse", "why", "some are worse", "compared",
	                 worse + better + same, "notes", "one *note*", "results", rows);
}

/* Returns the content of a file that `write` makes; the caller frees it. */
static char *written(json_t *comparison, int write(const json_t *comparison, const char *path, struct error *error))
{
	char path[] = "/tmp/fpgauge-forms-XXXXXX", *text = calloc(1, 65536);
	int made = mkstemp(path);
	struct error error = {0};
	FILE *file;

	cr_assert(made >= 0 && text);
	close(made);
	cr_assert_eq(write(comparison, path, &error), 0, "%s", error.text);
	file = fopen(path, "re");
	cr_assert_not_null(file);
	cr_assert(fread(text, 1, 65535, file) > 0);
	fclose(file);
	unlink(path);
	json_decref(comparison);
	return text;
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;

	for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
		count++;
	return count;
}

Test(compare_forms, markdown_shows_what_fails_first_and_counts_what_it_leaves_out)
{
	char *text = written(comparison_of(7, 40, 3, 0), compare_markdown);

	cr_expect_eq(count_of(text, "| **fails** |"), 7);
	cr_expect_eq(count_of(text, "| better |"), 30 - 7);
	cr_expect(strstr(text, "**fails**") < strstr(text, "| better |"));
	cr_expect(strstr(text, "\n17 more values are not the same.\n"), "%s", text);
	cr_expect(strstr(text, "\n3 values are the same.\n"), "%s", text);
	cr_expect(strstr(text, "(s 0.25, N 5)"), "%s", text);
	cr_expect(strstr(text, "- one &#42;note&#42;\n"), "%s", text);
	cr_expect(!strstr(text, "<b>"), "%s", text);
	free(text);
}

static int junit(const json_t *comparison, const char *path, struct error *error)
{
	json_t *new = json_pack("{s:s, s:s}", "started", "2026-01-02T03:04:05Z", "tool", "0.1.0");
	int status = compare_junit(comparison, new, path, error);

	json_decref(new);
	return status;
}

Test(compare_forms, junit_has_a_case_for_each_value_and_skips_those_without_a_base)
{
	char *text = written(comparison_of(2, 1, 3, 4), junit);

	cr_expect(strstr(text, "tests=\"10\" failures=\"2\" errors=\"0\" skipped=\"4\""), "%s", text);
	cr_expect_eq(count_of(text, "<testcase "), 10);
	cr_expect_eq(count_of(text, "<failure type=\"worse\""), 2);
	cr_expect_eq(count_of(text, "<skipped/>"), 4);
	cr_expect(!strstr(text, "<b>"), "%s", text);
	free(text);
}
