/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_COMMANDS_SWEEP_OPTIONS_H
#define FPGAUGE_COMMANDS_SWEEP_OPTIONS_H

#include "host/console/outputs.h"
#include "host/console/plan_source.h"

struct sweep_options {
	struct plan_options plan;
	struct output_options outputs; /* json_path, quiet */
	struct text_list vary;         /* --vary, in order */
	struct text_list to_slurm;     /* --slurm-option, in order */
	const char *output;            /* -o; NULL: a dated name */
	const char *resume;            /* --resume; NULL: the plan is given */
	unsigned point;                /* --point; 0: all */
	unsigned jobs;                 /* runs at a time; 0: the default */
	bool slurm, wait;              /* an array job; to its end */
	bool allow_command;
};

extern const struct option_row SWEEP_OPTIONS[];

void sweep_options_argument(void *options, const char *argument, const struct argp_state *state);
void sweep_options_check(void *options, const struct argp_state *state);
void sweep_options_free(struct sweep_options *options);

#endif
