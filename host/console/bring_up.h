/* SPDX-License-Identifier: Apache-2.0 */
/* The way from arguments to a plan that fits an open device: what run and check have in common. */
#ifndef FPGAUGE_CONSOLE_BRING_UP_H
#define FPGAUGE_CONSOLE_BRING_UP_H

#include <jansson.h>

#include "drivers/device.h"
#include "host/console/exit_code.h"
#include "host/console/plan_source.h"
#include "host/forecast/setup.h"
#include "host/plan/plan.h"
#include "host/trial/tester.h"

/* Reads the plan, opens the device for that use or starts the program, and checks one against the other. *cancel (may
 * be NULL) is for the tester. On failure there is nothing to tear down, and the error says what is wrong with the plan,
 * and where, or with the device. */
int bring_up(const struct plan_options *options, enum device_use use, const _Atomic int *cancel, struct setup *setup,
             struct error *error);

/* Opens what the command line calls DEVICE, with the settings of --set. On failure there is nothing to tear down. */
int bring_up_device(const struct device_options *options, enum device_use use, struct setup *setup,
                    struct error *error);

/* Makes the tester subtract what a record of calibration_choose() says. Takes over the record, which may be NULL. */
int bring_up_calibration(struct setup *setup, json_t *record, struct error *error);

/* The second half alone, for a setup that has nothing but a plan; without calibration. On failure the plan is freed
 * too. */
int bring_up_plan(struct setup *setup, const _Atomic int *cancel, struct error *error);

/* The same, with the calibration that a run on this device would have. */
int bring_up_calibrated(struct setup *setup, enum device_use use, const _Atomic int *cancel, struct error *error);

/* Leaves out the tests that the plan wants only where they are possible (if_possible), and that the device lacks
 * something for; ERROR_PLAN if none is left. bring_up() does it: for a plan that is read again. */
int bring_up_leave_out(struct plan *plan, const struct device_identity *identity, struct error *error);

/* Cautions about a test on the device, in clauses that follow "Test 1" and are separated by semicolons: ports
 * that idle, and what its benchmark says. Returns buffer, which is empty where there is nothing. */
const char *bring_up_caution(const struct plan_test *test, const struct device_identity *identity, char *buffer,
                             size_t size);

/* Lets the trials of a simulation run side by side from here on, as many as --jobs says, 0 if it was not given. For any
 * other tester nothing changes. */
int bring_up_side_by_side(unsigned jobs, const _Atomic int *cancel, struct setup *setup, struct error *error);

/* How many trials of the plan's tester would so run side by side; 1: one after the other. */
unsigned bring_up_jobs(unsigned jobs, const struct setup *setup);

void tear_down(struct setup *setup);

#endif
