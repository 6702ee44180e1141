/* SPDX-License-Identifier: Apache-2.0 */
/* Permission for what a run file may make this program do. */
#ifndef FPGAUGE_COMMANDS_RUN_PERMIT_H
#define FPGAUGE_COMMANDS_RUN_PERMIT_H

#include "host/commands/run/session.h"
#include "host/plan/plan.h"
#include "host/store/store.h"

/* 0, or ERROR_PLAN when the plan of a file that may be somebody else's starts a command, loads a library by its path or
 * writes a file, and --allow-command was not given; the error has the reason, and what the plan would do. */
int permit_resume(struct store *store, const struct plan *plan, const struct session_options *options,
                  struct error *error);

#endif
