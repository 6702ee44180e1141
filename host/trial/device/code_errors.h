/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that a device sends with an error character in place of the terminate character, on purpose. */
#ifndef FPGAUGE_TRIAL_DEVICE_CODE_ERRORS_H
#define FPGAUGE_TRIAL_DEVICE_CODE_ERRORS_H

#include "drivers/device.h"
#include "host/traffic/traffic.h"
#include "host/trial/judging/check.h"

/* Adds them to what each port sent, after registers_read_counters(). */
int device_code_errors_read(struct device *device, const struct traffic *traffic, struct trial_counters *counters,
                            struct error *error);

#endif
