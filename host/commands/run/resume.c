/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge resume: continues a run that died or was stopped. The plan is the one in the run file; the benchmarks run
 * again from the beginning, and trials that were already made are answered from the file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/commands/commands.h"
#include "host/commands/run/describe.h"
#include "host/commands/run/permit.h"
#include "host/commands/run/recorder.h"
#include "host/commands/run/session.h"
#include "host/console/bring_up.h"
#include "host/console/exit_code.h"
#include "host/console/interrupt.h"
#include "host/console/outputs.h"
#include "host/console/run_file.h"
#include "host/plan/source.h"

static const char *begun(const struct store_run *run)
{
	return run->started ? run->started : "?";
}

/* The first line in which two texts differ. */
static unsigned first_difference(const char *a, const char *b)
{
	unsigned line = 1;

	for (; *a && *a == *b; a++, b++)
		line += *a == '\n';
	return line;
}

/* The text of a file, NULL when it no longer exists (then the recorded one is all that is left). */
static char *text_of_file(const char *path)
{
	struct stat status;
	FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
	char *text = file ? malloc(SOURCE_MAX_OCTETS + 2) : NULL;
	size_t length = text ? fread(text, 1, SOURCE_MAX_OCTETS + 1, file) : 0;

	if (text)
		text[length] = 0;
	if (file)
		fclose(file);
	return text;
}

/* A changed plan is refused, because whoever changed it expects the change to count; it cannot, in the middle of a
 * run. */
static int check_plan(const struct store *store, struct error *error)
{
	const struct store_run *run = store_run(store);
	int result = 0;

	for (size_t i = 0; i < run->file_count && !result; i++) {
		const struct store_plan_file *file = &run->files[i];
		char *text = *file->absolute_path ? text_of_file(file->absolute_path) : NULL;

		if (text && strcmp(text, file->text) != 0)
			result =
			        error_set(error, ERROR_STORE,
			                  "%s: holds a run of %s as it was on %s; %s:%u is another plan by now: put it "
			                  "back, or say --recorded-plan",
			                  store_path(store), run->plan_path, begun(run), file->absolute_path,
			                  first_difference(text, file->text));
		free(text);
	}
	return result;
}

/* The plan as it was read when the run began. */
static int read_plan(const struct store *store, struct plan **plan, struct error *error)
{
	const struct store_run *run = store_run(store);
	struct plan_file *files = calloc(run->file_count + 1, sizeof(*files));
	int result;

	if (!files)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < run->file_count; i++)
		files[i] = (struct plan_file){(char *)(uintptr_t)run->files[i].path,
		                              (char *)(uintptr_t)run->files[i].absolute_path,
		                              (char *)(uintptr_t)run->files[i].text};
	result = plan_read_recorded(files, run->file_count, &BENCHMARK_KEYS, run->overrides, run->override_count, plan,
	                            error);
	free(files);
	return result;
}

static int resume_on(struct store *store, const struct setup *setup, const struct session_options *options,
                     const char *command)
{
	struct streams streams = {0};
	struct error error = {0};
	int result = describe_check_same(store, setup, &error);

	if (!result)
		result = streams_open(&streams, options, setup->plan, &error);
	if (result)
		return exit_code_of(&error, command);
	outputs_say(&options->outputs, "Run file: %s, with %llu trials so far\n", store_path(store),
	            (unsigned long long)store_trial_count(store));
	result = recorder_run(store, setup, options, &streams, "resume", &error);
	return recorder_finish(result, store, options, command, &error);
}

/* Recorded trials had it subtracted, so those to come will have it, too, whatever the calibration file says by now. */
static int calibrate(const struct store *store, struct setup *setup, struct error *error)
{
	const char *text = store_run(store)->calibration;
	json_t *record = text ? json_loads(text, 0, NULL) : NULL;

	if (text && !record)
		return error_set(error, ERROR_STORE, "%s: its calibration is not JSON", store_path(store));
	return bring_up_calibration(setup, record, error);
}

static int resume(struct store *store, const struct session_options *options, const char *command)
{
	struct setup setup = {0};
	struct error error = {0};
	int result;

	if (store_complete(store))
		return recorder_finish(0, store, options, command, &error);
	result = options->recorded_plan ? 0 : check_plan(store, &error);
	if (!result)
		result = read_plan(store, &setup.plan, &error);
	if (!result)
		result = permit_resume(store, setup.plan, options, &error);
	if (!result)
		result = bring_up_plan(&setup, interrupt_watch(), &error);
	if (!result)
		result = calibrate(store, &setup, &error);
	if (!result)
		result = bring_up_side_by_side(options->jobs, interrupt_watch(), &setup, &error);
	result = result ? exit_code_of(&error, command) : resume_on(store, &setup, options, command);
	tear_down(&setup);
	return result;
}

int session_resume(const struct session_options *options, const char *command)
{
	struct store *store = NULL;
	struct error error = {0};
	int result = outputs_check(&options->outputs, &error);

	if (!result)
		result = run_file_open(options->db_path, STORE_RESUME, &store, &error);
	result = result ? exit_code_of(&error, command) : resume(store, options, command);
	store_close(store);
	return result;
}

static const struct option_row OWN_OPTIONS[] = {
        {"recorded-plan", 0, NULL, "Take the plan from the run file even if the plan on disk has changed since",
         OPTION_FLAG, .place = offsetof(struct session_options, recorded_plan)},
        {"allow-command", 0, NULL,
         "Start the command in the run file's plan, load its library and write its files, even if the run file belongs "
         "to "
         "another user, was moved to another folder, or is a copy",
         OPTION_FLAG, .place = offsetof(struct session_options, allow_command)},
        {0},
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	argument_set(&((struct session_options *)options)->db_path, argument, "DB", state);
}

static void check(void *options, const struct argp_state *state)
{
	if (!((struct session_options *)options)->db_path)
		argp_error(state, "the DB is missing: the file that `fpgauge run` made");
}

static int resume_run(int argc, char **argv)
{
	struct session_options options = {0};

	command_parse(&RESUME_COMMAND, argc, argv, &options);
	return session_resume(&options, argv[0]);
}

const struct command RESUME_COMMAND = {
        .name = "resume",
        .usage = "DB [--recorded-plan] [--allow-command] [REPORT]... [--events FILE] [--trial-log[=FILE]] [--quiet]",
        .summary = "Continue a run that died or was stopped",
        .doc = "Continues the run in a run file after Ctrl-C, a crash or a power cut, and prints the report.\v"
               "Trials already in the file are not repeated. The plan is the one in the file; if the plan on disk or "
               "the "
               "device has "
               "changed since, nothing is done. If the run is complete, its report is printed. If the device of the "
               "plan is "
               "an "
               "external program (backend \"exec\"), the command in the run file is started. For a file that belongs "
               "to "
               "another user, "
               "was moved to another folder, or is a copy, this needs --allow-command (the error message shows the "
               "command).",
        .arguments = "DB",
        .groups = {{OWN_OPTIONS, 0},
                   {JSON_OPTION, offsetof(struct session_options, outputs.json_path)},
                   {OUTPUT_OPTIONS, offsetof(struct session_options, outputs)},
                   {SESSION_OPTIONS, 0},
                   {QUIET_OPTION, offsetof(struct session_options, outputs.quiet)}},
        .argument = take_argument,
        .check = check,
        .run = resume_run,
};
