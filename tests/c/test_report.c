/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal report of hand-made results against the text that people are to see; the JSON file. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/report/compare.h"
#include "host/report/report.h"

static json_t *load(const char *name)
{
	char path[512];
	json_error_t error;
	json_t *report;

	snprintf(path, sizeof(path), FPGAUGE_GOLDEN "/%s", name);
	report = json_load_file(path, 0, &error);
	cr_assert_not_null(report, "%s:%d: %s", path, error.line, error.text);
	return report;
}

static char *render(const json_t *report)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	report_table(report, out);
	fclose(out);
	return text;
}

/* FPGAUGE_GOLDEN_UPDATE=1 writes the files anew, for a change that was meant; read the difference then. */
static void expect_golden(const char *name, const char *got)
{
	char path[512], expected[65536] = {0};
	FILE *file;

	snprintf(path, sizeof(path), FPGAUGE_GOLDEN "/%s", name);
	if (getenv("FPGAUGE_GOLDEN_UPDATE")) {
		file = fopen(path, "w");
		cr_assert_not_null(file);
		fputs(got, file);
		fclose(file);
	}
	file = fopen(path, "r");
	cr_assert_not_null(file, "%s", path);
	cr_assert_lt(fread(expected, 1, sizeof(expected) - 1, file), sizeof(expected) - 1);
	fclose(file);
	for (size_t i = 0, line = 1; got[i] || expected[i]; line += got[i++] == '\n') {
		if (got[i] == expected[i])
			continue;
		cr_assert_fail("%s:%zu differs; got:\n%s", path, line, got);
	}
}

Test(report, shows_every_part_of_a_complete_run)
{
	json_t *report = load("complete.json");
	char *text = render(report);

	expect_golden("complete.txt", text);
	/* RFC 9004 section 7, word for word. */
	cr_expect(strstr(text, "Frame Size, octets  Ave B2B Length, frames") && strstr(text, "Min,Max,StdDev") &&
	          strstr(text, "Corrected Buff Time, Sec"));
	cr_expect(strstr(text, "2000,2010,3.50"));
	free(text);
	json_decref(report);
}

Test(report, says_that_no_size_qualifies_on_a_wire)
{
	json_t *report = load("wire.json");
	char *text = render(report);

	expect_golden("wire.txt", text);
	cr_expect(strstr(text, "No frame size qualifies"));
	cr_expect(strstr(text, "RFC 9004 section 6.1"));
	cr_expect(strstr(text, "100.000%"));
	cr_expect_null(strstr(text, "INVALID"), "a size left out by the RFC is no fault");
	free(text);
	json_decref(report);
}

/* Walks over everything and puts null: no number may appear out of nothing. */
static void forget(json_t *object)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, key, value)
	{
		if (json_is_object(value))
			forget(value);
		else if (json_is_number(value))
			json_object_set_new(object, key, json_null());
	}
}

/* An external tester; MLRsearch with two goals, regular and not, and one that a limit ended; throughput by MLRsearch;
 * bursts without proof. */
Test(report, shows_mlrsearch_and_what_an_external_tester_could_not_say)
{
	json_t *report = load("exec.json");
	char *text = render(report);

	expect_golden("exec.txt", text);
	free(text);
	json_decref(report);
}

Test(report, what_was_not_measured_is_a_dash_and_never_zero)
{
	json_t *report = load("complete.json");
	json_t *results = json_object_get(report, "results");
	char *text;

	for (size_t i = 0; i < json_array_size(results); i++) {
		json_t *result = json_array_get(results, i);

		forget(result);
		json_object_set_new(result, "flags", json_array());
		json_object_del(result, "values_frames");
	}
	text = render(report);
	cr_expect_null(strstr(text, " 0.0"), "%s", text);
	cr_expect_null(strstr(text, "nan"), "%s", text);
	cr_expect_null(strstr(text, " 0 "), "%s", text);
	cr_expect(strstr(text, "-,-,-"), "%s", text);
	free(text);
	json_decref(report);
}

Test(report, survives_an_empty_object)
{
	json_t *report = json_object();
	char *text = render(report);

	cr_expect(strstr(text, "No results."));
	free(text);
	json_object_set_new(report, "results",
	                    json_pack("[{}, n, {s:s}, {s:s}, i]", "test", "throughput", "test", "back_to_back", 5));
	text = render(report);
	cr_expect(strstr(text, "Throughput"));
	free(text);
	json_decref(report);
}

Test(report, tells_that_a_run_was_not_complete)
{
	json_t *report = json_pack("{s:s, s:[]}", "incomplete", "stopped by the user", "results");
	char *text = render(report);

	cr_expect(strstr(text, "INCOMPLETE: stopped by the user"), "%s", text);
	free(text);
	json_decref(report);
}

