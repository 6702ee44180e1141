/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a device counted of each flow. */
#ifndef FPGAUGE_TRIAL_DEVICE_FLOWS_H
#define FPGAUGE_TRIAL_DEVICE_FLOWS_H

#include "host/trial/device/latency_ways.h"
#include "host/trial/judging/check.h"

/* Fills flow_count, flows and flow of a trial that was judged, from its counters and from the last snapshot: all flows,
 * in order, if they are at most TRIAL_MAX_FLOWS; else so many that lost most, worst first, and if as many, in order. If
 * nothing was lost, those are the first ones, and others are not read. ways: subtracted from latencies. The request has
 * traffic.
 *
 * Accesses: none where one flow arrives at each port, as between pairs; else 13 a flow, and 14 for each that is not
 * among the counters. Where unexpected frames came, 3 more for each flow and port where they must not arrive. */
int device_flows_read(struct device *device, const struct trial_request *request, const struct trial_counters *counters,
                      const struct latency_ways *ways, struct trial_result *result, struct error *error);

#endif
