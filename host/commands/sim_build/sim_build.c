/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge sim-build: a library of a user's Verilog, for device.library of a plan. */
#include <stdio.h>

#include "host/commands/commands.h"
#include "host/commands/sim_build/options.h"
#include "host/console/bring_up.h"

static const char DOC[] =
        "Makes a library of a Verilog module, which stands between the ports of the simulated tester when a "
        "plan names it: device = { library = \"./switch.so\"; }.\v"
        "The names of the module's ports are clk, rst, and s_axis_tdata, m_axis_tdata and so on as one "
        "vector for all ports, or s0_axis_tdata, s1_axis_tdata ...; --map names others. Needs Verilator, "
        "make and g++. docs/your-own-dut.md says all.";

static int run(int argc, char **argv)
{
	struct sim_build_options options = {0};
	struct sim_build_result result = {0};
	struct error error = {0};
	int code = EXIT_VALID;

	command_parse(&SIM_BUILD_COMMAND, argc, argv, &options);
	if (sim_build(&options.request, &result, &error) != 0)
		code = exit_code_of(&error, argv[0]);
	else
		printf("%s: %s, %u ports of %u bits%s\n", options.request.output, options.request.top,
		       options.request.ports, result.width, result.was_there ? "; nothing has changed" : "");
	if (code == EXIT_VALID && result.tied[0] != '\0')
		printf("  inputs that nothing is known of are held at 0: %s\n", result.tied);
	if (code == EXIT_VALID && !result.has_idle)
		printf("  no output \"idle\": every clock is simulated, also while nothing moves\n");
	sim_build_options_free(&options);
	return code;
}

const struct command SIM_BUILD_COMMAND = {
        .name = "sim-build",
        .usage = "--top NAME --ports N -o LIBRARY [OPTION]... FILES...",
        .summary = "Make a library of a Verilog module, to be benchmarked in a simulation",
        .doc = DOC,
        .arguments = "FILES...",
        .groups = {{SIM_BUILD_OPTIONS, 0}},
        .argument = sim_build_options_argument,
        .check = sim_build_options_check,
        .run = run,
};
