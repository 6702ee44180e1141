/* SPDX-License-Identifier: Apache-2.0 */
/* A tester that runs trials side by side, each on a copy of a simulated device in a process of its own, and gives the
 * results in the order in which it is asked for them: those that one device after the other would have counted, to the
 * octet time (docs/trial.md). What cannot be run so, it runs on the device itself. */
#ifndef FPGAUGE_TRIAL_DEVICE_SIDE_BY_SIDE_H
#define FPGAUGE_TRIAL_DEVICE_SIDE_BY_SIDE_H

#include "drivers/device.h"
#include "host/trial/tester.h"

enum { SIDE_BY_SIDE_MOST_JOBS = 64 };

struct side_by_side_config {
	unsigned jobs;             /* processes that simulate at a time, 2 to SIDE_BY_SIDE_MOST_JOBS */
	bool also_short;           /* also trials that take less time than it is worth to make a process for */
	const _Atomic int *cancel; /* may be NULL */
};

/* `inner` is of device_tester_open() for this device. Takes it over, and closes it with itself; borrows the device. 0,
 * or an error, and then inner is still the caller's. */
int side_by_side_open(const struct side_by_side_config *config, struct tester *inner, struct device *device,
                      struct tester **tester, struct error *error);

#endif
