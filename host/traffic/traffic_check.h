/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that traffic is what a device can send and a trial can judge. */
#ifndef FPGAUGE_TRAFFIC_TRAFFIC_CHECK_H
#define FPGAUGE_TRAFFIC_TRAFFIC_CHECK_H

#include "host/traffic/traffic.h"

/* The parameters of a shape alone, on a device with this number of ports. ERROR_PLAN with key, value and limit. */
int traffic_shape_check(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits,
                        struct error *error);

/* Returns whether the hosts of a shape are told apart by fields that vary, because a port has not so many flows. */
bool traffic_needs_fields(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits);

/* Traffic, however made. ERROR_PLAN with port and flow, value and limit. */
int traffic_check(const struct traffic *traffic, const struct traffic_limits *limits, struct error *error);

#endif
