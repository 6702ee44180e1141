/* SPDX-License-Identifier: Apache-2.0 */
/* From arguments to a plan that fits an open device: what run and check do before they part. */
#ifndef FPGAUGE_CLI_BRING_UP_H
#define FPGAUGE_CLI_BRING_UP_H

#include "drivers/device.h"
#include "host/cli/options.h"
#include "host/plan/plan.h"

/* Reads the plan, opens the device and holds the one against the other. On failure both are NULL and the error says
 * where the plan is wrong, or the device. */
int bring_up(const struct options *options, struct plan **plan, struct device **device, struct error *error);

/* The second half alone, for a plan that was read in another way. */
int bring_up_device(const struct plan *plan, struct device **device, struct error *error);

/* Prints the one line of an error; returns the exit code it stands for. */
int exit_code_of(const struct error *error, const char *command);

#endif
