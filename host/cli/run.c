/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge run: plan, device, trials, report. Whatever ends the run, what was measured until then is reported. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/bench/bench.h"
#include "host/cli/bring_up.h"
#include "host/cli/commands.h"
#include "host/cli/interrupt.h"
#include "host/cli/progress.h"
#include "host/report/report.h"
#include "host/trial/device_tester.h"

enum { RESULT_SCHEMA = 1 };

static const char DOC[] =
        "Runs all tests of a plan and prints the report.\v"
        "Results go to standard output or the file of --json, progress and complaints to standard error. "
        "Ctrl-C ends the run with the results so far; a second one ends it at once.";

static json_t *time_now(void)
{
	char text[32];
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc); /* RFC 3339 */
	return json_string(text);
}

/* Everything of the report but results and finish. Keys: docs/results.md. */
static json_t *report_begin(const struct plan *plan, const struct options *options,
                            const struct device_identity *identity)
{
	json_t *overrides = json_array();
	char regmap[32];

	for (size_t i = 0; i < options->override_count; i++)
		json_array_append_new(overrides, json_string(options->overrides[i]));
	snprintf(regmap, sizeof(regmap), "%" PRIu32 ":0x%08" PRIx32, identity->map_version, identity->map_hash);
	return json_pack("{s:i, s:s, s:s, s:s, s:o, s:{s:s, s:s, s:s, s:i}, s:{s:I}, s:o}", "schema", RESULT_SCHEMA,
	                 "tool", "fpgauge " FPGAUGE_VERSION, "plan", plan->text, "plan_path", plan->path, "set",
	                 overrides, "device", "backend", identity->backend, "name", identity->name, "regmap", regmap,
	                 "ports", (int)identity->ports, "link", "bits_per_second", (json_int_t)identity->link_bps,
	                 "started", time_now());
}

static int run_tests(struct device *device, const struct plan *plan, bool quiet, json_t *results, struct error *error)
{
	struct progress progress;
	struct bench_context context = {
	        .progress = progress_show, .now_s = progress_now_s, .user = &progress, .results = results};
	int result = device_tester_open(device, interrupt_watch(), &context.tester, error);

	if (result)
		return result;
	progress_begin(&progress, quiet);
	result = bench_run(&context, plan, error);
	progress_end(&progress);
	tester_close(context.tester);
	return result;
}

/* A size that the RFC leaves out (section 6.1 of RFC 9004) is no invalid result. */
static bool all_valid(const json_t *results)
{
	for (size_t i = 0; i < json_array_size(results); i++) {
		const json_t *result = json_array_get(results, i);

		if (!json_is_true(json_object_get(result, "valid")) &&
		    !json_is_true(json_object_get(result, "skipped")))
			return false;
	}
	return true;
}

static int print_report(const json_t *report, const struct options *options, struct error *error)
{
	bool json_on_stdout = options->json_path && !strcmp(options->json_path, "-");
	int result = 0;

	if (!options->quiet && !json_on_stdout)
		report_table(report, stdout);
	if (options->json_path)
		result = report_json(report, options->json_path, error);
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(error, ERROR_PLAN, "standard output cannot be written");
	return result;
}

/* Trials and report. Returns the exit code: of the run first, of the report's own failure next. */
static int run_plan(struct device *device, const struct plan *plan, const struct options *options, const char *command)
{
	json_t *report = report_begin(plan, options, device_identity(device));
	json_t *results = json_array();
	struct error error = {0}, report_error = {0};
	int result, code;

	if (!report || !results || json_object_set(report, "results", results)) {
		fprintf(stderr, "%s: the report cannot be made: out of memory, or a text that is not UTF-8\n", command);
		json_decref(report);
		json_decref(results);
		return EXIT_DEVICE;
	}
	result = run_tests(device, plan, options->quiet, results, &error);
	json_object_set_new(report, "finished", time_now());
	if (result)
		json_object_set_new(report, "incomplete", json_string(error.text));
	code = result ? exit_code_of(&error, command) : all_valid(results) ? EXIT_VALID : EXIT_INVALID;
	if (print_report(report, options, &report_error)) {
		int report_code = exit_code_of(&report_error, command);

		code = code == EXIT_VALID ? report_code : code;
	}
	json_decref(results);
	json_decref(report);
	return code;
}

int command_run(int argc, char **argv)
{
	struct options options;
	struct device *device = NULL;
	struct plan *plan = NULL;
	struct error error = {0};
	int result;

	options_parse(argc, argv, true, DOC, &options);
	result = options.json_path ? report_json_check(options.json_path, &error) : 0;
	if (!result)
		result = bring_up(&options, &plan, &device, &error);
	result = result ? exit_code_of(&error, argv[0]) : run_plan(device, plan, &options, argv[0]);
	device_close(device);
	plan_free(plan);
	options_free(&options);
	return result;
}
