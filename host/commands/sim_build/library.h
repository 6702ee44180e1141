/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a library of a user's Verilog (drivers/dut_abi.h), with Verilator and a C++ compiler. What it makes on the way
 * is kept in OUTPUT.build/, so that the next time only what has changed is made again. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_LIBRARY_H
#define FPGAUGE_COMMANDS_SIM_BUILD_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/commands/sim_build/pin_map.h"

struct sim_build_request {
	const char *top;
	unsigned ports, width; /* width 0: that of the module's data */
	enum pin_style style;
	const char *clock;    /* "322.265625M"; NULL with an MII, where it follows from the link */
	bool waveform;        /* so that it can draw one: a slower library */
	const char *map_path; /* NULL: names by convention */
	const char *output;
	const char *const *sources; /* files, and options for Verilator that say where others are: -I, -D, -f */
	size_t source_count;
	const char *const *parameters; /* "NAME=VALUE" */
	size_t parameter_count;
};

struct sim_build_result {
	bool was_there; /* nothing had changed */
	bool has_idle;
	unsigned width;
	char tied[512]; /* inputs that nobody names, which are held at 0; or "" */
};

int sim_build(const struct sim_build_request *request, struct sim_build_result *result, struct error *error);

#endif
