/* SPDX-License-Identifier: Apache-2.0 */
/* A tester made of a device: turns a request into register traffic, waits, and judges the counters. */
#ifndef FPGAUGE_TRIAL_DEVICE_TESTER_H
#define FPGAUGE_TRIAL_DEVICE_TESTER_H

#include "drivers/device.h"
#include "host/trial/latency_ways.h"
#include "host/trial/tester.h"

/* Borrows the device. In a simulation *cancel (may be NULL) is checked at least ten times per second of wall time. */
int device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester, struct error *error);

/* From now on, subtracts from the latencies at each port what the ways to it have of them in the traffic of the trial.
 * No latency becomes less than 0. Only for testers of device_tester_open(). */
void device_tester_calibrate(struct tester *tester, const struct latency_ways *ways);

#endif
