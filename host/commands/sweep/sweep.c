/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge sweep: one plan with the values of some settings varied, a run for each combination. This process leads:
 * it looks at all plans, makes the folder, has the runs made, and reports. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/fork.h"
#include "host/commands/commands.h"
#include "host/commands/sweep/check.h"
#include "host/commands/sweep/local.h"
#include "host/commands/sweep/lock.h"
#include "host/commands/sweep/manifest.h"
#include "host/commands/sweep/options.h"
#include "host/commands/sweep/point.h"
#include "host/commands/sweep/report.h"
#include "host/console/bring_up.h"
#include "host/console/interrupt.h"
#include "host/console/plan_source.h"
#include "host/console/shell_word.h"
#include "host/report/report.h"

static const char DOC[] =
        "Runs a plan once for each combination of the values of --vary, and prints one table of all runs.\v"
        "All plans are checked before the first run. Each run is a process with a run file of its own in DIR, and "
        "counts when that file is complete. A run that is lost is gone on with, or made again. After an interruption, "
        "the same command, or --resume DIR, goes on where it was. `fpgauge report`, `compare` and `trend` take DIR. "
        "The exit code is 0 if all runs are done and passed.";

/* Makes the sweep that the arguments ask for, with the plan as it is now. */
static int ask(struct sweep_options *options, struct sweep *sweep, struct error *error)
{
	char stamp[CLOCK_TEXT_SIZE];
	int status = device_options_take(&options->plan.device, error);

	for (size_t i = 0; i < options->plan.device.overrides.count && status == 0; i++)
		status = sweep_add_set(sweep, options->plan.device.overrides.texts[i], error);
	for (size_t i = 0; i < options->vary.count && status == 0; i++)
		status = sweep_add_axis(sweep, options->vary.texts[i], error);
	if (status == 0)
		status = sweep_check(sweep, error);
	if (status == 0)
		status = sweep_take_plan(&options->plan, sweep, error);
	if (status)
		return status;
	clock_rfc3339_now(stamp, false);
	sweep->created = strdup(stamp);
	sweep->tool = strdup("fpgauge " FPGAUGE_VERSION);
	sweep->working_directory = getcwd(NULL, 0);
	return sweep->created && sweep->tool && sweep->working_directory
	               ? 0
	               : error_set(error, ERROR_INTERNAL, "out of memory, or no working directory");
}

static int is_foreign_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
	       strcmp(entry->d_name, "sweep.lock") != 0 && strcmp(entry->d_name, "sweep.json.new") != 0;
}

/* Makes the folder; one without a manifest must be empty, apart from what a sweep that died there left. */
static int make_folder(const char *path, struct sweep *sweep, struct error *error)
{
	struct dirent **entries;
	int count;

	if (mkdir(path, 0777) && errno != EEXIST)
		return error_set(error, ERROR_STORE, "%s: cannot be made: %s", path, strerror(errno));
	sweep->directory = realpath(path, NULL);
	count = sweep->directory ? scandir(path, &entries, is_foreign_entry, NULL) : -1;
	if (count < 0)
		return error_set(error, ERROR_STORE, "%s: cannot be read: %s", path, strerror(errno));
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	return count ? error_set(error, ERROR_STORE,
	                         "%s: is not the folder of a sweep, and not empty: must be a new folder", path)
	             : 0;
}

static int check_owner(const struct sweep *sweep, const struct sweep_options *options, struct error *error)
{
	char why[500];

	if (options->allow_command || !manifest_is_foreign(sweep, why, sizeof(why)))
		return 0;
	return error_set(
	        error, ERROR_PLAN,
	        "%s: %s; its plan may start commands: see that it may, then go on by --resume %s --allow-command",
	        sweep->directory, why, sweep->directory);
}

/* Takes the lead of the sweep in a folder that has a manifest. */
static int lead(const struct sweep *sweep, const struct sweep_options *options, int *lock, struct error *error)
{
	return check_owner(sweep, options, error) ? error->code
	                                          : sweep_lock(sweep->directory, SWEEP_LOCK_LEADER, false, lock, error);
}

/* A new sweep, or the same command again. */
static int begin(struct sweep_options *options, struct sweep *sweep, int *lock, struct sweep_kind *kind,
                 struct error *error)
{
	struct sweep recorded = {0};
	char stamp[CLOCK_TEXT_SIZE], dated[sizeof("fpgauge-sweep-") + CLOCK_TEXT_SIZE];
	const char *path = options->output ? options->output : dated;
	int status = ask(options, sweep, error);

	clock_file_stamp(clock_time_of_day(), stamp);
	snprintf(dated, sizeof(dated), "fpgauge-sweep-%s", stamp);
	if (status)
		return status;
	if (!manifest_exists(path)) {
		status = sweep_check_points(sweep, options->slurm, kind, error);
		if (status == 0)
			status = make_folder(path, sweep, error);
		if (status == 0)
			status = sweep_lock(sweep->directory, SWEEP_LOCK_LEADER, false, lock, error);
		return status ? status : manifest_write(sweep, error);
	}
	status = manifest_read(path, &recorded, error);
	if (status == 0)
		status = manifest_check_same(&recorded, sweep, error);
	if (status == 0)
		status = lead(&recorded, options, lock, error);
	if (status == 0)
		status = sweep_check_points(&recorded, options->slurm, kind, error);
	sweep_free(sweep);
	*sweep = recorded;
	return status;
}

