/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fpgauge sim-build, which shares none with the other commands. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_OPTIONS_H
#define FPGAUGE_COMMANDS_SIM_BUILD_OPTIONS_H

#include "host/commands/sim_build/library.h"
#include "host/console/option_list.h"

struct sim_build_options {
	struct sim_build_request request;
	const char **sources, **parameters;
};

/* As options_parse(). */
void sim_build_options_parse(int argc, char **argv, const char *doc, struct sim_build_options *options);
void sim_build_options_free(struct sim_build_options *options);

extern const struct option_list SIM_BUILD_OPTIONS;

#endif
