/* SPDX-License-Identifier: Apache-2.0 */
/* The module dut_pins: the user's module behind pins with fixed names (sim/verilog/dut_entry.cpp). */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_PIN_WRAPPER_H
#define FPGAUGE_COMMANDS_SIM_BUILD_PIN_WRAPPER_H

#include <stddef.h>
#include <stdio.h>

#include "host/commands/sim_build/pin_map.h"

/* parameters: "NAME=VALUE" of the module. */
void pin_wrapper_write(FILE *out, const struct pin_map *map, const struct verilog_module *module,
                       const char *const *parameters, size_t parameter_count);

#endif
