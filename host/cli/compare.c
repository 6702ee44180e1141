/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge compare: compares a run with an earlier one, for CI. */
#include "host/compare/compare.h"

#include <stdio.h>
#include <string.h>

#include "host/cli/baseline.h"
#include "host/cli/bring_up.h"
#include "host/cli/commands.h"
#include "host/cli/sweep_compare.h"
#include "host/cli/tolerance.h"
#include "host/report/report.h"
#include "host/report/value.h"

static const char DOC[] =
        "Compares each result of BASE with the same result in NEW.\v"
        "Both are run files, or JSON that --json wrote. With --baseline-dir, BASE is the last run file in DIR that is "
        "complete, valid, within its limits and of the same plan. Throughput, bursts and latency are compared. "
        "A result is worse if the "
        "change exceeds the tolerance, a step of the search, and what chance explains: by Welch's t "
        "test if values were "
        "measured repeatedly, else by how much trials of one device usually differ. Results that are "
        "missing or invalid in "
        "NEW, or were requested differently there, fail too. The exit code is 1 if any result is "
        "worse or fails, or if nothing "
        "could be compared. BASE and NEW may be the folders of two sweeps: runs with the same settings are compared.";

/* What --baseline-dir took, and what not. */
static void print_baseline(const json_t *said, FILE *out)
{
	json_t *shown = value_printable(said);
	const json_t *one;
	size_t i;

	if (json_is_string(json_object_get(shown, "path")))
		fprintf(out, "Baseline: %s, of %s\n", value_string(shown, "path"), value_string(shown, "started"));
	json_array_foreach(json_object_get(shown, "passed_over"), i, one)
	        fprintf(out, "  not %s: %s\n", value_string(one, "path"), value_string(one, "why"));
	fputc('\n', out);
	json_decref(shown);
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static bool is_silent(const struct options *options)
{
	return options->quiet || is_stdout(options->json_path) || is_stdout(options->junit_path) ||
	       is_stdout(options->markdown_path);
}

static int check_outputs(const struct options *options, struct error *error)
{
	int result = options->json_path ? report_json_check(options->json_path, error) : 0;

	if (!result && options->junit_path)
		result = compare_junit_check(options->junit_path, error);
	if (!result && options->markdown_path)
		result = compare_markdown_check(options->markdown_path, error);
	return result;
}

static int write_outputs(const struct options *options, const json_t *comparison, const json_t *new,
                         struct error *error)
{
	int result = 0;

	if (!is_silent(options))
		compare_table(comparison, stdout);
	if (options->json_path)
		result = report_json(comparison, options->json_path, error);
	if (!result && options->junit_path)
		result = compare_junit(comparison, new, options->junit_path, error);
	if (!result && options->markdown_path)
		result = compare_markdown(comparison, options->markdown_path, error);
	return result;
}

/* base, new: the reports. said: of --baseline-dir; NULL: BASE was named. */
static int load_both(const struct options *options, json_t **base, json_t **new, json_t **said, struct error *error)
{
	int result;

	if (!options->baseline_dir) {
		result = baseline_load(options->base_path, base, error);
		return result ? result : baseline_load(options->new_path, new, error);
	}
	result = baseline_load(options->new_path, new, error);
	if (!result)
		result = baseline_find(options->baseline_dir, options->new_path, *new, base, said, error);
	if (*said && !is_silent(options))
		print_baseline(*said, stdout);
	return result;
}

static int compare(const struct options *options, double tolerance, bool *passes, struct error *error)
{
	json_t *base = NULL, *new = NULL, *said = NULL, *comparison = NULL;
	int result = check_outputs(options, error);

	if (!result)
		result = load_both(options, &base, &new, &said, error);
	if (!result) {
		comparison = compare_reports(base, new, tolerance);
		if (!comparison)
			result = error_set(error, ERROR_INTERNAL, "out of memory");
	}
	if (comparison) {
		*passes = compare_passes(comparison);
		if (said)
			json_object_set(comparison, "baseline", said);
		result = write_outputs(options, comparison, new, error);
	}
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(error, ERROR_PLAN, "standard output cannot be written");
	json_decref(comparison);
	json_decref(said);
	json_decref(new);
	json_decref(base);
	return result;
}

int command_compare(int argc, char **argv)
{
	struct options options;
	struct error error = {0};
	bool passes = false, sweeps = false;
	double tolerance = 0;
	int result;

	options_parse(argc, argv, OPTIONS_COMPARE, DOC, &options);
	result = tolerance_read(options.tolerance, &tolerance, &error);
	if (!result)
		result = sweep_compare_asked(&options, &sweeps, &error);
	if (!result)
		result = sweeps ? sweep_compare(&options, tolerance, &passes, &error)
		                : compare(&options, tolerance, &passes, &error);
	result = result ? exit_code_of(&error, argv[0]) : passes ? EXIT_VALID : EXIT_INVALID;
	options_free(&options);
	return result;
}
