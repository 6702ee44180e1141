/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_COMMANDS_SEND_OPTIONS_H
#define FPGAUGE_COMMANDS_SEND_OPTIONS_H

#include "host/console/device_options.h"

/* Values are as written, and read where the plan of them is made (plan.c), with the limits of its keys; NULL: not
 * given. */
struct send_options {
	struct device_options device;
	const char *load, *size, *duration, *frames, *pattern, *direction, *ports, *drain, *interval, *json_path;
};

extern const struct option_row SEND_OPTIONS[];

void send_options_argument(void *options, const char *argument, const struct argp_state *state);
void send_options_check(void *options, const struct argp_state *state);

#endif
