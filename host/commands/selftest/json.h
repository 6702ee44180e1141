/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a self-test for programs: docs/selftest.md. */
#ifndef FPGAUGE_COMMANDS_SELFTEST_JSON_H
#define FPGAUGE_COMMANDS_SELFTEST_JSON_H

#include <jansson.h>

#include "drivers/device.h"
#include "host/commands/selftest/checks.h"

/* "pass", "FAIL" ... */
const char *selftest_verdict_name(enum selftest_verdict verdict);

/* NULL: out of memory. complete: all checks were made. */
json_t *selftest_json(const struct selftest_report *report, const struct device_identity *identity, bool complete);

#endif
