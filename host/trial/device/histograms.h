/* SPDX-License-Identifier: Apache-2.0 */
/* The histograms of a trial, from the snapshot in which its counters were taken. */
#ifndef FPGAUGE_TRIAL_DEVICE_HISTOGRAMS_H
#define FPGAUGE_TRIAL_DEVICE_HISTOGRAMS_H

#include "drivers/device.h"
#include "host/trial/tester.h"

/* Reads the gaps sent of a burst; of a load, the gaps received if those sent were below the minimum, and the
 * latencies if nothing was lost. 0 or a negative error. */
int device_histograms_read(struct device *device, const struct trial_request *request, struct trial_result *result,
                           struct error *error);

#endif
