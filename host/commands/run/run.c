/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge run: plan, device, run file, trials, report. Whatever ends the run, what was measured before is in the file
 * and is reported. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/commands/commands.h"
#include "host/commands/run/describe.h"
#include "host/commands/run/recorder.h"
#include "host/commands/run/session.h"
#include "host/console/bring_up.h"
#include "host/console/exit_code.h"
#include "host/console/fit_plan.h"
#include "host/console/interrupt.h"
#include "host/console/outputs.h"
#include "host/console/plan_source.h"
#include "host/report/sql_views.h"
#include "host/trial/device/side_by_side.h"

/* "fpgauge-20261121-094500.db", local time, as a person would name it; with a number appended if it is taken. */
static char *dated_name(void)
{
	char stamp[CLOCK_TEXT_SIZE], *name;

	clock_file_stamp(clock_time_of_day(), stamp);
	for (unsigned i = 1;; i++) {
		int length = i == 1 ? asprintf(&name, "fpgauge-%s.db", stamp)
		                    : asprintf(&name, "fpgauge-%s-%u.db", stamp, i);

		if (length < 0)
			return NULL;
		if (access(name, F_OK) && errno == ENOENT)
			return name;
		free(name);
	}
}

static struct store_plan_file *plan_files(const struct plan *plan)
{
	struct store_plan_file *files = calloc(plan->file_count + 1, sizeof(*files));

	for (size_t i = 0; files && i < plan->file_count; i++)
		files[i] = (struct store_plan_file){plan->files[i].path, plan->files[i].absolute, plan->files[i].text};
	return files;
}

/* The requirements of all tests, each with the number of its test. */
static struct store_requirement *plan_requirements(const struct plan *plan, size_t *count)
{
	struct store_requirement *list = NULL;

	*count = 0;
	for (size_t i = 0; i < plan->test_count; i++)
		*count += plan->tests[i].requirement_count;
	list = calloc(*count + 1, sizeof(*list));
	for (size_t i = 0, at = 0; list && i < plan->test_count; i++) {
		for (size_t j = 0; j < plan->tests[i].requirement_count; j++) {
			const struct plan_requirement *requirement = &plan->tests[i].requirements[j];

			list[at++] = (struct store_requirement){.test_number = (unsigned)i + 1,
			                                        .frame_octets = requirement->frame_octets,
			                                        .key = requirement->key,
			                                        .at_least = requirement->at_least,
			                                        .limit = requirement->limit};
		}
	}
	return list;
}

/* Lists what the plan says about the run; and what is not in it. */
static struct store_info *plan_infos(const struct plan *plan, size_t *count)
{
	struct store_info *list, one;
	size_t most = 0;

	*count = 0;
	while (plan_info_at(plan, most, &one.key, &one.text))
		most++;
	list = calloc(most + 1, sizeof(*list));
	for (size_t i = 0; list && plan_info_at(plan, i, &one.key, &one.text); i++)
		if (one.text)
			list[(*count)++] = one;
	if (list && plan->left_out)
		list[(*count)++] = (struct store_info){"left_out", plan->left_out};
	return list;
}

static int create_store(const struct session_options *options, const struct setup *setup, struct store **store,
                        struct error *error)
{
	const struct plan *plan = setup->plan;
	size_t requirement_count, info_count;
	struct store_requirement *requirements = plan_requirements(plan, &requirement_count);
	struct store_plan_file *files = plan_files(plan);
	struct store_info *info = plan_infos(plan, &info_count);
	char *dated = options->db_path ? NULL : dated_name();
	char *description = describe_tester(setup), *views = sql_views();
	char *calibration =
	        setup->calibration ? json_dumps(setup->calibration, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
	const char *path = options->db_path ? options->db_path : dated;
	struct store_run run = {.tool = "fpgauge " FPGAUGE_VERSION,
	                        .plan_path = plan->path,
	                        .overrides = options->plan.device.overrides.texts,
	                        .override_count = options->plan.device.overrides.count,
	                        .files = files,
	                        .file_count = plan->file_count,
	                        .requirements = requirements,
	                        .requirement_count = requirement_count,
	                        .info = info,
	                        .info_count = info_count,
	                        .tester = description,
	                        .calibration = calibration,
	                        .has_device = setup->device != NULL,
	                        .link_bps = setup->tester->info.link_bps};
	int result;

	if (setup->device)
		run.device = *device_identity(setup->device);
	*store = NULL;
	if (!requirements || !files || !info || !path || !description || !views || (setup->calibration && !calibration))
		result = error_set(error, ERROR_INTERNAL, "out of memory");
	else
		result = store_create(path, &run, views, store, error);
	free(requirements);
	free(files);
	free(info);
	free(dated);
	free(calibration);
	free(description);
	free(views);
	return result;
}

/* Hours before the report says so. */
static void say_what_to_expect(const struct setup *setup, const struct session_options *options)
{
	const struct plan *plan = setup->plan;

	if (plan->left_aside)
		outputs_say(&options->outputs, "Left aside for --device: %s.\n", plan->left_aside);
	if (plan->left_out)
		outputs_say(&options->outputs, "Left out: %s.\n", plan->left_out);
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct device_identity *device = setup->device ? device_identity(setup->device) : NULL;
		char loss[400], caution[BENCHMARK_CAUTION + 100];

		if (*benchmark_loss_text(&plan->tests[i], loss, sizeof(loss)))
			outputs_say(&options->outputs, "Test %zu %s.\n", i + 1, loss);
		if (device && *bring_up_caution(&plan->tests[i], device, caution, sizeof(caution)))
			outputs_say(&options->outputs, "Test %zu %s.\n", i + 1, caution);
	}
}

