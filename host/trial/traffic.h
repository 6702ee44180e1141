/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic of a trial on a device. */
#ifndef FPGAUGE_TRIAL_TRAFFIC_H
#define FPGAUGE_TRIAL_TRAFFIC_H

#include "drivers/device.h"
#include "host/traffic/traffic.h"

/* Returns the limits of what a device can send. */
struct traffic_limits trial_traffic_limits(const struct device_identity *identity);

/* The traffic of a shape between all ports of a device. To be freed if this returns 0. */
int trial_traffic_of_shape(const struct traffic_shape *shape, const struct device_identity *identity,
                           struct traffic *traffic, struct error *error);

/* Checks that a trial can be made and judged with the traffic of a request: for as many ports as there are, within
 * the limits, and with the same average length at all ports, because a trial has one load. */
int trial_traffic_check(const struct traffic *traffic, const struct device_identity *identity, struct error *error);

/* A port that sends; 0 if none does. */
unsigned trial_traffic_sender(const struct traffic *traffic);

/* Flows of all ports. */
unsigned trial_traffic_flows(const struct traffic *traffic);

/* Returns where the payload of a test frame begins at the latest. */
unsigned trial_traffic_payload(const struct traffic *traffic);

/* True if every frame must arrive somewhere. */
bool trial_traffic_all_arrive(const struct traffic *traffic);

/* Frames with a wrong FCS on purpose among the first `frames` of a port. */
uint64_t trial_traffic_wrong_fcs(const struct traffic *traffic, unsigned port, uint64_t frames);

#endif
