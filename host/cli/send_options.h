/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fpgauge send. */
#ifndef FPGAUGE_CLI_SEND_OPTIONS_H
#define FPGAUGE_CLI_SEND_OPTIONS_H

#include "host/cli/option_list.h"
#include "host/cli/options.h"

/* Options as written; NULL: not given. */
struct send_options {
	struct options common; /* device, overrides, json_path, interval */
	const char *load, *size, *duration, *frames, *pattern, *direction, *ports, *drain;
};

/* Works as options_parse(). */
void send_options_parse(int argc, char **argv, const char *doc, struct send_options *options);
void send_options_free(struct send_options *options);

extern const struct option_list SEND_OPTIONS;

#endif
