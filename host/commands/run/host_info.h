/* SPDX-License-Identifier: Apache-2.0 */
/* Description of the machine that the tester's program ran on, for the run file. */
#ifndef FPGAUGE_COMMANDS_RUN_HOST_INFO_H
#define FPGAUGE_COMMANDS_RUN_HOST_INFO_H

#include "drivers/device.h"

/* JSON: name, system, machine, processors, how far its clock can be trusted, and the build of the program and of the
 * library of a simulated device (NULL: none). The caller frees; NULL when out of memory. */
char *host_info(const struct device *device);

#endif
