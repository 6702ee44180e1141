/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark that the program does not have, in every form of report: it consists of its row only. The table of
 * benchmarks here replaces the one in host/bench/benchmarks.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/bench/benchmark.h"
#include "host/report/report.h"
#include "host/report/schema.h"
#include "host/report/schema_check.h"
#include "host/result/common.h"

/* RFC 2544 section 26.6, if it were here. */
static const struct metric BOOT[] = {
        {.key = "from_s", .unit = METRIC_S, .known = KNOWN_ALWAYS, .range = RANGE_FROM_ZERO},
        {.key = "clean", .unit = METRIC_YES_NO},
};
static const struct metric_slice BOOT_METRICS = METRIC_SLICE(BOOT);

static const struct metric RESET_METRICS[] = {
        {.key = "reset_s",
         .heading = "Reset",
         .unit = METRIC_S,
         .places = 3,
         .better = BETTER_LESS,
         .known = KNOWN_IF_VALID,
         .meaning = "from the last frame before the reset to the first after it"},
        {.key = "boots", .heading = "Boots", .unit = METRIC_NUMBER, .whole = true, .meaning = "how often it started"},
        {.key = "boot_list",
         .heading = "Each boot",
         .unit = METRIC_LIST,
         .presence = IN_VALID_RESULTS,
         .definition = "boot",
         .items = &BOOT_METRICS},
        {.key = "lost.frames_before", .heading = "Lost", .unit = METRIC_FRAMES, .better = BETTER_LESS},
        {.key = "cause",
         .heading = "Cause",
         .unit = METRIC_TEXT,
         .presence = IN_EVERY_RESULT,
         .choices = "hardware software",
         .meaning = "of it"},
        {.key = "skipped", .heading = "Skipped", .unit = METRIC_YES_NO, .presence = IN_EVERY_RESULT},
};
static const struct metric_slice RESETS = METRIC_SLICE(RESET_METRICS);

static const struct metric WARM_METRICS[] = {
        {.key = "warmth_percent", .heading = "Warmth", .unit = METRIC_PERCENT, .better = BETTER_MORE},
};
static const struct metric_slice WARM = METRIC_SLICE(WARM_METRICS);

static const struct result_description RESET_RESULTS = {
        .test = "reset",
        .title = "Reset",
        .clause = "RFC 2544 section 26.6",
        .answer = "reset_s",
        .metrics = (const struct metric_slice *const[]){&RESETS, &EVERY_RESULT, NULL},
};
static const struct result_description WARM_RESET_RESULTS = {
        .test = "reset",
        .when = "parameters.warm",
        .title = "Warm reset",
        .clause = "none",
        .qualifier = "warm ",
        .answer = "reset_s",
        .metrics = (const struct metric_slice *const[]){&RESETS, &WARM, &EVERY_RESULT, NULL},
};
static const struct benchmark RESET = {
        .plan = {.keys = {.name = "reset"},
                 .results = (const struct result_description *const[]){&WARM_RESET_RESULTS, &RESET_RESULTS, NULL}},
        .title = "Reset",
};

const struct benchmark *const BENCHMARKS[] = {&RESET};
const size_t BENCHMARK_COUNT = 1;

const struct benchmark *benchmark_find(const char *name)
{
	return strcmp(name, benchmark_name(&RESET)) != 0 ? NULL : &RESET;
}

static json_t *result_of(int test_number, int warm)
{
	return json_pack("{s:s, s:i, s:s, s:i, s:b, s:f, s:i, s:{s:i}, s:s, s:{s:i}}", "test", "reset", "test_number",
	                 test_number, "rfc", "RFC 2544 26.6", "frame_octets", 64, "valid", 1, "reset_s", 2.5, "boots",
	                 3, "lost", "frames_before", 7, "cause", "software", "parameters", "warm", warm);
}

static char *read_file(const char *path)
{
	char *text = calloc(1, 65536);
	FILE *file = fopen(path, "r");

	cr_assert(text && file, "%s", path);
	cr_assert_lt(fread(text, 1, 65535, file), 65535);
	fclose(file);
	return text;
}

Test(new_benchmark, is_a_file_of_comma_separated_values)
{
	char folder[] = "/tmp/fpgauge-new-XXXXXX", path[64];
	json_t *report = json_pack("{s:[o, {s:s}]}", "results", result_of(1, 0), "test", "../throughput");
	struct error error = {0};
	char *text;

	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(report_csv(report, folder, &error), 0, "%s", error.text);
	snprintf(path, sizeof(path), "%s/reset.csv", folder);
	text = read_file(path);
	cr_expect_str_eq(text, "test,test_number,rfc,frame_octets,valid,reset_s,boots,lost.frames_before,cause,"
	                       "parameters.warm\r\nreset,1,RFC 2544 26.6,64,true,2.5,3,7,software,0\r\n");
	unlink(path);
	cr_expect_eq(rmdir(folder), 0, "something else is left in it");
	free(text);
	json_decref(report);
}

