/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a script keeps to what hw/regs/fpgauge.toml allows: every start finds settings that have a meaning. What a
 * device does with others is nobody's promise, so two devices need not agree on it. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_LEGAL_H
#define FPGAUGE_TESTS_DIFFERENTIAL_LEGAL_H

#include "tests/differential/script.h"

bool script_is_legal(const struct script *script);

#endif
