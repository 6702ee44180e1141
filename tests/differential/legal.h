/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a script does only what hw/regs/fpgauge.toml allows: every start finds meaningful settings. It is not
 * specified what a device does with others, so two devices need not agree on it. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_LEGAL_H
#define FPGAUGE_TESTS_DIFFERENTIAL_LEGAL_H

#include "tests/differential/script.h"

bool script_is_legal(const struct script *script);

#endif
