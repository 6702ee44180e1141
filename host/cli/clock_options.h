/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fpgauge clock. */
#ifndef FPGAUGE_CLI_CLOCK_OPTIONS_H
#define FPGAUGE_CLI_CLOCK_OPTIONS_H

#include <stdbool.h>

#include "host/base/error.h"
#include "host/cli/option_list.h"
#include "host/cli/options.h"

enum { CLOCK_DEVICES = 2 };

struct clock_options {
	struct options of[CLOCK_DEVICES]; /* device, overrides */
	unsigned ports[CLOCK_DEVICES], through[CLOCK_DEVICES];
	unsigned through_octets; /* 0: no frames through a device under test */
	const char *duration, *asymmetry, *wander, *json_path, *through_ports,
	        *size; /* options as written; NULL: not given */
	bool quiet;
};

/* Works as options_parse(). */
void clock_options_parse(int argc, char **argv, const char *doc, struct clock_options *options);
void clock_options_free(struct clock_options *options);

/* Turns the text of a time into nanoseconds; NULL: fallback_ns. ERROR_PLAN if it is none, or not within the limits. */
int clock_options_time(const char *name, const char *text, double fallback_ns, double least_ns, double most_ns,
                       double *ns, struct error *error);

extern const struct option_list CLOCK_OPTIONS;

#endif
