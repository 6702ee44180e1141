/* SPDX-License-Identifier: Apache-2.0 */
/* Names of devices on the command line. */
#ifndef FPGAUGE_CONSOLE_DEVICE_NAME_H
#define FPGAUGE_CONSOLE_DEVICE_NAME_H

#include <stdbool.h>

#include "drivers/device.h"

enum { DEVICE_NAME_SIZE = sizeof(((struct device_listing *)0)->name) };

/* The name that a backend takes: of "twin" that of the device that is there, "sim:twin"; any other device is taken as
 * it is given. Returns it, which may be in name. */
const char *device_name_in_full(const char *device, char name[DEVICE_NAME_SIZE]);

#endif
