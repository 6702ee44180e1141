/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments are parsed by argp: --help is made from the same table. */
#include "host/cli/options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/commands.h"
#include "host/cli/option_list.h"
#include "host/cli/option_values.h"
#include "host/cli/options_table.h"
#include "host/cli/plan_source.h"
#include "host/plan/presets/preset.h"
#include "host/trial/device/side_by_side.h"

struct parsing {
	enum option_user user;
	struct options *options;
	const char *preset; /* its name, "" if that stands where a plan would; NULL: none */
};

static const char *const ARGUMENTS[] = {
        [OPTIONS_RUN] = "PLAN",        [OPTIONS_CHECK] = "PLAN",       [OPTIONS_RESUME] = "DB",
        [OPTIONS_REPORT] = "DB",       [OPTIONS_COMPARE] = "BASE NEW", [OPTIONS_DEVICES] = NULL,
        [OPTIONS_SELFTEST] = "DEVICE", [OPTIONS_WATCH] = "DEVICE",     [OPTIONS_TREND] = "DIR|DB...",
};

static const char *const COMMANDS[] = {
        [OPTIONS_RUN] = "run",           [OPTIONS_CHECK] = "check",     [OPTIONS_RESUME] = "resume",
        [OPTIONS_REPORT] = "report",     [OPTIONS_COMPARE] = "compare", [OPTIONS_DEVICES] = "devices",
        [OPTIONS_SELFTEST] = "selftest", [OPTIONS_WATCH] = "watch",     [OPTIONS_TREND] = "trend",
};
enum { USER_COUNT = sizeof(COMMANDS) / sizeof(COMMANDS[0]) };

static void set_jobs(struct options *options, const char *argument, const struct argp_state *state)
{
	char *end;
	const unsigned long jobs = strtoul(argument, &end, 10);

	if (options->jobs)
		argp_error(state, "--jobs %s: must be given once", argument);
	if (*argument < '0' || *argument > '9' || *end || jobs < 1 || jobs > SIDE_BY_SIDE_MOST_JOBS)
		argp_error(state, "--jobs %s: must be 1 to %d", argument, SIDE_BY_SIDE_MOST_JOBS);
	options->jobs = (unsigned)jobs;
}

static void add_argument(const struct parsing *parsing, const char *argument, const struct argp_state *state)
{
	struct options *options = parsing->options;
	const char **place = &options->db_path;

	if (parsing->user == OPTIONS_RUN || parsing->user == OPTIONS_CHECK) {
		if (options->plan_path)
			argp_error(state, "%s: one plan at a time, %s is the first", argument, options->plan_path);
		options->plan_path = argument;
		return;
	}
	if (parsing->user == OPTIONS_TREND) {
		option_add(&options->trend_paths, &options->trend_path_count, argument, state);
		return;
	}
	if (parsing->user == OPTIONS_COMPARE)
		place = options->base_path ? &options->new_path : &options->base_path;
	if (parsing->user == OPTIONS_SELFTEST || parsing->user == OPTIONS_WATCH)
		place = &options->device;
	if (!ARGUMENTS[parsing->user])
		argp_error(state, "%s: takes no argument", argument);
	if (*place)
		argp_error(state, "%s: too many arguments; must be %s", argument, ARGUMENTS[parsing->user]);
	*place = argument;
}

/* --preset takes its name with = or as the next word, where a plan would be. */
static void check_plan(const struct parsing *parsing, const struct argp_state *state)
{
	struct options *options = parsing->options;
	const char *name = parsing->preset;

	if (!name && !options->plan_path)
		argp_error(state, "the PLAN is missing; or --preset NAME --device DEVICE");
	if (!name)
		return;
	if (*name && options->plan_path)
		argp_error(state, "%s: must not be given with --preset, which has its tests", options->plan_path);
	if (!*name && !options->plan_path) {
		plan_source_print_presets(stdout);
		exit(EXIT_VALID);
	}
	name = *name ? name : options->plan_path;
	options->plan_path = NULL;
	options->preset = preset_find(name);
	if (!options->preset)
		argp_error(state, "--preset %s: must be one of %s", name, PRESET_NAMES);
	if (!options->device)
		argp_error(state, "--preset %s: --device must be given: `fpgauge devices` lists them", name);
}

