/* SPDX-License-Identifier: Apache-2.0 */
/* One point of a sweep: what each worker does, whether it was started here or by Slurm. */
#ifndef FPGAUGE_COMMANDS_SWEEP_POINT_H
#define FPGAUGE_COMMANDS_SWEEP_POINT_H

#include "host/commands/sweep/options.h"
#include "host/commands/sweep/points.h"

/* Makes the run of a point, goes on with it, or finds it done, and returns the exit code of it. Waits for a process
 * that works on the same point, here or on another machine. */
int sweep_point_run(const struct sweep *sweep, const struct sweep_options *options, const char *command);

#endif
