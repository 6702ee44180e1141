/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation library by name or path, loaded: what the backend "sim" and the simulated card have in common.
 *
 * A library is found by name ("rtl": libfpgauge-sim-rtl.so) in the folders of FPGAUGE_LIBRARY_PATH, in sim/ beside the
 * program, beside the program, and where it is installed; or by path, which is a name with a slash. */
#ifndef FPGAUGE_DRIVERS_SIM_LIBRARY_H
#define FPGAUGE_DRIVERS_SIM_LIBRARY_H

#include <stdbool.h>

#include "drivers/sim_abi.h"
#include "host/base/error.h"

struct sim_library {
	void *handle;
	const struct fpgauge_sim_api *api;
};

/* setting: what an error names ("device.library"). trace: the library that can write waveforms. 0 or ERROR_DEVICE. */
int sim_library_open(const char *setting, const char *name, bool trace, struct sim_library *library,
                     struct error *error);
void sim_library_close(struct sim_library *library); /* one that is closed or all zero is allowed */

#endif
