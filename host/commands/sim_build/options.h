/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_OPTIONS_H
#define FPGAUGE_COMMANDS_SIM_BUILD_OPTIONS_H

#include "host/commands/sim_build/library.h"
#include "host/console/command.h"

struct sim_build_options {
	struct sim_build_request request;
	struct text_list sources, parameters; /* lists that the request points to; their texts are ours */
};

extern const struct option_row SIM_BUILD_OPTIONS[];

void sim_build_options_argument(void *options, const char *argument, const struct argp_state *state);
void sim_build_options_check(void *options, const struct argp_state *state);
void sim_build_options_free(struct sim_build_options *options);

#endif
