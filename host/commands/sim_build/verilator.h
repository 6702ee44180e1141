/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Verilator, and finds in what it says the one line that matters. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_VERILATOR_H
#define FPGAUGE_COMMANDS_SIM_BUILD_VERILATOR_H

#include <stddef.h>

#include "host/base/error.h"

enum { VERILATOR_MAX_ARGUMENTS = 4096 };

/* Arguments of one run. Texts are borrowed. */
struct verilator_arguments {
	const char *words[VERILATOR_MAX_ARGUMENTS + 2];
	size_t count;
};

void verilator_add(struct verilator_arguments *arguments, const char *word);

/* Runs Verilator, whose output goes into the file log. An error is the user's: ERROR_PLAN, with his file and line. */
int verilator_run(struct verilator_arguments *arguments, const char *log, struct error *error);

#endif
