/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal report of hand-made results against the text that people should see; the JSON file. The texts fix the
 * layout; tests/system/test_report_tables.py checks whether the numbers in them are right. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/compare/compare.h"
#include "host/report/load.h"
#include "host/report/report.h"
#include "host/report/schema.h"
#include "host/report/schema_check.h"
#include "host/report/value.h"

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

/* The function is not inlined: gcc 12 mistakes what open_memstream() fills in for a pointer to the variable itself, and
 * warns. */
__attribute__((noinline)) static char *render(const json_t *report)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	report_table(report, out);
	fclose(out);
	return text;
}

/* FPGAUGE_GOLDEN_UPDATE=1 rewrites the files, for an intended change; review the difference then. */
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

/* Sets every number, at any depth, to null: no number may appear out of nowhere. */
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

/* An external tester; MLRsearch with two goals, regular and not, and one ended by a limit; throughput by MLRsearch;
 * unproven bursts. */
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

static json_t *throughput_of(int test_number, int frame_octets, double resolution_percent, double settle_s)
{
	return json_pack("{s:s, s:i, s:i, s:b, s:f, s:{s:s, s:s, s:i, s:f, s:f, s:f}}", "test", "throughput",
	                 "test_number", test_number, "frame_octets", frame_octets, "valid", 1, "throughput_fps", 1e6,
	                 "parameters", "search", "binary", "direction", "bidirectional", "addresses", 1,
	                 "trial_duration_s", 60.0, "resolution_percent", resolution_percent, "settle_s", settle_s);
}

static size_t times(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		count++;
	return count;
}

/* The position of a text in another; past everything if it is missing. */
static size_t place(const char *whole, const char *part)
{
	const char *found = strstr(whole, part);

	return found ? (size_t)(found - whole) : SIZE_MAX;
}

/* They may be alike in everything that a table could tell them apart by. */
Test(report, two_tests_of_one_kind_are_two_tables_each_under_its_own_parameters)
{
	json_t *report = json_pack("{s:[o, o]}", "results", throughput_of(1, 64, 0.1, 2), throughput_of(2, 128, 10, 0));
	char *text = render(report);
	const char *const order[] = {"settle 2.00 s", "0.100% of line rate",  "\n            64 ",
	                             "settle 0 s",    "10.000% of line rate", "\n           128 "};

	cr_expect_eq(times(text, "Throughput (RFC 2544"), 2, "%s", text);
	for (size_t i = 0; i + 1 < sizeof(order) / sizeof(order[0]); i++)
		cr_expect_lt(place(text, order[i]), place(text, order[i + 1]), "%s, %s\n%s", order[i], order[i + 1],
		             text);
	cr_expect_neq(place(text, "\n           128 "), SIZE_MAX, "%s", text);
	free(text);
	json_decref(report);
}

