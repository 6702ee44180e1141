/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies of tagged frames, which the device records one by one (RFC 2544 section 26.2). */
#ifndef FPGAUGE_TRIAL_DEVICE_TAGS_H
#define FPGAUGE_TRIAL_DEVICE_TAGS_H

#include "drivers/device.h"
#include "host/trial/device/latency_ways.h"
#include "host/trial/judging/check.h"

/* Sets tagged_frames and tagged_latency_ot of every port that sent a tagged frame, in octet times from the first octet
 * sent to the first octet received, less its way. Read when the trial has been judged, before its latencies are
 * shifted, and before the next one clears the records. 0 or a negative error. */
int device_tags_read(struct device *device, const struct traffic *traffic, const struct trial_counters *counters,
                     const struct latency_ways *ways, struct trial_result *result, struct error *error);

#endif
