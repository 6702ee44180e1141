/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of modifiers among those that a device counted: its ports count all frames together, so what is counted apart
 * is read stream by stream. */
#ifndef FPGAUGE_TRIAL_DEVICE_APART_H
#define FPGAUGE_TRIAL_DEVICE_APART_H

#include "drivers/device.h"
#include "host/traffic/traffic.h"
#include "host/trial/judging/check.h"

/* Fills counters->apart from the snapshot that the other counters are of. */
int device_apart_read(struct device *device, const struct traffic *traffic, struct trial_counters *counters,
                      struct error *error);

#endif
