/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a file is a calibration file (docs/selftest.md), in every entry and key: what it says is subtracted from
 * every latency of a run, so nothing in it is guessed. */
#ifndef FPGAUGE_CONSOLE_CALIBRATION_CHECK_H
#define FPGAUGE_CONSOLE_CALIBRATION_CHECK_H

#include <jansson.h>

#include "host/base/error.h"

enum { CALIBRATION_SCHEMA = 1 };

/* 0, or ERROR_PLAN: "cal.json: calibrations[2]: latency_mean_ns = "fast": must be ...". path: for the complaint. */
int calibration_check(const json_t *file, const char *path, struct error *error);

#endif
