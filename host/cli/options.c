/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments are parsed by argp: --help is made from the same table. */
#include "host/cli/options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/commands.h"
#include "host/cli/plan_source.h"
#include "host/preset/preset.h"
#include "host/trial/side_by_side.h"

enum {
	KEY_DB = 256,
	KEY_CSV,
	KEY_JUNIT,
	KEY_HTML,
	KEY_PDF,
	KEY_EVENTS,
	KEY_RECORDED_PLAN,
	KEY_ALLOW_COMMAND,
	KEY_TOLERANCE,
	KEY_BASELINE_DIR,
	KEY_MARKDOWN,
	KEY_EXTERNAL,
	KEY_DURATION,
	KEY_CALIBRATION,
	KEY_INTERVAL,
	KEY_COUNT,
	KEY_NAMES,
	KEY_OLD_TRACE,
	KEY_PRESET,
	KEY_DEVICE,
	KEY_JOBS,
	KEY_FAIL_ON_STEP,
	KEY_RFC_DURATIONS,
	KEY_REHEARSE,
	KEY_NO_REHEARSAL,
};

enum {
	RUN = 1 << OPTIONS_RUN,
	CHECK = 1 << OPTIONS_CHECK,
	RESUME = 1 << OPTIONS_RESUME,
	REPORT = 1 << OPTIONS_REPORT,
	COMPARE = 1 << OPTIONS_COMPARE,
	TREND = 1 << OPTIONS_TREND,
	DEVICES = 1 << OPTIONS_DEVICES,
	SELFTEST = 1 << OPTIONS_SELFTEST,
	WATCH = 1 << OPTIONS_WATCH,
};

