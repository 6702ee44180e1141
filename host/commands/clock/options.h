/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_COMMANDS_CLOCK_OPTIONS_H
#define FPGAUGE_COMMANDS_CLOCK_OPTIONS_H

#include <stdbool.h>

#include "host/base/error.h"
#include "host/console/device_options.h"

enum { CLOCK_DEVICES = 2 };

struct clock_options {
	struct device_options of[CLOCK_DEVICES];
	unsigned ports[CLOCK_DEVICES], through[CLOCK_DEVICES];
	unsigned through_octets; /* 0: no frames through a device under test */
	const char *duration, *asymmetry, *wander, *json_path, *through_ports,
	        *size; /* options as written; NULL: not given */
	bool quiet;
};

extern const struct option_row CLOCK_OPTIONS[];

void clock_options_argument(void *options, const char *argument, const struct argp_state *state);
void clock_options_check(void *options, const struct argp_state *state);
void clock_options_free(struct clock_options *options);

/* Turns the text of a time into nanoseconds; NULL: fallback_ns. ERROR_PLAN if it is none, or not within the limits. */
int clock_options_time(const char *name, const char *text, double fallback_ns, double least_ns, double most_ns,
                       double *ns, struct error *error);

#endif
