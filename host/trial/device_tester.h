/* SPDX-License-Identifier: Apache-2.0 */
/* A tester made of a device: turns a request into register traffic, waits, and judges the counters. */
#ifndef FPGAUGE_TRIAL_DEVICE_TESTER_H
#define FPGAUGE_TRIAL_DEVICE_TESTER_H

#include "drivers/device.h"
#include "host/trial/tester.h"

/* Borrows the device. In a simulation *cancel (may be NULL) is checked at least ten times per second of wall time. */
int device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester, struct error *error);

/* From now on, subtracts this offset per receiving port from latencies: the share of cables and transceivers (RFC 8238
 * 4.3). No latency becomes less than 0. Only for testers of device_tester_open(). */
void device_tester_calibrate(struct tester *tester, const uint64_t offset_ot[TRIAL_MAX_PORTS]);

#endif