static const struct {
	unsigned users;
	struct argp_option option;
} OPTIONS[] = {
        {RUN | CHECK,
         {"set", 's', "PATH=VALUE", 0,
          "Change a setting of the plan: dut.buffer_frames=64, run[1].repetitions=5; repeatable", 0}},
        {RUN | CHECK,
         {"preset", KEY_PRESET, PRESET_NAMES, OPTION_ARG_OPTIONAL,
          "In place of PLAN: the tests of this preset, on the device that --device names; without a name, lists all",
          0}},
        {RUN | CHECK,
         {"device", KEY_DEVICE, "DEVICE", 0, "Use this device in place of the plan's: twin, sim:rtl, pci:0000:3b:00.0",
          0}},
        {RUN | CHECK,
         {"rfc-durations", KEY_RFC_DURATIONS, NULL, 0,
          "Where the plan says nothing, trials of a simulated device are as long as the RFC wants them, not as long as "
          "its buffer needs them",
          0}},
        {CHECK,
         {"rehearse", KEY_REHEARSE, NULL, 0,
          "Have an external program make some short trials, to forecast how long the run takes; the device under test "
          "sees them. Simulations are rehearsed anyway",
          0}},
        {CHECK,
         {"no-rehearsal", KEY_NO_REHEARSAL, NULL, 0,
          "Forecast without running parts of the plan on a simulation of their own: sooner, and far less exact", 0}},
        {CHECK,
         {"json", 'j', "FILE", 0,
          "Write the forecast to FILE as JSON; - writes it to standard output in place of the text", 0}},
        {SELFTEST | WATCH,
         {"set", 's', "PATH=VALUE", 0,
          "A setting of the device, as in a plan: device.ports=2, dut.model=wire; repeatable", 0}},
        {SELFTEST,
         {"external", KEY_EXTERNAL, NULL, 0,
          "Test cables that connect a port to itself or two ports to each other, and measure their latency", 0}},
        {SELFTEST,
         {"calibration", KEY_CALIBRATION, "FILE", 0,
          "Save the latency of cables in FILE; default for a card: the file in which runs look for it", 0}},
        {SELFTEST,
         {"duration", KEY_DURATION, "TIME", 0, "Sending time at each frame size, \"200us\" by default; up to 60s", 0}},
        {RUN,
         {"db", KEY_DB, "FILE", 0, "Run file to create; default: fpgauge-DATE-TIME.db in the working directory", 0}},
        {RUN | RESUME | REPORT | COMPARE | TREND | DEVICES | SELFTEST | WATCH,
         {"json", 'j', "FILE", 0,
          "Write the results to FILE as JSON; - writes them to standard output in place of the table", 0}},
        {RUN | RESUME | REPORT,
         {"csv", KEY_CSV, "DIR", 0, "Write one CSV file per test, and of ports and flows, into DIR", 0}},
        {RUN | RESUME | REPORT,
         {"junit", KEY_JUNIT, "FILE", 0, "Write FILE as JUnit XML, one test case per result, for a CI server", 0}},
        {COMPARE,
         {"junit", KEY_JUNIT, "FILE", 0, "Write FILE as JUnit XML, one test case per value, for a CI server", 0}},
        {COMPARE,
         {"markdown", KEY_MARKDOWN, "FILE", 0,
          "Write FILE as a short Markdown text, for the comment on a merge request", 0}},
        {COMPARE,
         {"baseline-dir", KEY_BASELINE_DIR, "DIR", 0,
          "In place of BASE: the last good run of the same plan among the run files of DIR", 0}},
        {RUN | RESUME | REPORT | TREND,
         {"html", KEY_HTML, "FILE", 0, "Write FILE as one self-contained HTML page with charts; uses gnuplot", 0}},
        {RUN | RESUME | REPORT,
         {"pdf", KEY_PDF, "FILE", 0,
          "Write the same page as PDF, as Chromium or WeasyPrint prints it, whichever is installed", 0}},
        {RUN | RESUME,
         {"events", KEY_EVENTS, "FILE", 0,
          "Append events to FILE, one JSON object per line: every second, every trial, every result", 0}},
        {RUN | RESUME,
         {"trial-log", 't', "FILE", OPTION_ARG_OPTIONAL,
          "List every trial as it completes: load, duration, loss, class and bounds; to FILE, or to standard error",
          0}},
        {RUN | RESUME,
         {"jobs", KEY_JOBS, "N", 0,
          "Simulate up to N trials side by side, each in a process of its own, with the same results as one after the "
          "other; default: as many as there are processors, for trials that take long enough",
          0}},
        {CHECK,
         {"jobs", KEY_JOBS, "N", 0,
          "Forecast a run with up to N trials of a simulation side by side; default: as that of run", 0}},
        {RUN | RESUME, {"trace", KEY_OLD_TRACE, "FILE", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 0}},
        {RESUME,
         {"recorded-plan", KEY_RECORDED_PLAN, NULL, 0,
          "Take the plan from the run file even if the plan on disk has changed since", 0}},
        {RESUME,
         {"allow-command", KEY_ALLOW_COMMAND, NULL, 0,
          "Start the command in the run file's plan, load its library and write its files, even if the run file "
          "belongs to another user, was moved to another folder, or is a copy",
          0}},
        {WATCH, {"interval", KEY_INTERVAL, "TIME", 0, "Device time between two updates, \"1s\" by default", 0}},
        {WATCH, {"count", KEY_COUNT, "N", 0, "End after N updates; default: at Ctrl-C", 0}},
        {COMPARE,
         {"tolerance", KEY_TOLERANCE, "PERCENT", 0, "Accept a change for the worse of up to this, \"1%\" by default",
          0}},
        {TREND, {"tolerance", KEY_TOLERANCE, "PERCENT", 0, "Mark no step of up to this, \"1%\" by default", 0}},
        {TREND,
         {"fail-on-step", KEY_FAIL_ON_STEP, NULL, 0, "Exit with 1 if the newest step of any measure is for the worse",
          0}},
        {DEVICES, {"names", KEY_NAMES, NULL, 0, "Print only the names, one per line, without opening a device", 0}},
        {RUN | RESUME | REPORT | COMPARE | TREND | SELFTEST,
         {"quiet", 'q', NULL, 0,
          "Print neither table nor progress; errors are still printed, and the name of the run file if none was given",
          0}},
};
enum { OPTION_COUNT = sizeof(OPTIONS) / sizeof(OPTIONS[0]) };

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

static void add_text(const char ***list, size_t *count, const char *text, const struct argp_state *state)
{
	const char **grown = realloc(*list, (*count + 1) * sizeof(*grown));

	if (!grown)
		argp_failure(state, EXIT_DEVICE, 0, "out of memory");
	*list = grown;
	grown[(*count)++] = text;
}

static void set_once(const char **value, const char *name, const char *argument, const struct argp_state *state)
{
	if (*value)
		argp_error(state, "--%s %s: must be given once", name, argument);
	*value = argument;
}

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
		add_text(&options->trend_paths, &options->trend_path_count, argument, state);
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

