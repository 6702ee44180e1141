/* SPDX-License-Identifier: Apache-2.0 */
/* A plan with the durations that host/forecast/fit_durations.h chooses. */
#ifndef FPGAUGE_CONSOLE_FIT_PLAN_H
#define FPGAUGE_CONSOLE_FIT_PLAN_H

#include <stddef.h>

#include "host/console/bring_up.h"

/* --rfc-durations, in struct plan_options. */
extern const struct option_row FIT_OPTIONS[];

/* Fits a setup whose device is open. The durations become settings like those of --set, which are recorded with a run:
 * resume and compare see what was used. Nothing changes with --rfc-durations. */
int fit_plan(struct plan_options *options, struct setup *setup, struct error *error);

/* "Chosen because the device is simulated: run[0].trial_duration=10ms ..."; empty: nothing was. Returns text. */
const char *fit_plan_text(const struct plan_options *options, char *text, size_t size);

#endif