Test(new_benchmark, has_in_junit_what_can_have_a_limit_and_the_name_of_what_was_asked_for)
{
	char path[] = "/tmp/fpgauge-new-XXXXXX";
	json_t *report = json_pack("{s:[o, o]}", "results", result_of(1, 0), result_of(2, 1));
	struct error error = {0};
	char *text;

	close(mkstemp(path));
	cr_assert_eq(report_junit(report, NULL, path, &error), 0, "%s", error.text);
	text = read_file(path);
	cr_expect(strstr(text, "<property name=\"reset_s\" value=\"2.5\"/>"), "%s", text);
	cr_expect(strstr(text, "<property name=\"lost.frames_before\" value=\"7\"/>"), "%s", text);
	cr_expect_null(strstr(text, "name=\"boots\""), "has no better side, so no limit\n%s", text);
	cr_expect(strstr(text, "name=\"1 reset, 64 octets\""), "%s", text);
	cr_expect(strstr(text, "name=\"2 warm reset, 64 octets\""), "%s", text);
	unlink(path);
	free(text);
	json_decref(report);
}

/* -- the schema ---------------------------------------------------------------------------------------------------- */

/* Changes one place, and expects that complaint; says NULL: it fits the schema. */
static void expect_of_change(const char *key, json_t *value, const char *says)
{
	json_t *schema = schema_of_report(), *result = result_of(1, 0);
	struct error error = {0};
	json_t *report = json_pack("{s:i, s:[O]}", "schema", 2, "results", result);

	json_object_set_new(result, "skipped", json_false());
	if (key)
		json_object_set_new(result, key, value);
	cr_assert_not_null(schema);
	cr_expect_eq(schema_check(schema, report, "r.db", &error) != 0, says != NULL, "%s: %s", key, error.text);
	if (says)
		cr_expect(strstr(error.text, says), "%s\n  got: %s", says, error.text);
	json_decref(result);
	json_decref(report);
	json_decref(schema);
}

Test(new_benchmark, is_in_the_schema_with_every_metric_as_it_is_described)
{
	expect_of_change(NULL, NULL, NULL);
	expect_of_change("test", json_string("throughput"),
	                 "/results/0/test = \"throughput\": must be one of [\"reset\"]");
	expect_of_change("reset_s", json_null(), "/results/0/reset_s = null: must be of type \"number\"");
	expect_of_change("boots", json_null(), NULL);
	expect_of_change("boots", json_real(1.5), "/results/0/boots = 1.5: must be of type [\"integer\",\"null\"]");
	expect_of_change("cause", json_string("hardware"), NULL);
	expect_of_change("cause", json_string("thunder"), "must be one of [\"hardware\",\"software\"]");
	expect_of_change("boot_list", json_pack("[{s:f, s:b}]", "from_s", 0.5, "clean", 1), NULL);
	expect_of_change("boot_list", json_pack("[{s:f}]", "from_s", -0.5),
	                 "/boot_list/0/from_s = -0.5: must be at least 0");
	expect_of_change("boot_list", json_pack("[{s:i}]", "other", 1), "/boot_list/0/other = 1: must not be there");
	expect_of_change("skipped", json_true(), "/results/0/valid = true: must be false");
}

Test(new_benchmark, asks_of_a_size_that_was_left_out_for_less)
{
	json_t *schema = schema_of_report(), *own = json_object_get(json_object_get(schema, "$defs"), "reset");
	json_t *asked = json_pack("[s, s]", "cause", "skipped"), *of_tested = json_pack("[s, s]", "reset_s", "boots");

	cr_expect(json_equal(json_object_get(own, "required"), asked));
	cr_expect(json_equal(json_object_get(json_object_get(own, "then"), "required"), of_tested));
	json_decref(of_tested);
	json_decref(asked);
	json_decref(schema);
}

/* {"if": ..., "then": ...} for the metrics that only one of its descriptions has. */
Test(new_benchmark, asks_of_what_was_asked_for_otherwise_for_keys_of_its_own)
{
	json_t *schema = schema_of_report(), *own = json_object_get(json_object_get(schema, "$defs"), "reset");
	json_t *all_of = json_object_get(json_object_get(own, "then"), "allOf"), *one = json_array_get(all_of, 1);
	json_t *expected = json_pack("{s:{s:{s:{s:{s:{s:i}}, s:[s]}}}, s:{s:[s], s:{s:{s:s}}}, s:{}}", "if",
	                             "properties", "parameters", "properties", "warm", "exclusiveMinimum", 0,
	                             "required", "warm", "then", "required", "warmth_percent", "properties",
	                             "warmth_percent", "$ref", "#/$defs/number", "else");

	cr_assert_not_null(expected);
	cr_expect_eq(json_array_size(all_of), 2, "of valid ones, and this");
	cr_expect(json_equal(one, expected), "%s", json_dumps(one, 0));
	json_decref(expected);
	json_decref(schema);
}
