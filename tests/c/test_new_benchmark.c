/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark that the program does not have, in every form of report: its row is all that there is of it. The table of
 * benchmarks here stands in the place of that of host/bench/benchmarks.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/bench/benchmark.h"
#include "host/report/report.h"
#include "host/result/common.h"

/* RFC 2544 section 26.6, if it were here. */
static const struct metric RESET_METRICS[] = {
        {.key = "reset_s",
         .heading = "Reset",
         .unit = METRIC_S,
         .places = 3,
         .better = BETTER_LESS,
         .meaning = "from the last frame before the reset to the first after it"},
        {.key = "boots", .heading = "Boots", .unit = METRIC_NUMBER, .whole = true, .meaning = "how often it started"},
        {.key = "lost.frames_before", .heading = "Lost", .unit = METRIC_FRAMES, .better = BETTER_LESS},
        {.key = "cause", .heading = "Cause", .unit = METRIC_TEXT, .choices = "hardware software", .meaning = "of it"},
};
static const struct metric_slice RESETS = METRIC_SLICE(RESET_METRICS);

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
        .metrics = (const struct metric_slice *const[]){&RESETS, &EVERY_RESULT, NULL},
};
static const struct benchmark RESET = {
        .plan = {.keys = {.name = "reset"}},
        .title = "Reset",
        .results = (const struct result_description *const[]){&WARM_RESET_RESULTS, &RESET_RESULTS, NULL},
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
