/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of ports for a trial, as registers. */
#ifndef FPGAUGE_TRIAL_DEVICE_SETTINGS_H
#define FPGAUGE_TRIAL_DEVICE_SETTINGS_H

#include "drivers/device.h"
#include "host/traffic/traffic.h"
#include "host/trial/device/slow_path.h"
#include "host/trial/pacing/pacing.h"

/* Writes how every port sends and how it classifies what it receives; the tables are those of shadow_tables.h. With
 * a slow path, ports that it serves send its frames although they have none of their own, and unexpected frames are
 * kept. At most 35 accesses per port, and one more on a device with TCP. */
int device_settings_write(struct device *device, const struct traffic *traffic, const struct pacing *pacing,
                          const struct slow_path *slow, struct error *error);

#endif