/* Trials and report. Returns the exit code: of a failure of the run, else of one of the report itself. */
static int run_plan(const struct setup *setup, const struct session_options *options, const char *command)
{
	struct streams streams = {0};
	struct store *store = NULL;
	struct error error = {0}, ignored = {0};
	char fitted[1000];
	int result;

	if (streams_open(&streams, options, setup->plan, &error))
		return exit_code_of(&error, command);
	if (create_store(options, setup, &store, &error)) {
		streams_close(&streams, &ignored);
		return exit_code_of(&error, command);
	}
	/* The file is named before the trials: after a crash, it is what users want to know. */
	outputs_say_run_file(&options->outputs, store_path(store), options->db_path != NULL);
	if (*fit_plan_text(&options->plan, fitted, sizeof(fitted)))
		outputs_say(&options->outputs, "%s\n", fitted);
	say_what_to_expect(setup, options);
	result = recorder_run(store, setup, options, &streams, "run", &error);
	result = recorder_finish(result, store, options, command, &error);
	store_close(store);
	return result;
}

int session_run(struct session_options *options, const char *command)
{
	struct setup setup = {0};
	struct error error = {0};
	int result = outputs_check(&options->outputs, &error);

	if (!result)
		result = device_options_take(&options->plan.device, &error);
	if (!result)
		result = bring_up(&options->plan, DEVICE_DRIVE, interrupt_watch(), &setup, &error);
	if (!result)
		result = fit_plan(&options->plan, &setup, &error);
	if (!result)
		result = bring_up_side_by_side(options->jobs, interrupt_watch(), &setup, &error);
	result = result ? exit_code_of(&error, command) : run_plan(&setup, options, command);
	tear_down(&setup);
	return result;
}

static const struct option_row OWN_OPTIONS[] = {
        {"db", 0, "FILE", "Run file to create; default: fpgauge-DATE-TIME.db in the working directory", OPTION_TEXT,
         .place = offsetof(struct session_options, db_path)},
        {0},
};

static void set_jobs(void *options, const char *value, const struct argp_state *state)
{
	option_set_number(&((struct session_options *)options)->jobs, "jobs", value, SIDE_BY_SIDE_MOST_JOBS, state);
}

const struct option_row SESSION_OPTIONS[] = {
        {"events", 0, "FILE",
         "Append events to FILE, one JSON object per line: every second, every trial, every result", OPTION_TEXT,
         .place = offsetof(struct session_options, events_path)},
        {"trial-log", 't', "FILE",
         "List every trial as it completes: load, duration, loss, class and bounds; to FILE, or to standard error",
         OPTION_TEXT, .place = offsetof(struct session_options, trial_log_path), .if_none = "-"},
        {"jobs", 0, "N",
         "Simulate up to N trials side by side, each in a process of its own, with the same results as one after the "
         "other; default: as many as there are processors, for trials that take long enough",
         OPTION_READ, .read = set_jobs},
        {0},
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	plan_options_argument(&((struct session_options *)options)->plan, argument, state);
}

static void check(void *options, const struct argp_state *state)
{
	plan_options_check(&((struct session_options *)options)->plan, state);
}

static int run(int argc, char **argv)
{
	struct session_options options = {0};
	int result;

	command_parse(&RUN_COMMAND, argc, argv, &options);
	result = session_run(&options, argv[0]);
	plan_options_free(&options.plan);
	return result;
}

const struct command RUN_COMMAND = {
        .name = "run",
        .usage = "PLAN [--db FILE] [--set PATH=VALUE]... [REPORT]... [--events FILE] [--trial-log[=FILE]] [--quiet]",
        .summary = "Run a plan and report",
        .doc = "Runs all tests of a plan and prints the report.\v"
               "Every trial is in the run file (--db) before the next one begins; however the run ends, "
               "`fpgauge resume` continues it, "
               "and `fpgauge report` recreates any report from the file. Results go to standard output or "
               "the named files, progress "
               "and errors to standard error. Ctrl-C ends the run and reports the results so far; a second "
               "one ends it at once.",
        .arguments = "PLAN",
        .groups = {{PLAN_OPTIONS, offsetof(struct session_options, plan)},
                   {FIT_OPTIONS, offsetof(struct session_options, plan)},
                   {OWN_OPTIONS, 0},
                   {JSON_OPTION, offsetof(struct session_options, outputs.json_path)},
                   {OUTPUT_OPTIONS, offsetof(struct session_options, outputs)},
                   {SESSION_OPTIONS, 0},
                   {QUIET_OPTION, offsetof(struct session_options, outputs.quiet)}},
        .argument = take_argument,
        .check = check,
        .run = run,
};
