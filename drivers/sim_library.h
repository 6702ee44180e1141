/* SPDX-License-Identifier: Apache-2.0 */
/* Simulation libraries (drivers/sim_abi.h) as files: where to look for them, and how to load one.
 *
 * A library is found by name ("rtl": libfpgauge-sim-rtl.so) in the folders of FPGAUGE_LIBRARY_PATH, in sim/ next to the
 * program, next to the program, and where it is installed; or by path, which is a name with a slash. The
 * RTL is built once for each number of ports: for config->ports = 4, "rtl" means "rtl4". */
#ifndef FPGAUGE_DRIVERS_SIM_LIBRARY_H
#define FPGAUGE_DRIVERS_SIM_LIBRARY_H

#include <stddef.h>

#include "drivers/device.h"
#include "drivers/sim_abi.h"

struct sim_library {
	void *handle; /* handle from dlopen; NULL: none */
	const struct fpgauge_sim_api *api;
};

/* Writes the path of the library that config names; path must have room for PATH_MAX. ERROR_PLAN with *bad_option:
 * there is none for so many ports. */
int sim_library_find(const struct device_config *config, char *path, const char **bad_option, struct error *error);

/* Even after a failure there may be something to unload. */
int sim_library_load(const char *path, struct sim_library *library, struct error *error);
void sim_library_unload(struct sim_library *library);

/* The file that a library was loaded from; "": not known. */
const char *sim_library_path(const struct sim_library *library);

/* If path is that of a device under test (drivers/dut_abi.h), which is no library by itself: how many ports it has.
 * Else 0; whoever loads it says what is wrong with it. */
unsigned sim_library_dut_ports(const char *path);

/* Fits backend_ops.list: lists every library name in those folders. */
int sim_library_list(device_found *found, void *context, struct error *error);

#endif
