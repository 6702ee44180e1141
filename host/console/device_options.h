/* SPDX-License-Identifier: Apache-2.0 */
/* A device on the command line: its name, and settings for it. */
#ifndef FPGAUGE_CONSOLE_DEVICE_OPTIONS_H
#define FPGAUGE_CONSOLE_DEVICE_OPTIONS_H

#include "host/base/error.h"
#include "host/console/command.h"

struct device_options {
	const char *device;         /* "sim:rtl"; NULL: that of the plan */
	struct text_list overrides; /* --set, in order */
	char *settings[2];          /* settings that device_options_take() made */
};

/* --set of a command that takes a DEVICE. */
extern const struct option_row DEVICE_SETTING_OPTION[];

void device_options_check(const struct device_options *options, const struct argp_state *state);
void device_options_free(struct device_options *options);

/* Puts the device in front of the settings of --set, in whose form it is recorded and resumed. Without one, nothing. 0,
 * or ERROR_PLAN when there is no such device. */
int device_options_take(struct device_options *options, struct error *error);

#endif
