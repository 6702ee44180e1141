/* SPDX-License-Identifier: Apache-2.0 */
/* The reset of the device under test in mid-trial (RFC 2544 section 26.6, RFC 6201): told to a simulated one, or done
 * by a program of the user, which runs while the trial goes on. */
#ifndef FPGAUGE_TRIAL_DEVICE_RESET_H
#define FPGAUGE_TRIAL_DEVICE_RESET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "drivers/device.h"
#include "host/trial/tester.h"

struct device_reset {
	const char *program; /* name in complaints */
	pid_t pid;           /* the program's; 0: none runs */
};

/* Does what the request asks for, or starts the program that does. *at_ot: the device time just before. 0, or
 * ERROR_DEVICE if the device has no reset or the program cannot be started. */
int device_reset_begin(struct device_reset *reset, struct device *device, const struct trial_request *request,
                       uint64_t *at_ot, struct error *error);

/* True if a program still runs. If it has ended, *status is 0, or ERROR_DEVICE if it failed. */
bool device_reset_runs(struct device_reset *reset, int *status, struct error *error);

/* Ends a program that still runs. */
void device_reset_abandon(struct device_reset *reset);

#endif
