/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge compare: compares a run with an earlier one, for CI. */
#include "host/compare/compare.h"
#include "host/base/json_write.h"

#include <stdio.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/commands/compare/accepted.h"
#include "host/commands/compare/baseline.h"
#include "host/commands/compare/sweep_compare.h"
#include "host/console/bring_up.h"
#include "host/console/tolerance.h"
#include "host/report/report.h"
#include "host/report/value.h"

static const char DOC[] =
        "Compares each result of BASE with the same result in NEW.\v"
        "Both are run files, or JSON that --json wrote. With --baseline-dir, BASE is the runs of the same plan in DIR "
        "that were accepted: by --accept, which accepts NEW if nothing became worse or if it is the first run, or by "
        "--accept-because, with which a person accepts a new level. Of the last 10 of them, the best counts; from 6 "
        "on, "
        "the better half, and their spread. Throughput, bursts and latency are compared. A result is worse if the "
        "change exceeds the tolerance, a step of the search, and what chance explains: by Welch's t test if values "
        "were measured repeatedly, by the spread of the accepted runs, else by how much devices may vary. Where that "
        "is "
        "not known, it is unclear: repeat the measurement. Results that are missing or invalid in NEW, or were "
        "requested differently there, fail too. The exit code is 1 if any result is worse or fails, or if nothing "
        "could be compared; 4 if no run of the plan in DIR is accepted; 5 if any result is unclear, and none is "
        "worse. BASE and NEW may be the folders of two sweeps: runs with the same settings are compared.";

/* Prints what --baseline-dir took, and what not. */
static void print_baseline(const json_t *said, FILE *out)
{
	json_t *shown = value_printable(said);
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(shown, "runs"), i, one)
	        fprintf(out, "%s %s, of %s\n", i ? "         " : "Baseline:", value_string(one, "path"),
	                value_string(one, "started"));
	json_array_foreach(json_object_get(shown, "passed_over"), i, one)
	        fprintf(out, "  not %s: %s\n", value_string(one, "path"), value_string(one, "why"));
	fputc('\n', out);
	json_decref(shown);
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static bool is_silent(const struct compare_options *options)
{
	return options->quiet || is_stdout(options->json_path) || is_stdout(options->junit_path) ||
	       is_stdout(options->markdown_path);
}

static int check_outputs(const struct compare_options *options, struct error *error)
{
	int result = options->json_path ? report_json_check(options->json_path, error) : 0;

	if (!result && options->junit_path)
		result = compare_junit_check(options->junit_path, error);
	if (!result && options->markdown_path)
		result = compare_markdown_check(options->markdown_path, error);
	return result;
}

