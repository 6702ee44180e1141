/* SPDX-License-Identifier: Apache-2.0 */
/* A tester made of a device: turns a request into register traffic, waits, and judges the counters. */
#ifndef FPGAUGE_TRIAL_DEVICE_TESTER_H
#define FPGAUGE_TRIAL_DEVICE_TESTER_H

#include "drivers/device.h"
#include "host/trial/device/latency_ways.h"
#include "host/trial/device/send_watch.h"
#include "host/trial/tester.h"

/* Borrows the device. In a simulation *cancel (may be NULL) is checked at least ten times per second of wall time. */
int device_tester_open(struct device *device, const _Atomic int *cancel, struct tester **tester, struct error *error);

/* Subtracts, from now on, from the latencies at each port what the ways to it have of them in the traffic of the
 * trial. No latency becomes less than 0. Only for testers of device_tester_open(). */
void device_tester_calibrate(struct tester *tester, const struct latency_ways *ways);

/* Shows there, from now on, the device time for which the current trial has been sending. */
void device_tester_show(struct tester *tester, _Atomic uint64_t *sent_ot);

/* Lets somebody watch, from now on, while test frames are sent; NULL: nobody does. Where a device under test is
 * reset in the trial, nothing is watched. */
void device_tester_watch(struct tester *tester, const struct send_watch *watch);

/* A hash of what a tester carries from trial to trial, apart from run ids: what the tables hold, and what the device
 * under test has learned. */
uint64_t device_tester_knowledge(const struct tester *tester);

/* True if the device under test is listened to: it says something of its own, or is a router. */
bool device_tester_listens(const struct tester *tester);

#endif
