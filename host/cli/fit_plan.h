/* SPDX-License-Identifier: Apache-2.0 */
/* A plan with the durations that host/forecast/fit_durations.h chooses. */
#ifndef FPGAUGE_CLI_FIT_PLAN_H
#define FPGAUGE_CLI_FIT_PLAN_H

#include <stddef.h>

#include "host/cli/bring_up.h"

/* Fits a setup whose device is open. The durations become settings like those of --set, which are recorded with a
 * run: resume and compare see what was used. Nothing changes with --rfc-durations. */
int fit_plan(struct options *options, struct setup *setup, struct error *error);

/* "Chosen because the device is simulated: run[0].trial_duration=10ms ..."; empty: nothing was. Returns text. */
const char *fit_plan_text(const struct options *options, char *text, size_t size);

#endif
