/* SPDX-License-Identifier: Apache-2.0 */
/* The plan on the command line: a file or a preset, on the device of --device, with the settings of --set. */
#ifndef FPGAUGE_CONSOLE_PLAN_SOURCE_H
#define FPGAUGE_CONSOLE_PLAN_SOURCE_H

#include <stdio.h>

#include "host/console/device_options.h"
#include "host/forecast/fit_durations.h"
#include "host/plan/plan.h"

struct plan_options {
	const char *path;              /* NULL with a preset */
	const char *preset_name;       /* the name as written; "": --preset alone */
	const struct preset *preset;   /* NULL with a plan file */
	const struct plan_file *files; /* a plan that was read before, in place of both; else NULL */
	size_t file_count;
	struct device_options device; /* replaces the plan's */
	bool rfc_durations;           /* also of simulations */
	struct fitted fitted;         /* settings that fit_plan() added to those of --set */
};

/* --set, --preset and --device. */
extern const struct option_row PLAN_OPTIONS[];

void plan_options_argument(struct plan_options *options, const char *argument, const struct argp_state *state);

/* Finds the preset. Prints the list of them and exits if --preset stands alone. */
void plan_options_check(struct plan_options *options, const struct argp_state *state);

void plan_options_free(struct plan_options *options);

/* plan_read() of the plan that the options name, with these settings in place of theirs. */
int plan_source_read(const struct plan_options *options, const char *const *overrides, size_t override_count,
                     struct plan **plan, struct error *error);

/* Name of the plan in messages. */
const char *plan_source_name(const struct plan_options *options);

#endif
