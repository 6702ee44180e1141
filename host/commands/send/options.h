/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fpgauge send. */
#ifndef FPGAUGE_COMMANDS_SEND_OPTIONS_H
#define FPGAUGE_COMMANDS_SEND_OPTIONS_H

#include "host/console/option_list.h"
#include "host/console/options.h"

/* As written; NULL: not given. */
struct send_options {
	struct options common; /* device, overrides, json_path, interval */
	const char *load, *size, *duration, *frames, *pattern, *direction, *ports, *drain;
};

/* As options_parse(). */
void send_options_parse(int argc, char **argv, const char *doc, struct send_options *options);
void send_options_free(struct send_options *options);

extern const struct option_list SEND_OPTIONS;

#endif