Test(report_json, gives_every_number_back_as_it_was)
{
	char path[] = "/tmp/fpgauge-report-XXXXXX";
	int file = mkstemp(path);
	json_t *report = json_pack("{s:f, s:f, s:I, s:n}", "a", 148809523.80952382, "b", 0.1, "c",
	                           (json_int_t)9007199254740993, "d");
	struct error error = {0};
	struct stat status;
	json_t *back;

	close(file);
	cr_assert_eq(report_json(report, path, &error), 0, "%s", error.text);
	back = json_load_file(path, 0, NULL);
	cr_expect(json_equal(report, back));
	cr_expect_eq(stat(path, &status), 0);
	cr_expect_eq(status.st_mode & 0400, 0400);
	unlink(path);
	json_decref(back);
	json_decref(report);
}

Test(report_json, complains_and_leaves_nothing_behind_where_it_cannot_write)
{
	json_t *report = json_object();
	struct error error = {0};

	cr_expect_eq(report_json(report, "/nonexistent/x.json", &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "--json /nonexistent/x.json: cannot be written: No such file or directory");
	cr_expect_eq(report_json_check("/nonexistent/x.json", &error), ERROR_PLAN);
	cr_expect_eq(report_json_check("/tmp", &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "--json /tmp: cannot be written: Is a directory");
	cr_expect_eq(report_json(report, "/dev/full", &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "--json /dev/full: cannot be written: No space left on device");
	json_decref(report);
}

Test(report_json, the_check_leaves_no_file_and_keeps_the_old_one)
{
	char directory[] = "/tmp/fpgauge-report-XXXXXX";
	char path[64], text[8] = {0};
	struct error error = {0};
	FILE *file;

	cr_assert_not_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/r.json", directory);
	cr_expect_eq(report_json_check(path, &error), 0, "%s", error.text);
	cr_expect_eq(access(path, F_OK), -1);
	file = fopen(path, "w");
	fputs("old", file);
	fclose(file);
	cr_expect_eq(report_json_check(path, &error), 0);
	file = fopen(path, "r");
	cr_expect_eq(fread(text, 1, 7, file), 3);
	fclose(file);
	unlink(path);
	cr_expect_eq(rmdir(directory), 0, "something else is left in it");
}

static json_t *run_of(double throughput_fps, double resolution_fps, bool valid)
{
	return json_pack("{s:[{s:s, s:i, s:b, s:s, s:f, s:f, s:{s:s, s:i}}]}", "results", "test", "throughput",
	                 "frame_octets", 64, "valid", valid, "why_invalid", "because", "throughput_fps", throughput_fps,
	                 "resolution_fps", resolution_fps, "parameters", "direction", "bidirectional", "destinations",
	                 1);
}

static void expect_verdict(json_t *base, json_t *new, double tolerance, const char *verdict, bool passes)
{
	json_t *comparison = compare_reports(base, new, tolerance);
	const json_t *one = json_array_get(json_object_get(comparison, "results"), 0);

	cr_expect_str_eq(json_string_value(json_object_get(one, "verdict")), verdict, "%s",
	                 json_string_value(json_object_get(one, "why")));
	cr_expect_eq(compare_passes(comparison), passes);
	json_decref(comparison);
	json_decref(base);
	json_decref(new);
}

Test(compare, a_change_counts_beyond_the_tolerance_and_a_step_of_the_search)
{
	expect_verdict(run_of(1000, 1, true), run_of(1000, 1, true), 0, "same", true);
	expect_verdict(run_of(1000, 1, true), run_of(980, 1, true), 0.01, "worse", false);
	expect_verdict(run_of(1000, 1, true), run_of(1020, 1, true), 0.01, "better", true);
	expect_verdict(run_of(1000, 1, true), run_of(991, 1, true), 0.01, "same", true);
	/* one step apart, in either run: the same device may be found there */
	expect_verdict(run_of(1000, 20, true), run_of(980, 1, true), 0.01, "same", true);
	expect_verdict(run_of(1000, 1, true), run_of(980, 20, true), 0.01, "same", true);
	expect_verdict(run_of(1000, 20, true), run_of(960, 20, true), 0.01, "worse", false);
	expect_verdict(run_of(1000, 1, true), run_of(999, 0, true), 0, "same", true);
}

Test(compare, nothing_is_no_divisor_and_what_is_invalid_is_no_value)
{
	expect_verdict(run_of(0, 1, true), run_of(0, 1, true), 0.01, "same", true);
	expect_verdict(run_of(0, 1, true), run_of(500, 1, true), 0.01, "better", true);
	expect_verdict(run_of(500, 1, true), run_of(0, 1, true), 1, "same", true); /* 100% is what was accepted */
	expect_verdict(run_of(500, 1, true), run_of(0, 1, true), 0.99, "worse", false);
	expect_verdict(run_of(500, 1, true), run_of(500, 1, false), 0.01, "invalid", false);
	expect_verdict(run_of(500, 1, false), run_of(500, 1, true), 0.01, "no_base", true);
	expect_verdict(run_of(500, 1, true), json_pack("{s:[]}", "results"), 0.01, "missing", false);
}
