/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/options.h"

#include <stdlib.h>

#include "host/commands/sweep/points.h"

enum { MOST_JOBS = 256 };

static void set_jobs(void *options, const char *value, const struct argp_state *state)
{
	option_set_number(&((struct sweep_options *)options)->jobs, "jobs", value, MOST_JOBS, state);
}

static void set_point(void *options, const char *value, const struct argp_state *state)
{
	option_set_number(&((struct sweep_options *)options)->point, "point", value, SWEEP_MAX_POINTS, state);
}

const struct option_row SWEEP_OPTIONS[] = {
        {"vary", 0, "PATH=VALUE,...",
         "A setting of the plan and the values that it takes in turn: dut.buffer_frames=64,256 or "
         "run[0].frame_sizes=[64],[1518]; repeatable: every value with every other",
         OPTION_LIST, .place = offsetof(struct sweep_options, vary)},
        {"output", 'o', "DIR",
         "Folder for the run files, new or that of the same sweep; default: fpgauge-sweep-DATE-TIME", OPTION_TEXT,
         .place = offsetof(struct sweep_options, output)},
        {"resume", 0, "DIR", "In place of PLAN: go on with the sweep in this folder", OPTION_TEXT,
         .place = offsetof(struct sweep_options, resume)},
        {"jobs", 0, "N",
         "Runs at a time; default: as many as there are processors for simulations, otherwise one; with --slurm, as "
         "many as Slurm starts",
         OPTION_READ, .read = set_jobs},
        {"slurm", 0, NULL, "Run as an array job of Slurm; the folder must be there on its nodes", OPTION_FLAG,
         .place = offsetof(struct sweep_options, slurm)},
        {"slurm-option", 0, "OPTION", "Pass an option to sbatch: --partition=lab; repeatable", OPTION_LIST,
         .place = offsetof(struct sweep_options, to_slurm)},
        {"wait", 0, NULL, "With --slurm, wait for all runs, submit again those that were lost, and report", OPTION_FLAG,
         .place = offsetof(struct sweep_options, wait)},
        {"point", 0, "N", "With --resume, only run number N; for schedulers other than Slurm", OPTION_READ,
         .read = set_point},
        {"allow-command", 0, NULL,
         "With --resume, go on even if the sweep belongs to another user or was moved to another folder; its plan may "
         "start commands",
         OPTION_FLAG, .place = offsetof(struct sweep_options, allow_command)},
        {0},
};

static void check_resume(const struct sweep_options *options, const struct argp_state *state)
{
	const struct plan_options *plan = &options->plan;

	if (plan->path || plan->preset_name || plan->device.device || plan->device.overrides.count ||
	    options->vary.count || options->output)
		argp_error(state, "--resume %s: has plan, settings and folder, so nothing of these must be given",
		           options->resume);
	if (options->point && options->slurm)
		argp_error(state, "--point: must not be given with --slurm");
}

static void check_new(struct sweep_options *options, const struct argp_state *state)
{
	if (options->point)
		argp_error(state, "--point: must be given with --resume DIR");
	if (options->allow_command)
		argp_error(state, "--allow-command: must be given with --resume DIR");
	plan_options_check(&options->plan, state);
	if (!options->vary.count)
		argp_error(state, "--vary must be given, such as --vary dut.buffer_frames=64,256");
}

void sweep_options_check(void *user, const struct argp_state *state)
{
	struct sweep_options *options = user;

	if (options->resume)
		check_resume(options, state);
	else
		check_new(options, state);
	if (!options->slurm && (options->wait || options->to_slurm.count))
		argp_error(state, "%s: must be given with --slurm", options->wait ? "--wait" : "--slurm-option");
}

void sweep_options_argument(void *options, const char *argument, const struct argp_state *state)
{
	plan_options_argument(&((struct sweep_options *)options)->plan, argument, state);
}

void sweep_options_free(struct sweep_options *options)
{
	plan_options_free(&options->plan);
	free(options->vary.texts);
	free(options->to_slurm.texts);
}
