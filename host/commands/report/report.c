/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge report: any report of a run, from its file alone. */
#include <stdio.h>

#include "host/cli/commands.h"
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

int command_report(int argc, char **argv)
{
	struct options options;
	struct store *store = NULL;
	struct error error = {0};
	bool passed = false;
	int result;

	options_parse(argc, argv, OPTIONS_REPORT, DOC, &options);
	if (manifest_exists(options.db_path)) {
		result = sweep_report(&options, argv[0]);
		options_free(&options);
		return result;
	}
	result = outputs_check(&options, &error);
	if (!result)
		result = run_file_open(options.db_path, STORE_REPORT, &store, &error);
	if (!result)
		result = outputs_write(&options, store, &passed, &error);
	result = result ? exit_code_of(&error, argv[0]) : passed ? EXIT_VALID : EXIT_INVALID;
	store_close(store);
	options_free(&options);
	return result;
}
