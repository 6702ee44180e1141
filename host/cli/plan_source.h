/* SPDX-License-Identifier: Apache-2.0 */
/* Where the plan of run and check comes from: a file or a preset, on the device of --device. */
#ifndef FPGAUGE_CLI_PLAN_SOURCE_H
#define FPGAUGE_CLI_PLAN_SOURCE_H

#include <stdio.h>

#include "host/cli/options.h"
#include "host/plan/plan.h"

/* Puts --device in front of the settings of --set, in whose form it is recorded and resumed. Without --device, nothing.
 * 0, or ERROR_PLAN when there is no such device. */
int plan_source_take_device(struct options *options, struct error *error);

/* plan_read() of the plan that the arguments name, with these settings in place of theirs. */
int plan_source_read(const struct options *options, const char *const *overrides, size_t override_count,
                     struct plan **plan, struct error *error);

/* Returns what the plan is called in messages. */
const char *plan_source_name(const struct options *options);

/* One line for each preset: name, and what it measures. */
void plan_source_print_presets(FILE *out);

#endif
