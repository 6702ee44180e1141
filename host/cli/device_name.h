/* SPDX-License-Identifier: Apache-2.0 */
/* Names of devices on the command line. */
#ifndef FPGAUGE_CLI_DEVICE_NAME_H
#define FPGAUGE_CLI_DEVICE_NAME_H

#include <stdbool.h>

#include "drivers/device.h"

enum { DEVICE_NAME_SIZE = sizeof(((struct device_listing *)0)->name) };

/* The name of which `device` is the part behind the colon: "sim:twin" for "twin". False: no device that is there has
 * such a name. */
bool device_name_of_part(const char *device, char name[DEVICE_NAME_SIZE]);

#endif