/* The file of --json is named from where the user is. */
static int go_to_plan(struct sweep_options *options, const struct sweep *sweep, char **json, struct error *error)
{
	char here[PATH_MAX];
	const char *path = options->outputs.json_path;

	if (path && path[0] != '/' && strcmp(path, "-") != 0) {
		if (!getcwd(here, sizeof(here)) || asprintf(json, "%s/%s", here, path) < 0)
			return error_set(error, ERROR_INTERNAL, "no working directory, or out of memory");
		options->outputs.json_path = *json;
	}
	if (chdir(sweep->working_directory))
		return error_set(error, ERROR_STORE, "%s: is where the plan of %s belongs, and cannot be entered: %s",
		                 sweep->working_directory, sweep->directory, strerror(errno));
	return 0;
}

static int go_on(struct sweep_options *options, struct sweep *sweep, int *lock, struct sweep_kind *kind, char **json,
                 struct error *error)
{
	int status = manifest_read(options->resume, sweep, error);

	if (status == 0)
		status = go_to_plan(options, sweep, json, error);
	if (status)
		return status;
	if (options->point)
		return options->point > sweep_points(sweep)
		               ? error_set(error, ERROR_PLAN, "--point %u: must be 1 to %zu, the runs of %s",
		                           options->point, sweep_points(sweep), sweep->directory)
		               : check_owner(sweep, options, error);
	status = lead(sweep, options, lock, error);
	return status ? status : sweep_check_points(sweep, options->slurm, kind, error);
}

static unsigned default_jobs(const struct sweep_kind *kind)
{
	return kind->all_simulated ? fork_processors() : 1;
}

/* Names the folder as run names its run file. */
static void say_folder(const struct sweep *sweep, const struct sweep_options *options)
{
	const bool silent =
	        options->outputs.quiet || (options->outputs.json_path && !strcmp(options->outputs.json_path, "-"));

	if (!silent || !(options->output || options->resume))
		fprintf(silent ? stderr : stdout, "Sweep: %zu runs in %s\n", sweep_points(sweep), sweep->directory);
	fflush(stdout);
}

/* Last, below the table, where users look for what to do next. */
static int say_how_to_go_on(const struct sweep *sweep, const struct error *why, const char *command)
{
	struct error error;
	char name[PATH_MAX];

	error_set(&error, why->code, "%s; to go on: fpgauge sweep --resume %s", why->text,
	          shell_word(sweep->directory, name, sizeof(name)));
	return exit_code_of(&error, command);
}

/* Everything after the checks. Returns the exit code. */
static int make_runs(const struct sweep *sweep, const struct sweep_options *options, const struct sweep_kind *kind,
                     const char *command)
{
	const unsigned jobs = options->jobs ? options->jobs : default_jobs(kind);
	struct error error = {0}, why = {0};
	json_t *report;
	int code, status;

	say_folder(sweep, options);
	status = options->slurm ? sweep_slurm(sweep, options, &error) : sweep_local(sweep, options, jobs, &error);
	if (status == 0 && options->slurm && !options->wait)
		return EXIT_VALID;
	report = sweep_report_make(sweep);
	if (!report)
		error_set(&why, ERROR_INTERNAL, "out of memory");
	code = !report || sweep_report_write(report, &options->outputs, &why) ? exit_code_of(&why, command)
	                                                                      : sweep_report_code(report);
	if (status == 0 && report && !sweep_report_is_done(report))
		status = error_set(&error, ERROR_DEVICE, "not all runs are done");
	json_decref(report);
	return status ? say_how_to_go_on(sweep, &error, command) : code;
}

static int run(int argc, char **argv)
{
	struct sweep_options options = {0};
	struct sweep sweep = {0};
	struct sweep_kind kind = {0};
	struct error error = {0};
	char *json = NULL;
	int lock = -1, status = 0, code;

	command_parse(&SWEEP_COMMAND, argc, argv, &options);
	if (options.outputs.json_path)
		status = report_json_check(options.outputs.json_path, &error);
	if (status == 0 && options.slurm)
		status = sweep_slurm_check(&error);
	if (status == 0)
		status = options.resume ? go_on(&options, &sweep, &lock, &kind, &json, &error)
		                        : begin(&options, &sweep, &lock, &kind, &error);
	if (status)
		code = exit_code_of(&error, argv[0]);
	else if (options.point)
		code = sweep_point_run(&sweep, &options, argv[0]);
	else
		code = make_runs(&sweep, &options, &kind, argv[0]);
	if (lock >= 0)
		close(lock);
	free(json);
	sweep_free(&sweep);
	sweep_options_free(&options);
	return code;
}

const struct command SWEEP_COMMAND = {
        .name = "sweep",
        .usage = "PLAN --vary PATH=VALUE,... [--vary ...]... [-o DIR] [--jobs N] [--slurm [--wait]] | --resume DIR",
        .summary = "Run a plan with each combination of the values of some settings",
        .doc = DOC,
        .arguments = "PLAN",
        .groups = {{SWEEP_OPTIONS, 0},
                   {PLAN_OPTIONS, offsetof(struct sweep_options, plan)},
                   {JSON_OPTION, offsetof(struct sweep_options, outputs.json_path)},
                   {QUIET_OPTION, offsetof(struct sweep_options, outputs.quiet)}},
        .argument = sweep_options_argument,
        .check = sweep_options_check,
        .run = run,
};
