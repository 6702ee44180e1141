/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/options.h"

#include <argp.h>
#include <stdlib.h>

#include "host/commands/sweep/points.h"
#include "host/console/option_values.h"
#include "host/plan/presets/preset.h"

enum {
	KEY_VARY = 256,
	KEY_PRESET,
	KEY_DEVICE,
	KEY_RESUME,
	KEY_POINT,
	KEY_JOBS,
	KEY_SLURM,
	KEY_SLURM_OPTION,
	KEY_WAIT,
	KEY_ALLOW_COMMAND,
};
enum { MOST_JOBS = 256 };

#define ARGUMENTS "PLAN"

static const struct argp_option OPTIONS[] = {
        {"vary", KEY_VARY, "PATH=VALUE,...", 0,
         "A setting of the plan and the values that it takes in turn: dut.buffer_frames=64,256 or "
         "run[0].frame_sizes=[64],[1518]; repeatable: every value with every other",
         0},
        {"output", 'o', "DIR", 0,
         "Folder for the run files, new or that of the same sweep; default: fpgauge-sweep-DATE-TIME", 0},
        {"resume", KEY_RESUME, "DIR", 0, "In place of PLAN: go on with the sweep in this folder", 0},
        {"set", 's', "PATH=VALUE", 0, "Change a setting of the plan in all runs, as in run; repeatable", 0},
        {"preset", KEY_PRESET, PRESET_NAMES, 0, "In place of PLAN: the tests of this preset, on the device of --device",
         0},
        {"device", KEY_DEVICE, "DEVICE", 0, "Use this device in place of the plan's: twin, sim:rtl, pci:0000:3b:00.0",
         0},
        {"jobs", KEY_JOBS, "N", 0,
         "Runs at a time; default: as many as there are processors for simulations, otherwise one; with --slurm, as "
         "many as Slurm starts",
         0},
        {"slurm", KEY_SLURM, NULL, 0, "Run as an array job of Slurm; the folder must be there on its nodes", 0},
        {"slurm-option", KEY_SLURM_OPTION, "OPTION", 0, "Pass an option to sbatch: --partition=lab; repeatable", 0},
        {"wait", KEY_WAIT, NULL, 0, "With --slurm, wait for all runs, submit again those that were lost, and report",
         0},
        {"point", KEY_POINT, "N", 0, "With --resume, only run number N; for schedulers other than Slurm", 0},
        {"allow-command", KEY_ALLOW_COMMAND, NULL, 0,
         "With --resume, go on even if the sweep belongs to another user or was moved to another folder; its plan may "
         "start commands",
         0},
        {"json", 'j', "FILE", 0, "Write the table as JSON to FILE; - writes it to standard output", 0},
        {"quiet", 'q', NULL, 0, "Print neither table nor progress; errors are still printed", 0},
        {0},
};

struct parsing {
	struct sweep_options *options;
	const char *preset;
};

static void set_number(unsigned *value, const char *name, const char *argument, unsigned most,
                       const struct argp_state *state)
{
	char *end;
	const unsigned long number = strtoul(argument, &end, 10);

	if (*argument < '0' || *argument > '9' || *end || number < 1 || number > most)
		argp_error(state, "%s %s: must be 1 to %u", name, argument, most);
	if (*value)
		argp_error(state, "%s %s: must be given once", name, argument);
	*value = (unsigned)number;
}

static void check_resume(const struct sweep_options *options, const struct argp_state *state)
{
	if (options->run.plan_path || options->run.preset || options->run.device || options->run.override_count ||
	    options->vary_count || options->output)
		argp_error(state, "--resume %s: has plan, settings and folder, so nothing of these must be given",
		           options->resume);
	if (options->point && options->slurm)
		argp_error(state, "--point: must not be given with --slurm");
}

static void check_new(const struct sweep_options *options, const struct argp_state *state)
{
	if (options->point)
		argp_error(state, "--point: must be given with --resume DIR");
	if (options->run.allow_command)
		argp_error(state, "--allow-command: must be given with --resume DIR");
	if (!options->run.plan_path && !options->run.preset)
		argp_error(state, "the PLAN is missing; or --preset NAME --device DEVICE, or --resume DIR");
	if (options->run.plan_path && options->run.preset)
		argp_error(state, "%s: must not be given with --preset, which has its tests", options->run.plan_path);
	if (options->run.preset && !options->run.device)
		argp_error(state, "--preset: --device must be given: `fpgauge devices` lists them");
	if (!options->vary_count)
		argp_error(state, "--vary must be given, such as --vary dut.buffer_frames=64,256");
}

static void check(struct parsing *parsing, const struct argp_state *state)
{
	struct sweep_options *options = parsing->options;

	if (parsing->preset && !(options->run.preset = preset_find(parsing->preset)))
		argp_error(state, "--preset %s: must be one of %s", parsing->preset, PRESET_NAMES);
	if (options->resume)
		check_resume(options, state);
	else
		check_new(options, state);
	if (!options->slurm && (options->wait || options->to_slurm_count))
		argp_error(state, "%s: must be given with --slurm", options->wait ? "--wait" : "--slurm-option");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct sweep_options *options = parsing->options;

	switch (key) {
	case KEY_VARY:
		option_add(&options->vary, &options->vary_count, argument, state);
		return 0;
	case 's':
		option_add(&options->run.overrides, &options->run.override_count, argument, state);
		return 0;
	case KEY_SLURM_OPTION:
		option_add(&options->to_slurm, &options->to_slurm_count, argument, state);
		return 0;
	case 'o':
		option_set_once(&options->output, "output", argument, state);
		return 0;
	case 'j':
		option_set_once(&options->run.json_path, "json", argument, state);
		return 0;
	case KEY_RESUME:
		option_set_once(&options->resume, "resume", argument, state);
		return 0;
	case KEY_PRESET:
		option_set_once(&parsing->preset, "preset", argument, state);
		return 0;
	case KEY_DEVICE:
		option_set_once(&options->run.device, "device", argument, state);
		return 0;
	case KEY_POINT:
		set_number(&options->point, "--point", argument, SWEEP_MAX_POINTS, state);
		return 0;
	case KEY_JOBS:
		set_number(&options->jobs, "--jobs", argument, MOST_JOBS, state);
		return 0;
	case KEY_SLURM:
		options->slurm = true;
		return 0;
	case KEY_WAIT:
		options->wait = true;
		return 0;
	case KEY_ALLOW_COMMAND:
		options->run.allow_command = true;
		return 0;
	case 'q':
		options->run.quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->run.plan_path)
			argp_error(state, "%s: one plan at a time, %s is the first", argument, options->run.plan_path);
		options->run.plan_path = argument;
		return 0;
	case ARGP_KEY_END:
		check(parsing, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void sweep_options_parse(int argc, char **argv, const char *doc, struct sweep_options *options)
{
	const struct argp argp = {.options = OPTIONS, .parser = parse, .args_doc = ARGUMENTS, .doc = doc};
	struct parsing parsing = {options, NULL};

	*options = (struct sweep_options){0};
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}

void sweep_options_free(struct sweep_options *options)
{
	options_free(&options->run);
	free(options->vary);
	free(options->to_slurm);
}

const struct option_list SWEEP_OPTIONS = {"sweep", ARGUMENTS, OPTIONS};
