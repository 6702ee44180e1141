/* SPDX-License-Identifier: Apache-2.0 */
/* The warning that a run takes long. */
#ifndef FPGAUGE_CONSOLE_LONG_RUN_H
#define FPGAUGE_CONSOLE_LONG_RUN_H

#include "host/console/plan_source.h"
#include "host/forecast/wall_time.h"

/* Says on standard error that a plan may take more than an hour of wall time here, and how to shorten it. */
void long_run_warn(const struct plan_options *options, const struct setup *setup, const struct pace *pace,
                   const char *command);

#endif
