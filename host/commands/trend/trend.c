/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge trend: many runs of a plan, and where what they measured changed. */
#include "host/trend/trend.h"

#include <stdio.h>
#include <string.h>

#include "host/cli/commands.h"
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

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static int check_outputs(const struct options *options, struct error *error)
{
	int result = options->json_path ? report_json_check(options->json_path, error) : 0;

	if (!result && options->html_path)
		result = report_html_check(options->html_path, error);
	return result;
}

static int write_outputs(const struct options *options, const json_t *trend, struct error *error)
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

static int trend_of(const struct options *options, double tolerance, enum exit_code *verdict, struct error *error)
{
	json_t *runs = NULL, *passed_over = NULL, *trend = NULL;
	int result = check_outputs(options, error);

	if (!result)
		result = trend_files_read(options->trend_paths, options->trend_path_count, &runs, &passed_over, error);
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

int command_trend(int argc, char **argv)
{
	struct options options;
	struct error error = {0};
	enum exit_code verdict = EXIT_VALID;
	double tolerance = 0;
	int result;

	options_parse(argc, argv, OPTIONS_TREND, DOC, &options);
	result = tolerance_read(options.tolerance, &tolerance, &error);
	if (!result)
		result = trend_of(&options, tolerance, &verdict, &error);
	result = result ? exit_code_of(&error, argv[0]) : options.fail_on_step ? (int)verdict : EXIT_VALID;
	options_free(&options);
	return result;
}
