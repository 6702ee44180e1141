/* SPDX-License-Identifier: Apache-2.0 */
/* Temperatures and power out of the JSON that XRT has of a card (`thermal` and `electrical` of xrt::info::device). */
#ifndef FPGAUGE_DRIVERS_XRT_SENSORS_H
#define FPGAUGE_DRIVERS_XRT_SENSORS_H

#include "drivers/device.h"

/* Documents may be "" or damaged: what cannot be read is left out, and so are sensors that are not there, or say what
 * no board can have. */
void xrt_sensors_read(const char *thermal, const char *electrical, struct device_sensors *sensors);

#endif
