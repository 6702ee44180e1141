/* SPDX-License-Identifier: Apache-2.0 */
/* Ways from port to port that the tests of a plan use, and what a calibration subtracts on each. */
#ifndef FPGAUGE_CONSOLE_CALIBRATION_WAYS_H
#define FPGAUGE_CONSOLE_CALIBRATION_WAYS_H

#include <jansson.h>

#include "drivers/device.h"
#include "host/plan/plan.h"
#include "host/trial/device/latency_ways.h"

/* Returns whether any test of the plan sends frames from one port to the other, on a device of so many ports. */
bool calibration_uses(const struct plan *plan, unsigned ports, unsigned from, unsigned to);

/* Reads what to subtract on each way from the record of calibration_choose(); LATENCY_WAY_UNKNOWN on the others. */
int calibration_ways(const json_t *record, struct latency_ways *ways, struct error *error);

/* ERROR_PLAN, with the line of the test, if one uses a way that is not known, or ways to one port that differ by so
 * much that its smallest and largest latency would not be those of the device. place: for complaints. */
int calibration_ways_check(const struct plan *plan, const struct device_identity *identity,
                           const struct latency_ways *ways, const char *place, struct error *error);

#endif
