/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of a simulated device that are as long as its buffer needs them, where the plan does not say how long they
 * are. */
#ifndef FPGAUGE_FORECAST_FIT_DURATIONS_H
#define FPGAUGE_FORECAST_FIT_DURATIONS_H

#include <stddef.h>

#include "host/forecast/setup.h"

/* Settings like those of --set. For each test: its duration, for what that was chosen, and why. */
struct fitted {
	char **settings;
	size_t count;
};

enum { FITTED_OF_A_TEST = 3 };

/* The device of the setup must be open. There are no settings for a device that is not simulated, or one whose buffer
 * is not known. On failure those that were made are in *fitted too. */
int fit_durations(const struct setup *setup, struct fitted *fitted, struct error *error);
void fitted_free(struct fitted *fitted);

#endif
