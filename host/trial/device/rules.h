/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that the rules of a device's ports sent. */
#ifndef FPGAUGE_TRIAL_DEVICE_RULES_H
#define FPGAUGE_TRIAL_DEVICE_RULES_H

#include "drivers/device.h"
#include "host/traffic/traffic.h"
#include "host/trial/judging/check.h"

/* Reads from the last snapshot how many frames each rule has sent. Without rules it makes no access. */
int device_rules_read(struct device *device, const struct traffic *traffic,
                      uint64_t frames[TRIAL_MAX_PORTS][TRAFFIC_RULES], struct error *error);

#endif
