/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that are compiled with a user's module; they are in the program, so that it needs no file beside itself. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_SOURCES_H
#define FPGAUGE_COMMANDS_SIM_BUILD_SOURCES_H

extern const char SIM_BUILD_ENTRY[]; /* sim/verilog/dut_entry.cpp */
extern const char SIM_BUILD_ABI[];   /* drivers/dut_abi.h */

#endif