Test(report, results_of_one_test_stand_together_whatever_is_between_them)
{
	json_t *report = json_pack("{s:[o, o, o]}", "results", throughput_of(7, 64, 1, 2), throughput_of(3, 256, 1, 2),
	                           throughput_of(7, 128, 1, 2));
	char *text = render(report);

	cr_expect_eq(times(text, "Throughput (RFC 2544"), 2, "%s", text);
	cr_expect_lt(place(text, "\n            64 "), place(text, "\n           128 "), "%s", text);
	cr_expect_lt(place(text, "\n           128 "), place(text, "\n           256 "), "%s", text);
	cr_expect_neq(place(text, "\n           256 "), SIZE_MAX, "%s", text);
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

/* The unit is that of the smallest, with five digits, so that differences show. */
Test(report, latencies_of_a_table_have_one_unit_and_places_enough)
{
	json_t *one = throughput_of(1, 64, 1, 2), *other = throughput_of(1, 128, 1, 2);
	json_t *report = json_pack("{s:[o, o]}", "results", one, other);
	char *text;

	json_object_set_new(one, "latency_min_ns", json_real(1003.4));
	json_object_set_new(one, "latency_mean_ns", json_real(1004.16));
	json_object_set_new(one, "latency_max_ns", json_real(2.5e6));
	json_object_set_new(other, "latency_min_ns", json_real(1003.52));
	json_object_set_new(other, "latency_mean_ns", json_real(21000));
	text = render(report);
	cr_expect(strstr(text, "1.0034 us  "), "%s", text);
	cr_expect(strstr(text, "1.0042 us  2500.0000 us\n"), "%s", text);
	cr_expect(strstr(text, "1.0035 us    21.0000 us             -\n"), "%s", text);
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

static void expect_last_line(json_t *report, bool passes, const char *expected)
{
	char *text, *end = NULL;

	cr_assert_not_null(report);
	text = render(report);
	cr_assert(asprintf(&end, "\n%s\n", expected) > 0);
	cr_assert_geq(strlen(text), strlen(end));
	cr_expect_str_eq(text + strlen(text) - strlen(end), end);
	/* The exit code depends on this. */
	cr_expect_eq(report_passes(report), passes, "%s", expected);
	free(end);
	free(text);
	json_decref(report);
}

/* A valid, an invalid and a skipped result; a limit that is met and one that is not. */
#define VALID "{s:s, s:b}", "test", "throughput", "valid", 1
#define INVALID "{s:s, s:b}", "test", "throughput", "valid", 0
#define RESULT(good, skipped, verdict, met1, met2)                                                                     \
	json_pack("{s:s, s:b, s:b, s:s, s:[{s:s, s:b}, {s:s, s:b}]}", "test", "back_to_back", "valid", good,           \
	          "skipped", skipped, "verdict", verdict, "requirements", "key", "a", "met", met1, "key", "b", "met",  \
	          met2)

Test(report, the_last_line_says_what_the_exit_code_says)
{
	expect_last_line(json_pack("{s:[o, o]}", "results", json_pack(VALID), json_pack(VALID)), true,
	                 "All 2 results are valid.");
	expect_last_line(json_pack("{s:[o]}", "results", json_pack(VALID)), true, "The only result is valid.");
	expect_last_line(json_pack("{s:[o, o]}", "results", json_pack(VALID), json_pack(INVALID)), false,
	                 "1 of 2 results is INVALID.");
	expect_last_line(json_pack("{s:s, s:[o]}", "incomplete", "stopped", "results", json_pack(VALID)), false,
	                 "INCOMPLETE: the only result so far is valid.");
	expect_last_line(
	        json_pack("{s:s, s:[o, o]}", "incomplete", "stopped", "results", json_pack(VALID), json_pack(INVALID)),
	        false, "INCOMPLETE: 1 of 2 results is INVALID.");
	expect_last_line(json_pack("{s:s, s:[]}", "incomplete", "stopped", "results"), false,
	                 "INCOMPLETE: no results.");
}

Test(report, the_last_line_counts_limits_and_not_those_of_sizes_that_were_left_out)
{
	json_t *met = RESULT(1, 0, "pass", 1, 1), *missed = RESULT(1, 0, "fail", 1, 0);
	json_t *left_out = RESULT(0, 1, "skipped", 0, 0), *invalid = RESULT(0, 0, "invalid", 1, 1);

	expect_last_line(json_pack("{s:s, s:[O, O]}", "verdict", "pass", "results", met, met), true,
	                 "All 2 results are valid; all 4 limits met.");
	expect_last_line(json_pack("{s:s, s:[O, O]}", "verdict", "fail", "results", met, missed), false,
	                 "1 of 4 limits not met.");
	expect_last_line(json_pack("{s:s, s:[O, O]}", "verdict", "pass", "results", met, left_out), true,
	                 "The only result is valid; all 2 limits met; 1 not tested (RFC 9004 section 6.1).");
	expect_last_line(json_pack("{s:s, s:[O]}", "verdict", "pass", "results", left_out), true,
	                 "No results; 1 not tested (RFC 9004 section 6.1).");
	/* A limit on an invalid result is not met, whatever its value. */
	expect_last_line(json_pack("{s:s, s:[O, O, O]}", "verdict", "fail", "results", missed, invalid, left_out),
	                 false,
	                 "1 of 3 results is INVALID; 3 of 4 limits not met; 1 not tested (RFC 9004 section 6.1).");
	expect_last_line(
	        json_pack("{s:s, s:s, s:[O, O]}", "verdict", "fail", "incomplete", "stopped", "results", met, missed),
	        false, "INCOMPLETE: 1 of 4 limits not met.");
	expect_last_line(json_pack("{s:s, s:s, s:[O]}", "verdict", "fail", "incomplete", "stopped", "results", met),
	                 false, "INCOMPLETE: the only result so far is valid; all 2 limits met.");
	json_decref(met);
	json_decref(missed);
	json_decref(left_out);
	json_decref(invalid);
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

Test(report_csv, a_control_character_is_replaced_and_what_csv_has_a_meaning_for_is_quoted)
{
	char directory[] = "/tmp/fpgauge-report-XXXXXX", path[64], text[256] = {0};
	json_t *report = json_pack("{s:[{s:s, s:s}]}", "results", "test", "throughput", "why_invalid",
	                           "\x1b[2Ja, \"b\"\tc\x7f\r\nd\xc3\xa4");
	struct error error = {0};
	FILE *file;

	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(report_csv(report, directory, &error), 0, "%s", error.text);
	snprintf(path, sizeof(path), "%s/throughput.csv", directory);
	file = fopen(path, "r");
	cr_assert_not_null(file);
	cr_expect_lt(fread(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
	fclose(file);
	cr_expect_str_eq(
	        text, "test,why_invalid\r\nthroughput,\"\xef\xbf\xbd[2Ja, \"\"b\"\"\tc\xef\xbf\xbd\r\nd\xc3\xa4\"\r\n");
	unlink(path);
	rmdir(directory);
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

/* Each keyword that the published schema uses has cases: what fits, what does not, and the complaint about it. */
static const struct {
	const char *schema, *value, *says; /* says NULL: fits */
} KEYWORD_CASES[] = {
        {"true", "5", NULL},
        {"false", "5", "/ = 5: must not be there"},
        {"{\"type\":\"integer\"}", "5", NULL},
        {"{\"type\":\"integer\"}", "5.0", "/ = 5.0: must be of type \"integer\""},
        {"{\"type\":\"number\"}", "5", NULL},
        {"{\"type\":[\"number\",\"null\"]}", "null", NULL},
        {"{\"type\":[\"number\",\"null\"]}", "\"5\"", "/ = \"5\": must be of type [\"number\",\"null\"]"},
        {"{\"type\":\"boolean\"}", "false", NULL},
        {"{\"const\":1}", "2", "/ = 2: must be 1"},
        {"{\"enum\":[\"a\",null]}", "null", NULL},
        {"{\"enum\":[\"a\",null]}", "\"b\"", "must be one of [\"a\",null]"},
        {"{\"minimum\":1}", "1", NULL},
        {"{\"minimum\":1}", "0", "must be at least 1"},
        {"{\"maximum\":9216}", "9217", "must be at most 9216"},
        {"{\"exclusiveMinimum\":0}", "0", "must be above 0"},
        {"{\"minimum\":1}", "\"text\"", NULL},
        {"{\"minLength\":1}", "\"\"", "must have 1 characters or more"},
        {"{\"pattern\":\"^RFC [0-9]+\"}", "\"RFC 2544\"", NULL},
        {"{\"pattern\":\"^RFC [0-9]+\"}", "\"rfc\"", "must match ^RFC [0-9]+"},
        {"{\"minItems\":1}", "[]", "must have 1 elements or more"},
        {"{\"maxProperties\":1}", "{\"a\":1,\"b\":2}", "must have 1 keys or fewer"},
        {"{\"required\":[\"a\"]}", "{}", NULL},
        {"{\"x-essential\":[\"a\"]}", "{}", "must have the key \"a\""},
        {"{\"properties\":{\"a\":{\"properties\":{\"b/c~\":false}}}}", "{\"a\":{\"b/c~\":1}}",
         "/a/b~1c~0 = 1: must not"},
        {"{\"patternProperties\":{\"_s$\":{\"type\":\"null\"}}}", "{\"a\":1,\"b_s\":2}", "/b_s = 2: must be of type"},
        {"{\"properties\":{\"a\":true},\"additionalProperties\":false}", "{\"a\":1}", NULL},
        {"{\"properties\":{\"a\":true},\"additionalProperties\":false}", "{\"a\":1,\"b\":2}",
         "/b = 2: must not be there"},
        {"{\"items\":{\"minimum\":0}}", "[1,2,-3]", "/2 = -3: must be at least 0"},
        {"{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"const\":1}}}", "2", "must be 1"},
        {"{\"allOf\":[true,{\"const\":1}]}", "2", "must be 1"},
        {"{\"if\":{\"const\":1},\"then\":false}", "1", "must not be there"},
        {"{\"if\":{\"const\":1},\"then\":false}", "2", NULL},
        {"{\"if\":{\"const\":1},\"else\":{\"const\":3}}", "2", "must be 3"},
        {"{\"uniqueItems\":true}", "[]", "uniqueItems: unknown keyword"},
        {"{\"$ref\":\"#/$defs/x\"}", "[]", "$ref: #/$defs/x"},
};

Test(schema, has_every_keyword_that_it_needs_and_names_place_value_and_what_was_expected)
{
	for (size_t i = 0; i < sizeof(KEYWORD_CASES) / sizeof(KEYWORD_CASES[0]); i++) {
		json_t *schema = json_loads(KEYWORD_CASES[i].schema, JSON_DECODE_ANY, NULL);
		json_t *value = json_loads(KEYWORD_CASES[i].value, JSON_DECODE_ANY, NULL);
		const char *says = KEYWORD_CASES[i].says;
		struct error error = {0};

		cr_assert(schema && value, "%s", KEYWORD_CASES[i].schema);
		cr_expect_eq(schema_check(schema, value, "r.db", &error) != 0, says != NULL, "%s of %s: %s",
		             KEYWORD_CASES[i].schema, KEYWORD_CASES[i].value, error.text);
		if (says)
			cr_expect(strstr(error.text, says), "%s\n  got: %s", says, error.text);
		json_decref(value);
		json_decref(schema);
	}
}

/* Looks at every branch of it, whether a value gets there or not. */
static void expect_known(const json_t *schema, const json_t *root)
{
	static const char *const OF_NAMES[] = {"properties", "patternProperties", "$defs"};
	json_t *empty = json_pack("{s:O?}", "$defs", json_object_get(root, "$defs")), *inner;
	struct error error = {0};
	const char *key;
	size_t i;

	json_object_update(empty, (json_t *)(uintptr_t)schema);
	schema_check(empty, json_null(), "r.db", &error);
	cr_expect_neq(error.code, ERROR_INTERNAL, "%s", error.text);
	json_decref(empty);
	for (i = 0; i < sizeof(OF_NAMES) / sizeof(OF_NAMES[0]); i++) {
		json_object_foreach(json_object_get(schema, OF_NAMES[i]), key, inner) expect_known(inner, root);
	}
	json_object_foreach((json_t *)(uintptr_t)schema, key, inner)
	{
		if (json_is_object(inner) && !strstr("properties patternProperties $defs", key))
			expect_known(inner, root);
	}
}

Test(schema, uses_no_keyword_that_is_not_known)
{
	json_t *schema = schema_of_report();

	cr_assert_not_null(schema);
	expect_known(schema, schema);
	json_decref(schema);
}

/* The function is not inlined, for the same reason as render(). */
__attribute__((noinline)) static char *printed_schema(void)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	cr_expect_eq(schema_print(out), 0);
	fclose(out);
	return text;
}

Test(schema, is_published_as_the_program_prints_it)
{
	char *printed = printed_schema(), published[131072] = {0};
	json_t *schema = schema_of_report(), *read = json_loads(printed, 0, NULL);
	FILE *file = fopen(FPGAUGE_DOCS "/results.schema.json", "r");

	cr_assert_not_null(file);
	cr_assert_lt(fread(published, 1, sizeof(published) - 1, file), sizeof(published) - 1);
	fclose(file);
	cr_expect(!strcmp(published, printed), "docs/results.schema.json is stale: put the output of `fpgauge help "
	                                       "results-schema` there");
	cr_expect(json_equal(schema, read), "what is printed is not what is checked by");
	json_decref(read);
	json_decref(schema);
	free(printed);
}

Test(report, no_text_of_it_is_more_than_a_text_to_a_terminal)
{
	json_t *report = load("complete.json"), *result = json_array_get(json_object_get(report, "results"), 0);
	char *text;

	json_object_set_new(report, "plan_path", json_string("a\033[2J\nAll 3 results are valid.\x7f.cfg"));
	json_object_set_new(result, "flags",
	                    json_pack("[s]", "b\xc2\x9b"
	                                     "31m \xe2\x80\xae"
	                                     "evil \xc3\xa9"));
	text = render(report);
	cr_expect(strstr(text, "a?[2J?All 3 results are valid.\xef\xbf\xbd.cfg") ||
	                  strstr(text, "a\xef\xbf\xbd[2J?All 3 results are valid.\xef\xbf\xbd.cfg"),
	          "%s", text);
	cr_expect(strstr(text, "b\xef\xbf\xbd"
	                       "31m \xef\xbf\xbd"
	                       "evil \xc3\xa9"),
	          "%s", text);
	free(text);
	json_decref(report);
}

Test(report_csv, files_are_named_by_us_and_columns_of_any_length_are_whole)
{
	char folder[] = "/tmp/fpgauge-report-XXXXXX", path[64], key[301] = {0}, text[4096] = {0},
	     line[2 * sizeof(key) + 10];
	json_t *report = json_pack("{s:[{s:s, s:{}}, {s:s}]}", "results", "test", "throughput", "parameters", "test",
	                           "../fpgauge-escaped");
	struct error error = {0};
	FILE *file;

	cr_assert_not_null(mkdtemp(folder));
	memset(key, 'k', 300); /* an inner object whose name alone takes 199 octets or more */
	for (size_t length = 190; length <= 300; length++) {
		key[length] = 0;
		json_object_set_new(json_array_get(json_object_get(report, "results"), 0), key + 0,
		                    json_pack("{s:i}", "v", (int)length));
		key[length] = 'k';
	}
	cr_assert_eq(report_csv(report, folder, &error), 0, "%s", error.text);
	cr_expect_eq(access("/tmp/fpgauge-escaped.csv", F_OK), -1);
	snprintf(path, sizeof(path), "%s/throughput.csv", folder);
	file = fopen(path, "r");
	cr_assert_not_null(file);
	cr_assert_gt(fread(text, 1, sizeof(text) - 1, file), 0);
	fclose(file);
	key[190] = 0;
	snprintf(line, sizeof(line), "%s.v,%sk.v,", key, key);
	cr_expect(strstr(text, line), "%s", text);
	unlink(path);
	cr_expect_eq(rmdir(folder), 0, "something else is left in it");
	json_decref(report);
}

/* This goal allows loss. */
Test(report_junit, has_percentiles_and_no_throughput_where_the_goal_allows_loss)
{
	char path[] = "/tmp/fpgauge-report-XXXXXX", text[4096] = {0};
	json_t *report = json_pack("{s:[{s:s, s:b, s:f, s:f, s:f, s:{s:f}}]}", "results", "test", "throughput", "valid",
	                           1, "latency_p99_9_ns", 812.5, "conditional_throughput_fps", 2.0, "throughput_fps",
	                           3.0, "parameters", "goal_loss_ratio", 0.005);
	struct error error = {0};
	FILE *file;

	close(mkstemp(path));
	cr_assert_eq(report_junit(report, NULL, path, &error), 0, "%s", error.text);
	file = fopen(path, "r");
	cr_assert_not_null(file);
	cr_assert_lt(fread(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
	fclose(file);
	cr_expect(strstr(text, "<property name=\"latency_p99_9_ns\" value=\"812.5\"/>"), "%s", text);
	cr_expect(strstr(text, "<property name=\"conditional_throughput_fps\" value=\"2\"/>"), "%s", text);
	cr_expect_null(strstr(text, "name=\"throughput_fps\""), "%s", text);
	cr_expect(strstr(text, " name=\"conditional throughput\""), "%s", text);
	unlink(path);
	json_decref(report);
}

static json_t *run_of(double throughput_fps, double resolution_fps, bool valid)
{
	return json_pack("{s:[{s:s, s:i, s:b, s:s, s:f, s:f, s:{s:s, s:i}}]}", "results", "test", "throughput",
	                 "frame_octets", 64, "valid", valid, "why_invalid", "because", "throughput_fps", throughput_fps,
	                 "resolution_fps", resolution_fps, "parameters", "direction", "bidirectional", "addresses", 1);
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
	expect_verdict(run_of(1000, 1, true), run_of(800, 1, true), 0.01, "worse", false);
	expect_verdict(run_of(1000, 1, true), run_of(980, 1, true), 0.01, "unclear", false);
	expect_verdict(run_of(1000, 1, true), run_of(1250, 1, true), 0.01, "better", true);
	expect_verdict(run_of(1000, 1, true), run_of(991, 1, true), 0.01, "same", true);
	/* one step apart, in either run: the same device may land there */
	expect_verdict(run_of(1000, 20, true), run_of(980, 1, true), 0.01, "same", true);
	expect_verdict(run_of(1000, 1, true), run_of(980, 20, true), 0.01, "same", true);
	expect_verdict(run_of(1000, 20, true), run_of(960, 20, true), 0.01, "unclear", false);
	expect_verdict(run_of(1000, 20, true), run_of(760, 20, true), 0.01, "worse", false);
	expect_verdict(run_of(1000, 1, true), run_of(999, 0, true), 0, "same", true);
}

static json_t *run_on(const char *backend, double throughput_fps)
{
	json_t *run = run_of(throughput_fps, 1, true);

	json_object_set_new(run, "device", json_pack("{s:s}", "backend", backend));
	return run;
}

Test(compare, a_single_value_of_a_simulation_counts_as_it_comes_again)
{
	expect_verdict(run_on("sim", 1000), run_on("sim", 980), 0.01, "worse", false);
	expect_verdict(run_on("sim", 1000), run_on("sim", 995), 0.01, "same", true);
	expect_verdict(run_on("pci", 1000), run_on("pci", 980), 0.01, "unclear", false);
	expect_verdict(run_on("sim", 1000), run_on("exec", 980), 0.01, "unclear", false);
}

Test(compare, nothing_is_no_divisor_and_what_is_invalid_is_no_value)
{
	expect_verdict(run_of(0, 1, true), run_of(0, 1, true), 0.01, "same", true);
	expect_verdict(run_of(0, 1, true), run_of(500, 1, true), 0.01, "better", true);
	expect_verdict(run_of(500, 1, true), run_of(0, 1, true), 1, "same", true); /* 100% was accepted */
	expect_verdict(run_of(500, 1, true), run_of(0, 1, true), 0.99, "worse", false);
	expect_verdict(run_of(500, 1, true), run_of(500, 1, false), 0.01, "invalid", false);
	expect_verdict(run_of(500, 1, false), run_of(500, 1, true), 0.01, "no_base", false);
	expect_verdict(run_of(500, 1, true), json_pack("{s:[]}", "results"), 0.01, "missing", false);
}

/* -- mixes of frame sizes ------------------------------------------------------------------------------------------ */

Test(report, a_result_of_a_mix_is_named_by_it)
{
	json_t *report = load("complete.json"), *results = json_object_get(report, "results"), *result;
	char *text;
	size_t i;

	json_array_foreach(results, i, result)
	{
		json_object_set_new(result, "frame_octets", json_null());
		json_object_set_new(result, "sizes", json_string(i ? "[64, 570]" : "imix"));
		json_object_set_new(result, "flags", json_pack("[s]", "a flag"));
	}
	text = render(report);
	cr_expect(strstr(text, "  ! imix: a flag"), "%s", text);
	cr_expect(strstr(text, "  ! [64, 570]: a flag"), "%s", text);
	cr_expect(strstr(text, " imix  "), "a cell: %s", text);
	cr_expect_null(strstr(text, "- octets"), "%s", text);
	free(text);
	json_decref(report);
}

Test(report, a_mix_too_long_for_a_line_is_cut)
{
	char sizes[300] = "[64";
	json_t *result;

	for (unsigned i = 0; i < 40; i++)
		strcat(sizes, ", 570");
	strcat(sizes, "]");
	result = json_pack("{s:n, s:s}", "frame_octets", "sizes", sizes);
	cr_expect_eq(strlen(value_frames(result).text), 63);
	cr_expect(!strncmp(value_frames(result).text, "[64, 570, 570", 13) && strstr(value_frames(result).text, "..."));
	json_decref(result);
}

Test(schema, a_key_with_a_unit_is_a_number_or_null_or_what_else_has_that_unit)
{
	static const struct {
		const char *key, *value, *says;
	} CASES[] = {
	        {"own_s", "null", NULL},
	        {"own_s", "[0.5, null]", NULL},
	        {"own_s", "\"1\"", "/results/0/own_s = \"1\": must be of type"},
	        {"own_ns", "[[1]]", "/results/0/own_ns/0 = [1]: must be of type"},
	        {"own_ns", "{}", "/results/0/own_ns = {}: must be of type"},
	        {"own_frames", "1.5", NULL},
	        {"own_frames", "[1, 2]", NULL},
	        {"own_frames", "[1, 2.0]", "/results/0/own_frames/1 = 2.0: must be of type"},
	        {"own_frames", "[-1]", "/results/0/own_frames/0 = -1: must be at least 0"},
	        {"own_percent", "-3", NULL},
	        {"own_percent", "[3]", "/results/0/own_percent = [3]: must be of type"},
	        {"own_percent", "{\"min\": 1, \"mean\": null, \"max\": 2}", NULL},
	        {"own_percent", "{\"min\": true}", "/results/0/own_percent/min = true: must be of type"},
	        {"own_percent", "{\"other\": 1}", "/results/0/own_percent/other = 1: must not be there"},
	        {"own_fps", "[1]", "/results/0/own_fps = [1]: must be of type"},
	};
	json_t *schema = schema_of_report();

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		json_t *report = load("complete.json"), *result = json_array_get(json_object_get(report, "results"), 0);
		const char *says = CASES[i].says;
		struct error error = {0};

		json_object_set_new(result, CASES[i].key, json_loads(CASES[i].value, JSON_DECODE_ANY, NULL));
		cr_expect_eq(schema_check(schema, report, "r.db", &error) != 0, says != NULL, "%zu: %s", i, error.text);
		if (says)
			cr_expect(strstr(error.text, says), "%s\n  got: %s", says, error.text);
		json_decref(report);
	}
	json_decref(schema);
}

Test(schema, a_result_is_of_one_frame_size_or_of_a_mix)
{
	static const struct {
		const char *octets, *sizes;
		bool right;
	} CASES[] = {{"64", "null", true},        {"64", NULL, true},
	             {"null", "\"imix\"", true},  {"null", "\"[64, 570]\"", true},
	             {"null", "null", false},     {"64", "\"imix\"", false},
	             {"null", "\"IMIX\"", false}, {"null", "5", false}};
	json_t *schema = schema_of_report();

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		json_t *report = load("complete.json"), *result = json_array_get(json_object_get(report, "results"), 0);
		struct error error = {0};

		json_object_set_new(result, "frame_octets", json_loads(CASES[i].octets, JSON_DECODE_ANY, NULL));
		if (CASES[i].sizes)
			json_object_set_new(result, "sizes", json_loads(CASES[i].sizes, JSON_DECODE_ANY, NULL));
		cr_expect_eq(schema_check(schema, report, "r.db", &error) == 0, CASES[i].right, "%zu: %s", i,
		             error.text);
		json_decref(report);
	}
	json_decref(schema);
}

/* -- other traffic ------------------------------------------------------------------------------------------------- */

static char *render_with(size_t count, const char *traffic)
{
	json_t *report = load("complete.json"), *results = json_object_get(report, "results"), *result;
	json_t *keys = json_loads(traffic, 0, NULL);
	char *text;
	size_t i;

	json_array_foreach(results, i, result)
	{
		if (i < count)
			json_object_update(json_object_get(result, "parameters"), keys);
	}
	text = render(report);
	json_decref(keys);
	json_decref(report);
	return text;
}

Test(report, says_which_frames_were_sent_between_which_ports)
{
	static const char OTHER[] = "{\"pattern\": \"mesh\", \"frame\": \"ipv6_udp\", \"vlan\": 100, "
	                            "\"addresses\": 4, \"seed\": 7}";
	static const char WORDS[] =
	        "  Frames               UDP echo over IPv6 (addresses of RFC 5180 section 5.2), VLAN 100";
	char *text = render_with(SIZE_MAX, OTHER), *before;

	cr_expect(strstr(text, WORDS), "%s", text);
	cr_expect_null(strstr(text, "IPv4"), "%s", text);
	cr_expect(strstr(text,
	                 "  Traffic              mesh, bidirectional, addresses for each pair of ports: 4, seed 7, "
	                 "minimum gap 12 octets on average\n"),
	          "%s", text);
	cr_expect_null(strstr(text, "per sending port: 1"), "%s", text);
	free(text);
	text = render_with(1, OTHER);
	cr_expect(strstr(text,
	                 "  Frames               UDP echo over IPv4 (RFC 2544 Appendix C.2.6.4) where a test does "
	                 "not say otherwise; sizes with FCS\n"),
	          "%s", text);
	cr_expect(strstr(text, WORDS), "%s", text);
	free(text);
	text = render_with(SIZE_MAX, "{\"frame\": \"ethernet\", \"vlan\": 0}");
	cr_expect(strstr(text,
	                 "  Frames               Ethernet of type 88B5, without a network layer, with a priority tag"),
	          "%s", text);
	free(text);
	text = render_with(SIZE_MAX, "{\"pattern\": \"pairs\", \"frame\": \"ipv4_udp\", \"vlan\": null, "
	                             "\"addresses\": 1, \"seed\": null}");
	before = render_with(0, "{}");
	cr_expect_str_eq(text, before, "what a result does not say");
	free(before);
	free(text);
}

Test(report, has_a_table_by_port_where_ports_are_not_a_pair)
{
	static const char PORTS[] = "[{'port': 0, 'offered_frames': 7, 'received_frames': 5, 'lost_frames': 1, "
	                            "'wrong_port_frames': 2, 'latency_min_ns': 100.0, 'latency_mean_ns': 200.0, "
	                            "'latency_max_ns': 300.0}, {'port': 1}]";
	char json[sizeof(PORTS)];
	json_t *report = load("complete.json"), *result = json_array_get(json_object_get(report, "results"), 0), *ports;
	char *text;

	strcpy(json, PORTS);
	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	ports = json_loads(json, 0, NULL);
	json_object_set_new(result, "ports", ports);
	text = render(report);
	cr_expect_null(strstr(text, "By port"), "two ports, which are a pair: %s", text);
	free(text);
	json_object_set_new(json_object_get(result, "parameters"), "pattern", json_string("snake"));
	text = render(report);
	cr_expect(strstr(text, "\n\n  By port, in the trial that settled each result\n"), "%s", text);
	cr_expect(
	        strstr(text,
	               "     0                7         5     1           2    100.00 ns     200.00 ns    300.00 ns\n"),
	        "%s", text);
	cr_expect(
	        strstr(text,
	               "     1                -         -     -           -            -             -            -\n"),
	        "%s", text);
	free(text);
	json_object_set_new(json_object_get(result, "parameters"), "pattern", json_string("pairs"));
	json_array_append(ports, json_array_get(ports, 1));
	text = render(report);
	cr_expect(strstr(text, "By port"), "more than two: %s", text);
	free(text);
	json_decref(report);
}

/* Twelve flows, of which 0 to 11 lost 0, 5, 10, 3, 8, 1, 6, 11, 4, 9, 2, 7 frames: those of 4 to 11 are shown, in
 * order. */
Test(report, has_a_table_of_the_flows_that_lost_most)
{
	json_t *report = load("complete.json"), *result = json_array_get(json_object_get(report, "results"), 0);
	json_t *flows = json_array();
	const char *at;
	char *text;

	for (int flow = 0; flow < 12; flow++)
		json_array_append_new(flows,
		                      json_pack("{s:i,s:i,s:[i,i],s:i,s:i,s:i,s:i,s:i,s:i,s:n,s:n,s:f}", "source_port",
		                                2, "flow", flow, "destination_ports", 0, 13, "offered_frames", 1000,
		                                "received_frames", 7000 + flow, "lost_frames", 5 * flow % 12,
		                                "duplicated_frames", 0, "reordered_frames", 0, "wrong_port_frames", 4,
		                                "latency_min_ns", "latency_mean_ns", "latency_max_ns", 1500.0));
	json_object_set_new(result, "flows", flows);
	text = render(report);
	at = strstr(text, "  By flow, in the trial that settled each result\n");
	cr_assert(at, "%s", text);
	for (int flow = 0; flow < 12; flow++) {
		char received[16];

		snprintf(received, sizeof(received), " %d ", 7000 + flow);
		cr_expect_eq(strstr(at, received) != NULL, 5 * flow % 12 >= 4, "flow %d: %s", flow, at);
	}
	cr_expect(strstr(at, " 0 13 "), "%s", at);
	cr_expect(strstr(at, " 1.50 us\n"), "%s", at);
	cr_expect(strstr(at, "  and 4 more in the JSON, the CSV and the HTML; of each result, those that lost most are "
	                     "here\n"),
	          "%s", at);
	free(text);
	json_decref(report);
}
