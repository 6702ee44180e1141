/* SPDX-License-Identifier: Apache-2.0 */
/* Simulation libraries (drivers/sim_abi.h) as files: where they are looked for, and how one is loaded.
 *
 * A library is found by name ("rtl": libfpgauge-sim-rtl.so) in the folders of FPGAUGE_LIBRARY_PATH, in sim/ beside the
 * program, beside the program, and where it is installed; or by path, which is a name with a slash. */
#ifndef FPGAUGE_DRIVERS_SIM_LIBRARY_H
#define FPGAUGE_DRIVERS_SIM_LIBRARY_H

#include <stddef.h>

#include "drivers/device.h"
#include "drivers/sim_abi.h"

struct sim_library {
	void *handle; /* of dlopen; NULL: none */
	const struct fpgauge_sim_api *api;
};

/* Writes the path of the library that config names; path has room for PATH_MAX. */
int sim_library_find(const struct device_config *config, char *path, struct error *error);

/* After a failure too there may be something to unload. */
int sim_library_load(const char *path, struct sim_library *library, struct error *error);
void sim_library_unload(struct sim_library *library);

/* backend_ops.list: every name that there is in those folders. */
int sim_library_list(device_found *found, void *context, struct error *error);

#endif
