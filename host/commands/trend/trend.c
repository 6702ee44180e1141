/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge trend: many runs of a plan, and where what they measured changed. */
#include "host/trend/trend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/commands/trend/files.h"
#include "host/console/bring_up.h"
#include "host/console/tolerance.h"
#include "host/report/html/report_html.h"
#include "host/report/report.h"

static const char DOC[] =
        "Shows each measure over many runs, by date and version of the device, and where its level changed.\v"
        "Reads run files, JSON that --json wrote, and the run files of folders and of the folders in them. Runs of the "
        "same plan belong together; their results are matched as compare does. A step is marked if it is larger "
        "than the tolerance and the resolution of the search, and more than chance: by the maximally selected rank "
        "statistic of Lausen and Schumacher (1992), with a level of 1% for all measures together. A measure is tested "
        "if it has 12 runs or more. Files that cannot be read are named and passed over. The exit code is 2 if no "
        "run could be read. With --fail-on-step, it is 1 if the newest step of any measure is for the worse, else 5 if "
        "the newest run cannot be judged: a result of its plan has fewer than 12 runs, or its last values "
        "are worse than all others of their level, but too few for a step.";

struct trend_options {
	struct text_list paths;            /* files and folders, in order */
	const char *html_path, *json_path; /* NULL: none */
	const char *tolerance;             /* text as written; NULL: the default */
	bool fail_on_step, quiet;
};

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static int check_outputs(const struct trend_options *options, struct error *error)
{
	int result = options->json_path ? report_json_check(options->json_path, error) : 0;

	if (!result && options->html_path)
		result = report_html_check(options->html_path, error);
	return result;
}

static int write_outputs(const struct trend_options *options, const json_t *trend, struct error *error)
{
	int result = 0;

	if (!options->quiet && !is_stdout(options->json_path) && !is_stdout(options->html_path))
		trend_table(trend, stdout);
	if (options->json_path)
		result = report_json(trend, options->json_path, error);
	if (!result && options->html_path)
		result = report_html_trend(trend, options->html_path, error);
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(error, ERROR_PLAN, "standard output cannot be written");
	return result;
}

static int trend_of(const struct trend_options *options, double tolerance, enum exit_code *verdict, struct error *error)
{
	json_t *runs = NULL, *passed_over = NULL, *trend = NULL;
	int result = check_outputs(options, error);

	if (!result)
		result = trend_files_read(options->paths.texts, options->paths.count, &runs, &passed_over, error);
	if (!result) {
		trend = trend_of_runs(runs, passed_over, tolerance);
		result = trend ? write_outputs(options, trend, error)
		               : error_set(error, ERROR_INTERNAL, "out of memory");
	}
	if (trend)
		*verdict = trend_got_worse(trend) ? EXIT_INVALID : trend_is_judged(trend) ? EXIT_VALID : EXIT_UNCLEAR;
	json_decref(trend);
	json_decref(passed_over);
	json_decref(runs);
	return result;
}

static const struct option_row OWN_OPTIONS[] = {
        {"html", 0, "FILE", "Write FILE as one self-contained HTML page with charts; uses gnuplot", OPTION_TEXT,
         .place = offsetof(struct trend_options, html_path)},
        {"tolerance", 0, "PERCENT", "Mark no step of up to this, \"1%\" by default", OPTION_TEXT,
         .place = offsetof(struct trend_options, tolerance)},
        {"fail-on-step", 0, NULL,
         "Exit with 1 if the newest step of any measure is for the worse, with 5 if that cannot be judged", OPTION_FLAG,
         .place = offsetof(struct trend_options, fail_on_step)},
        {0},
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	text_list_add(&((struct trend_options *)options)->paths, argument, state);
}

static void check(void *options, const struct argp_state *state)
{
	if (!((struct trend_options *)options)->paths.count)
		argp_error(state, "run files, or folders that have some, must be given");
}

static int run(int argc, char **argv)
{
	struct trend_options options = {0};
	struct error error = {0};
	enum exit_code verdict = EXIT_VALID;
	double tolerance = 0;
	int result;

	command_parse(&TREND_COMMAND, argc, argv, &options);
	result = tolerance_read(options.tolerance, &tolerance, &error);
	if (!result)
		result = trend_of(&options, tolerance, &verdict, &error);
	result = result ? exit_code_of(&error, argv[0]) : options.fail_on_step ? (int)verdict : EXIT_VALID;
	free(options.paths.texts);
	return result;
}

const struct command TREND_COMMAND = {
        .name = "trend",
        .usage = "DIR|DB... [--html FILE] [--json FILE] [--tolerance PERCENT] [--fail-on-step] [--quiet]",
        .summary = "Show how results went over many runs, and where they changed",
        .doc = DOC,
        .arguments = "DIR|DB...",
        .groups = {{JSON_OPTION, offsetof(struct trend_options, json_path)},
                   {OWN_OPTIONS, 0},
                   {QUIET_OPTION, offsetof(struct trend_options, quiet)}},
        .argument = take_argument,
        .check = check,
        .run = run,
};