/* With a folder of baselines, the one argument is NEW. */
static void check_compare(struct options *options, const struct argp_state *state)
{
	if (!options->baseline_dir && !options->new_path)
		argp_error(state, "two run files must be given, BASE and NEW; or NEW and --baseline-dir DIR");
	if (options->baseline_dir && (!options->base_path || options->new_path))
		argp_error(state, "with --baseline-dir, one run file must be given, NEW");
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
		add_text(&options->overrides, &options->override_count, argument, state);
		return 0;
	case 'j':
		set_once(&options->json_path, "json", argument, state);
		return 0;
	case KEY_REHEARSE:
	case KEY_NO_REHEARSAL:
		if (options->rehearse)
			argp_error(state, "--rehearse, --no-rehearsal: one of them, once");
		options->rehearse = key == KEY_REHEARSE ? REHEARSE_ALL : REHEARSE_NOTHING;
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
		set_once(&options->db_path, "db", argument, state);
		return 0;
	case KEY_PRESET:
		set_once(&parsing->preset, "preset", argument ? argument : "", state);
		return 0;
	case KEY_DEVICE:
		set_once(&options->device, "device", argument, state);
		return 0;
	case KEY_CSV:
		set_once(&options->csv_path, "csv", argument, state);
		return 0;
	case KEY_JUNIT:
		set_once(&options->junit_path, "junit", argument, state);
		return 0;
	case KEY_HTML:
		set_once(&options->html_path, "html", argument, state);
		return 0;
	case KEY_PDF:
		set_once(&options->pdf_path, "pdf", argument, state);
		return 0;
	case KEY_EVENTS:
		set_once(&options->events_path, "events", argument, state);
		return 0;
	case KEY_BASELINE_DIR:
		set_once(&options->baseline_dir, "baseline-dir", argument, state);
		return 0;
	case KEY_MARKDOWN:
		set_once(&options->markdown_path, "markdown", argument, state);
		return 0;
	case KEY_TOLERANCE:
		set_once(&options->tolerance, "tolerance", argument, state);
		return 0;
	case KEY_EXTERNAL:
		options->external = true;
		return 0;
	case KEY_CALIBRATION:
		set_once(&options->calibration_path, "calibration", argument, state);
		return 0;
	case KEY_INTERVAL:
		set_once(&options->interval, "interval", argument, state);
		return 0;
	case KEY_COUNT:
		set_once(&options->count, "count", argument, state);
		return 0;
	case KEY_JOBS:
		set_jobs(options, argument, state);
		return 0;
	case KEY_RFC_DURATIONS:
		options->rfc_durations = true;
		return 0;
	case KEY_DURATION:
		set_once(&options->duration, "duration", argument, state);
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

void options_parse(int argc, char **argv, enum option_user user, const char *doc, struct options *options)
{
	struct argp_option list[OPTION_COUNT + 1] = {0};
	struct parsing parsing = {user, options, NULL};
	const struct argp argp = {.options = list, .parser = parse, .args_doc = ARGUMENTS[user], .doc = doc};
	size_t count = 0;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (OPTIONS[i].users & 1u << user)
			list[count++] = OPTIONS[i].option;
	}
	*options = (struct options){0};
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}

static void print_form(FILE *out, const char *command, const char *form, const struct argp_option *option)
{
	fprintf(out, "%s %s", command, form);
	if (option->arg)
		fprintf(out, option->flags & OPTION_ARG_OPTIONAL ? " [=%s]" : " %s", option->arg);
	fputc('\n', out);
}

static void print_option(FILE *out, const char *command, const struct argp_option *option)
{
	char form[64];

	snprintf(form, sizeof(form), "--%s", option->name);
	print_form(out, command, form, option);
	snprintf(form, sizeof(form), "-%c", option->key);
	if (option->key < KEY_DB) /* the others have no letter */
		print_form(out, command, form, option);
}

/* "BASE NEW" on one line each. */
static void print_arguments(FILE *out, const char *command, const char *arguments)
{
	for (const char *rest = arguments; rest && *rest; rest += strspn(rest, " ")) {
		size_t length = strcspn(rest, " ");

		fprintf(out, "%s %.*s\n", command, (int)length, rest);
		rest += length;
	}
}

bool options_print(FILE *out, const char *command)
{
	static const char *const argp_has[] = {"--help", "--usage", "-?"};

	for (size_t user = 0; user < USER_COUNT; user++) {
		if (strcmp(COMMANDS[user], command) != 0)
			continue;
		print_arguments(out, command, ARGUMENTS[user]);
		for (size_t i = 0; i < OPTION_COUNT; i++)
			if (OPTIONS[i].users & 1u << user && !(OPTIONS[i].option.flags & OPTION_HIDDEN))
				print_option(out, command, &OPTIONS[i].option);
		for (size_t i = 0; i < sizeof(argp_has) / sizeof(argp_has[0]); i++)
			fprintf(out, "%s %s\n", command, argp_has[i]);
		return true;
	}
	return false;
}

void options_print_reports(FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct argp_option *option = &OPTIONS[i].option;

		if (!(OPTIONS[i].users & REPORT) || !option->arg)
			continue;
		fprintf(out, "%s--%s %s", comma, option->name, option->arg);
		comma = ", ";
	}
}

void options_free(struct options *options)
{
	free(options->overrides);
	free(options->trend_paths);
	for (size_t i = 0; i < options->fitted_count; i++)
		free(options->fitted[i]);
	free(options->fitted);
	free(options->device_settings[0]);
	free(options->device_settings[1]);
}
