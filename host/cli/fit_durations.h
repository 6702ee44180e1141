/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of a simulated device that are as long as its buffer needs them, where the plan does not say how long they
 * are. */
#ifndef FPGAUGE_CLI_FIT_DURATIONS_H
#define FPGAUGE_CLI_FIT_DURATIONS_H

#include <stddef.h>

#include "host/cli/bring_up.h"

/* For a setup whose device is open. The durations become settings like those of --set, which are recorded with a run:
 * resume and compare see what was used. Nothing changes with --rfc-durations, for a device that is not simulated, or
 * one whose buffer is not known. */
int fit_durations(struct options *options, struct setup *setup, struct error *error);

/* "Chosen because the device is simulated: run[0].trial_duration=10ms ..."; empty: nothing was. Returns text. */
const char *fit_durations_text(const struct options *options, char *text, size_t size);

#endif