static int write_outputs(const struct compare_options *options, const json_t *comparison, const json_t *new,
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

struct inputs {
	json_t *runs; /* a list of reports: BASE, or the accepted ones; oldest first */
	json_t *new;
	json_t *said;  /* the choice of --baseline-dir; NULL: BASE was named */
	bool good;     /* NEW can be held against later runs */
	char why[400]; /* if not */
};

static int load_both(const struct compare_options *options, struct inputs *in, struct error *error)
{
	json_t *base = NULL;
	int result;

	if (!options->baseline_dir) {
		result = baseline_load(options->base_path, &base, error);
		if (!result)
			in->runs = json_pack("[o]", base);
		return result ? result : baseline_load(options->new_path, &in->new, error);
	}
	result = baseline_load(options->new_path, &in->new, error);
	if (!result)
		result = baseline_find(options->baseline_dir, options->new_path, in->new, &in->runs, &in->said, error);
	in->good = in->new &&compare_is_baseline(in->new, in->new, in->why, sizeof(in->why));
	if (in->said && !is_silent(options))
		print_baseline(in->said, stdout);
	if (!result && options->accept_reason && !in->good)
		result = error_set(error, ERROR_PLAN, "%s: cannot be accepted: %s", options->new_path, in->why);
	return result;
}

/* Why there is nothing to compare with, and what to do. */
static json_t *why_no_base(const struct compare_options *options, const struct inputs *in)
{
	const json_int_t others = json_integer_value(json_object_get(in->said, "not_accepted"));

	if (options->accept_reason)
		return json_sprintf("no run of this plan in %s was accepted before", options->baseline_dir);
	if (others)
		return json_sprintf("no run of this plan in %s is accepted, though %" JSON_INTEGER_FORMAT
		                    " could be: accept "
		                    "one whose level is right, with --accept-because REASON",
		                    options->baseline_dir, others);
	if (!options->accept)
		return json_sprintf("no run of this plan in %s is accepted: accept the first one with --accept",
		                    options->baseline_dir);
	if (!in->good)
		return json_sprintf("no run of this plan in %s is accepted, and this one cannot be: %s",
		                    options->baseline_dir, in->why);
	return json_sprintf("the first run of this plan in %s: it is accepted", options->baseline_dir);
}

static json_t *compared(const struct compare_options *options, const struct inputs *in, double tolerance)
{
	if (json_array_size(in->runs))
		return compare_history(in->runs, in->new, tolerance);
	return json_pack("{s:i, s:f, s:[], s:[], s:i, s:s, s:o}", "schema", 1, "tolerance_percent", 100 * tolerance,
	                 "results", "notes", "compared", 0, "verdict", "no_base", "why", why_no_base(options, in));
}

static bool is_first(const struct inputs *in)
{
	return !json_array_size(in->runs) && !json_integer_value(json_object_get(in->said, "not_accepted"));
}

/* Accepts NEW if that was asked for, and sets `accepted`. */
static int accept(const struct compare_options *options, const struct inputs *in, json_t *comparison,
                  struct error *error)
{
	const bool green = in->good && (compare_passes(comparison) || is_first(in));
	const bool accepts = options->accept_reason || (options->accept && green);
	int result = 0;

	if (accepts)
		result = accepted_mark(options->new_path, in->new, options->accept_reason, error);
	json_put(comparison, "accepted", json_boolean(accepts && !result));
	if (!result && !is_silent(options) && (options->accept || accepts))
		printf("%s is %saccepted%s%s\n", options->new_path, accepts ? "" : "not ",
		       !accepts && !in->good ? ": " : "", !accepts && !in->good ? in->why : "");
	return result;
}

static enum exit_code code_of(const struct compare_options *options, const json_t *comparison)
{
	if (options->accept_reason || compare_passes(comparison))
		return EXIT_VALID;
	if (compare_is_unclear(comparison))
		return EXIT_UNCLEAR;
	return !strcmp(value_string(comparison, "verdict"), "no_base") ? EXIT_NO_BASE : EXIT_INVALID;
}

static int judge_and_write(const struct compare_options *options, const struct inputs *in, double tolerance,
                           enum exit_code *code, struct error *error)
{
	json_t *comparison = compared(options, in, tolerance);
	int result;

	if (!comparison)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	*code = code_of(options, comparison);
	if (in->said)
		json_put_shared(comparison, "baseline", in->said);
	result = in->said ? accept(options, in, comparison, error) : 0;
	if (!result)
		result = write_outputs(options, comparison, in->new, error);
	json_decref(comparison);
	return result;
}

static int compare(const struct compare_options *options, double tolerance, enum exit_code *code, struct error *error)
{
	const bool accepts = options->accept || options->accept_reason;
	struct inputs in = {0};
	int result = check_outputs(options, error);

	if (!result && accepts)
		result = accepted_check_place(options->baseline_dir, options->new_path, error);
	if (!result)
		result = load_both(options, &in, error);
	if (!result)
		result = judge_and_write(options, &in, tolerance, code, error);
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(error, ERROR_PLAN, "standard output cannot be written");
	json_decref(in.said);
	json_decref(in.new);
	json_decref(in.runs);
	return result;
}

static const struct option_row OWN_OPTIONS[] = {
        {"junit", 0, "FILE", "Write FILE as JUnit XML, one test case per value, for a CI server", OPTION_TEXT,
         .place = offsetof(struct compare_options, junit_path)},
        {"markdown", 0, "FILE", "Write FILE as a short Markdown text, for the comment on a merge request", OPTION_TEXT,
         .place = offsetof(struct compare_options, markdown_path)},
        {"baseline-dir", 0, "DIR", "In place of BASE: the accepted runs of the same plan among the run files of DIR",
         OPTION_TEXT, .place = offsetof(struct compare_options, baseline_dir)},
        {"accept", 0, NULL,
         "With --baseline-dir, if nothing became worse, or NEW is the first, later runs are compared with NEW too",
         OPTION_FLAG, .place = offsetof(struct compare_options, accept)},
        {"accept-because", 0, "REASON",
         "With --baseline-dir, later runs are compared with NEW, and no longer with those before it, whatever became "
         "worse",
         OPTION_TEXT, .place = offsetof(struct compare_options, accept_reason)},
        {"tolerance", 0, "PERCENT", "Accept a change for the worse of up to this, \"1%\" by default", OPTION_TEXT,
         .place = offsetof(struct compare_options, tolerance)},
        {0},
};

static void take_argument(void *user, const char *argument, const struct argp_state *state)
{
	struct compare_options *options = user;

	argument_set(options->base_path ? &options->new_path : &options->base_path, argument, COMPARE_COMMAND.arguments,
	             state);
}

/* The one argument is NEW where a folder of baselines is given. */
static void check(void *user, const struct argp_state *state)
{
	struct compare_options *options = user;

	if (!options->baseline_dir && !options->new_path)
		argp_error(state, "two run files must be given, BASE and NEW; or NEW and --baseline-dir DIR");
	if (options->baseline_dir && (!options->base_path || options->new_path))
		argp_error(state, "with --baseline-dir, one run file must be given, NEW");
	if (!options->baseline_dir && (options->accept || options->accept_reason))
		argp_error(state, "%s: --baseline-dir DIR must be given, in which NEW is accepted",
		           options->accept ? "--accept" : "--accept-because");
	if (options->accept && options->accept_reason)
		argp_error(state, "--accept leaves it to the comparison, --accept-because does not: give one of them");
	if (options->accept_reason && !*options->accept_reason)
		argp_error(state, "--accept-because: must say why");
	if (!options->baseline_dir)
		return;
	options->new_path = options->base_path;
	options->base_path = NULL;
}

static int run(int argc, char **argv)
{
	struct compare_options options = {0};
	struct error error = {0};
	enum exit_code code = EXIT_INVALID;
	bool sweeps = false;
	double tolerance = 0;
	int result;

	command_parse(&COMPARE_COMMAND, argc, argv, &options);
	result = tolerance_read(options.tolerance, &tolerance, &error);
	if (!result)
		result = sweep_compare_asked(&options, &sweeps, &error);
	if (!result)
		result = sweeps ? sweep_compare(&options, tolerance, &code, &error)
		                : compare(&options, tolerance, &code, &error);
	result = result ? exit_code_of(&error, argv[0]) : (int)code;
	return result;
}

const struct command COMPARE_COMMAND = {
        .name = "compare",
        .usage = "BASE NEW | --baseline-dir DIR NEW [--accept | --accept-because REASON] [--tolerance PERCENT] [--json "
                 "FILE] "
                 "[--junit FILE] [--markdown FILE] [--quiet]",
        .summary = "Report what became worse since another run",
        .doc = DOC,
        .arguments = "BASE NEW",
        .groups = {{JSON_OPTION, offsetof(struct compare_options, json_path)},
                   {OWN_OPTIONS, 0},
                   {QUIET_OPTION, offsetof(struct compare_options, quiet)}},
        .argument = take_argument,
        .check = check,
        .run = run,
};
