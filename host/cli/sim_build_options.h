/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of fpgauge sim-build, which shares none with the other commands. */
#ifndef FPGAUGE_CLI_SIM_BUILD_OPTIONS_H
#define FPGAUGE_CLI_SIM_BUILD_OPTIONS_H

#include "host/cli/option_list.h"
#include "host/sim_build/sim_build.h"

struct sim_build_options {
	struct sim_build_request request;
	const char **sources, **parameters;
};

/* Works as options_parse(). */
void sim_build_options_parse(int argc, char **argv, const char *doc, struct sim_build_options *options);
void sim_build_options_free(struct sim_build_options *options);

extern const struct option_list SIM_BUILD_OPTIONS;

#endif
