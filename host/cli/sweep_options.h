/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fpgauge sweep. */
#ifndef FPGAUGE_CLI_SWEEP_OPTIONS_H
#define FPGAUGE_CLI_SWEEP_OPTIONS_H

#include "host/cli/option_list.h"
#include "host/cli/options.h"

struct sweep_options {
	struct options run; /* plan_path, preset, device, overrides, json_path, allow_command, quiet */
	const char **vary;  /* axes of --vary, in order */
	size_t vary_count;
	const char *output;    /* folder of -o; NULL: a dated name */
	const char *resume;    /* folder of --resume; NULL: the plan is given */
	unsigned point;        /* number of --point; 0: all */
	unsigned jobs;         /* runs at a time; 0: the default */
	bool slurm, wait;      /* an array job; to its end */
	const char **to_slurm; /* options of --slurm-option, in order */
	size_t to_slurm_count;
};

/* Works as options_parse(). */
void sweep_options_parse(int argc, char **argv, const char *doc, struct sweep_options *options);
void sweep_options_free(struct sweep_options *options);

extern const struct option_list SWEEP_OPTIONS;

#endif
