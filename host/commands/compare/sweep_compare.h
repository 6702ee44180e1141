/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge compare DIR DIR: two sweeps, point by point. */
#ifndef FPGAUGE_COMMANDS_COMPARE_SWEEP_COMPARE_H
#define FPGAUGE_COMMANDS_COMPARE_SWEEP_COMPARE_H

#include <stdbool.h>

#include "host/base/error.h"
#include "host/commands/compare/options.h"
#include "host/console/exit_code.h"

/* Finds out whether sweeps are to be compared: both paths are folders of sweeps. ERROR_PLAN when only one is. */
int sweep_compare_asked(const struct compare_options *options, bool *asked, struct error *error);

/* Compares each point of BASE with the one of the same settings in NEW. *code: EXIT_VALID if something was compared, no
 * point is worse, and none of BASE is missing or not done in NEW; EXIT_UNCLEAR if all that is wrong is what may be
 * chance; else EXIT_INVALID. */
int sweep_compare(const struct compare_options *options, double tolerance, enum exit_code *code, struct error *error);

#endif