/* NEW is the one argument when there is a folder of baselines. */
static void check_compare(struct options *options, const struct argp_state *state)
{
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

static void check_arguments(const struct parsing *parsing, const struct argp_state *state)
{
	const struct options *options = parsing->options;
	if (parsing->user == OPTIONS_RUN || parsing->user == OPTIONS_CHECK)
		check_plan(parsing, state);
	if (parsing->user == OPTIONS_COMPARE)
		check_compare(parsing->options, state);
	if (parsing->user == OPTIONS_TREND && !options->trend_path_count)
		argp_error(state, "run files, or folders that have some, must be given");
	if (options->names && options->json_path)
		argp_error(state, "--names: cannot be combined with --json, which has the names");
	if (options->calibration_path && !options->external)
		argp_error(state, "--calibration: what is kept is measured with --external");
	if ((parsing->user == OPTIONS_SELFTEST || parsing->user == OPTIONS_WATCH) && !options->device)
		argp_error(state, "the DEVICE is missing: `fpgauge devices` lists them");
	if ((parsing->user == OPTIONS_RESUME || parsing->user == OPTIONS_REPORT) && !options->db_path)
		argp_error(state, "the DB is missing: the file that `fpgauge run` made");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct options *options = parsing->options;

	switch (key) {
	case 's':
		option_add(&options->overrides, &options->override_count, argument, state);
		return 0;
	case 'j':
		option_set_once(&options->json_path, "json", argument, state);
		return 0;
	case 't':
		if (options->trial_log_path)
			argp_error(state, "--trial-log: must be given once");
		options->trial_log_path = argument ? argument : "-";
		return 0;
	case KEY_OLD_TRACE:
		argp_error(state, "--trace: is called --trial-log now");
		return EINVAL;
	case 'q':
		options->quiet = true;
		return 0;
	case KEY_DB:
		option_set_once(&options->db_path, "db", argument, state);
		return 0;
	case KEY_PRESET:
		option_set_once(&parsing->preset, "preset", argument ? argument : "", state);
		return 0;
	case KEY_DEVICE:
		option_set_once(&options->device, "device", argument, state);
		return 0;
	case KEY_CSV:
		option_set_once(&options->csv_path, "csv", argument, state);
		return 0;
	case KEY_JUNIT:
		option_set_once(&options->junit_path, "junit", argument, state);
		return 0;
	case KEY_HTML:
		option_set_once(&options->html_path, "html", argument, state);
		return 0;
	case KEY_PDF:
		option_set_once(&options->pdf_path, "pdf", argument, state);
		return 0;
	case KEY_EVENTS:
		option_set_once(&options->events_path, "events", argument, state);
		return 0;
	case KEY_BASELINE_DIR:
		option_set_once(&options->baseline_dir, "baseline-dir", argument, state);
		return 0;
	case KEY_ACCEPT:
		options->accept = true;
		return 0;
	case KEY_ACCEPT_BECAUSE:
		option_set_once(&options->accept_reason, "accept-because", argument, state);
		return 0;
	case KEY_MARKDOWN:
		option_set_once(&options->markdown_path, "markdown", argument, state);
		return 0;
	case KEY_TOLERANCE:
		option_set_once(&options->tolerance, "tolerance", argument, state);
		return 0;
	case KEY_EXTERNAL:
		options->external = true;
		return 0;
	case KEY_CALIBRATION:
		option_set_once(&options->calibration_path, "calibration", argument, state);
		return 0;
	case KEY_INTERVAL:
		option_set_once(&options->interval, "interval", argument, state);
		return 0;
	case KEY_COUNT:
		option_set_once(&options->count, "count", argument, state);
		return 0;
	case KEY_JOBS:
		set_jobs(options, argument, state);
		return 0;
	case KEY_RFC_DURATIONS:
		options->rfc_durations = true;
		return 0;
	case KEY_DURATION:
		option_set_once(&options->duration, "duration", argument, state);
		return 0;
	case KEY_NAMES:
		options->names = true;
		return 0;
	case KEY_FAIL_ON_STEP:
		options->fail_on_step = true;
		return 0;
	case KEY_RECORDED_PLAN:
		options->recorded_plan = true;
		return 0;
	case KEY_ALLOW_COMMAND:
		options->allow_command = true;
		return 0;
	case ARGP_KEY_ARG:
		add_argument(parsing, argument, state);
		return 0;
	case ARGP_KEY_END:
		check_arguments(parsing, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Lists the options of a command, and after them one without a name. */
static void list_options(enum option_user user, struct argp_option list[OPTION_TABLE_MOST + 1])
{
	size_t count = 0;

	for (size_t i = 0; i < OPTION_TABLE_COUNT; i++) {
		if (OPTION_TABLE[i].users & 1u << user)
			list[count++] = OPTION_TABLE[i].option;
	}
	list[count] = (struct argp_option){0};
}

void options_parse(int argc, char **argv, enum option_user user, const char *doc, struct options *options)
{
	struct argp_option list[OPTION_TABLE_MOST + 1];
	struct parsing parsing = {user, options, NULL};
	const struct argp argp = {.options = list, .parser = parse, .args_doc = ARGUMENTS[user], .doc = doc};

	list_options(user, list);
	*options = (struct options){0};
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}

bool options_print(FILE *out, const char *command)
{
	for (int user = 0; user < USER_COUNT; user++) {
		struct argp_option list[OPTION_TABLE_MOST + 1];

		if (strcmp(COMMANDS[user], command) != 0)
			continue;
		list_options((enum option_user)user, list);
		option_list_print(out, &(struct option_list){command, ARGUMENTS[user], list});
		return true;
	}
	return false;
}

void options_print_reports(FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < OPTION_TABLE_COUNT; i++) {
		const struct argp_option *option = &OPTION_TABLE[i].option;

		if (!(OPTION_TABLE[i].users & 1u << OPTIONS_REPORT) || !option->arg)
			continue;
		fprintf(out, "%s--%s %s", comma, option->name, option->arg);
		comma = ", ";
	}
}

void options_free(struct options *options)
{
	free(options->overrides);
	free(options->trend_paths);
	fitted_free(&options->fitted);
	free(options->device_settings[0]);
	free(options->device_settings[1]);
}
