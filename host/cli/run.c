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
#include "host/cli/trace.h"
#include "host/report/report.h"
#include "host/trial/exec_tester.h"

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

/* What was agreed with an external program; of itself only its command is known. */
static json_t *describe_program(const struct setup *setup)
{
	const struct plan_exec *exec = &setup->plan->exec;
	double tolerance = (double)exec->offered_tolerance.numerator / (double)exec->offered_tolerance.denominator;
	char text[256];

	return json_pack("{s:s, s:s, s:n, s:n, s:i, s:f, s:o}", "backend", setup->plan->device.backend, "name",
	                 exec_command_text(exec->command, text, sizeof(text)), "regmap", "ports", "senders",
	                 (int)exec->senders, "offered_tolerance_percent", 100 * tolerance, "timeout_s",
	                 exec->timeout_ns ? json_real((double)exec->timeout_ns / 1e9) : json_null());
}

/* What measured: a device with its register map, or a program, of which only its command is known. */
static json_t *describe_tester(const struct setup *setup)
{
	char text[256];

	if (setup->device) {
		const struct device_identity *identity = device_identity(setup->device);

		snprintf(text, sizeof(text), "%" PRIu32 ":0x%08" PRIx32, identity->map_version, identity->map_hash);
		return json_pack("{s:s, s:s, s:s, s:i}", "backend", identity->backend, "name", identity->name, "regmap",
		                 text, "ports", (int)identity->ports);
	}
	return describe_program(setup);
}

/* Everything of the report but results and finish. Keys: docs/results.md. */
static json_t *report_begin(const struct setup *setup, const struct options *options)
{
	const struct plan *plan = setup->plan;
	json_t *overrides = json_array();

	for (size_t i = 0; i < options->override_count; i++)
		json_array_append_new(overrides, json_string(options->overrides[i]));
	return json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:{s:I}, s:o}", "schema", RESULT_SCHEMA, "tool",
	                 "fpgauge " FPGAUGE_VERSION, "plan", plan->text, "plan_path", plan->path, "set", overrides,
	                 "device", describe_tester(setup), "link", "bits_per_second",
	                 (json_int_t)setup->tester->info.link_bps, "started", time_now());
}

static int run_tests(const struct setup *setup, bool quiet, struct trace *trace, json_t *results, struct error *error)
{
	struct progress progress;
	struct bench_context context = {.tester = setup->tester,
	                                .progress = progress_show,
	                                .now_s = progress_now_s,
	                                .user = &progress,
	                                .trace = trace->out ? trace_show : NULL,
	                                .trace_user = trace,
	                                .results = results};
	int result;

	progress_begin(&progress, quiet);
	result = bench_run(&context, setup->plan, error);
	progress_end(&progress);
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
static int run_plan(const struct setup *setup, const struct options *options, struct trace *trace, const char *command)
{
	json_t *report = report_begin(setup, options);
	json_t *results = json_array();
	struct error error = {0}, report_error = {0};
	int result, code;

	if (!report || !results || json_object_set(report, "results", results)) {
		fprintf(stderr, "%s: the report cannot be made: out of memory, or a text that is not UTF-8\n", command);
		json_decref(report);
		json_decref(results);
		return EXIT_DEVICE;
	}
	result = run_tests(setup, options->quiet, trace, results, &error);
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

/* Where the trace can be written is found before the first trial. */
static int run_traced(const struct setup *setup, const struct options *options, const char *command)
{
	const char *path = options->trace_path ? options->trace_path : setup->plan->trace;
	struct error error = {0};
	struct trace trace;
	int code;

	if (trace_open(&trace, path, &error))
		return exit_code_of(&error, command);
	code = run_plan(setup, options, &trace, command);
	if (trace_close(&trace, &error)) {
		int trace_code = exit_code_of(&error, command);

		code = code == EXIT_VALID ? trace_code : code;
	}
	return code;
}

int command_run(int argc, char **argv)
{
	struct options options;
	struct setup setup = {0};
	struct error error = {0};
	int result;

	options_parse(argc, argv, true, DOC, &options);
	result = options.json_path ? report_json_check(options.json_path, &error) : 0;
	if (!result)
		result = bring_up(&options, interrupt_watch(), &setup, &error);
	result = result ? exit_code_of(&error, argv[0]) : run_traced(&setup, &options, argv[0]);
	tear_down(&setup);
	options_free(&options);
	return result;
}
