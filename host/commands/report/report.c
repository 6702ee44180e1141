/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge report: any report of a run, from its file alone. */
#include <stdio.h>

#include "host/commands/commands.h"
#include "host/commands/sweep/manifest.h"
#include "host/commands/sweep/report.h"
#include "host/console/bring_up.h"
#include "host/console/outputs.h"
#include "host/console/run_file.h"

static const char DOC[] =
        "Prints the report of a run file and writes it in other formats.\v"
        "The file is opened read-only. If the run is still going on, its results so far are reported. "
        "DB may be the folder of a sweep: then one table lists all its runs, and --html and --json are the other "
        "formats.";

struct report_options {
	const char *path;
	struct output_options outputs;
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	argument_set(&((struct report_options *)options)->path, argument, "DB", state);
}

static void check(void *options, const struct argp_state *state)
{
	if (!((struct report_options *)options)->path)
		argp_error(state, "the DB is missing: the file that `fpgauge run` made");
}

static int run(int argc, char **argv)
{
	struct report_options options = {0};
	struct store *store = NULL;
	struct error error = {0};
	bool passed = false;
	int result;

	command_parse(&REPORT_COMMAND, argc, argv, &options);
	if (manifest_exists(options.path))
		return sweep_report(options.path, &options.outputs, argv[0]);
	result = outputs_check(&options.outputs, &error);
	if (!result)
		result = run_file_open(options.path, STORE_REPORT, &store, &error);
	if (!result)
		result = outputs_write(&options.outputs, store, &passed, &error);
	result = result ? exit_code_of(&error, argv[0]) : passed ? EXIT_VALID : EXIT_INVALID;
	store_close(store);
	return result;
}

const struct command REPORT_COMMAND = {
        .name = "report",
        .usage = "DB [REPORT]... [--quiet]",
        .summary = "Report a run from its file",
        .doc = DOC,
        .arguments = "DB",
        .groups = {{JSON_OPTION, offsetof(struct report_options, outputs.json_path)},
                   {OUTPUT_OPTIONS, offsetof(struct report_options, outputs)},
                   {QUIET_OPTION, offsetof(struct report_options, outputs.quiet)}},
        .argument = take_argument,
        .check = check,
        .run = run,
};
