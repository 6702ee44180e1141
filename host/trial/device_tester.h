/* SPDX-License-Identifier: Apache-2.0 */
/* A tester made of a device: turns a request into register traffic, waits, and judges the counters. */
#ifndef FPGAUGE_TRIAL_DEVICE_TESTER_H
#define FPGAUGE_TRIAL_DEVICE_TESTER_H

#include <signal.h>

#include "drivers/device.h"
#include "host/trial/tester.h"

/* Borrows the device. *cancel (may be NULL) is looked at at least ten times a second of wall time in a simulation. */
int device_tester_open(struct device *device, const volatile sig_atomic_t *cancel, struct tester **tester,
                       struct error *error);

/* From now on latencies are smaller by this, by receiving port: what cables and transceivers have of them (RFC 8238
 * 4.3). None becomes less than 0. For testers of device_tester_open() only. */
void device_tester_calibrate(struct tester *tester, const uint64_t offset_ot[TRIAL_MAX_PORTS]);

#endif
