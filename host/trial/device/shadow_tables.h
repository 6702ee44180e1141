/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers what the tables of a device hold, by a hash of each of their parts, so that only what differs is
 * written. */
#ifndef FPGAUGE_TRIAL_DEVICE_SHADOW_TABLES_H
#define FPGAUGE_TRIAL_DEVICE_SHADOW_TABLES_H

#include "drivers/device.h"
#include "host/traffic/traffic.h"
#include "host/trial/device/host_queue.h"
#include "host/trial/flow_registers.h"

struct shadow_port {
	uint64_t flow[STREAMS_OF_SOURCE], lengths, turns, rules, expected[TRAFFIC_MAX_PORTS];
};

/* 0: not known. */
struct shadow_tables {
	struct shadow_port port[TRAFFIC_MAX_PORTS];
};

/* Writes the tables of all ports of the traffic, as far as they differ from what the device holds; with_host_queue:
 * also the flow of the host's frames. tag_after_ot: when frames are tagged. After an error, what is shadow is not
 * known: the caller forgets it. */
int shadow_tables_write(struct shadow_tables *shadow, struct device *device, const struct traffic *traffic,
                        uint64_t tag_after_ot, bool with_host_queue, struct error *error);

#endif
