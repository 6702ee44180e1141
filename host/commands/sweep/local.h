/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways to make the runs of a sweep. Both come back once nothing works on them any more, and say nothing of what
 * is done: the run files do. */
#ifndef FPGAUGE_COMMANDS_SWEEP_LOCAL_H
#define FPGAUGE_COMMANDS_SWEEP_LOCAL_H

#include "host/base/error.h"
#include "host/commands/sweep/options.h"
#include "host/commands/sweep/points.h"

enum { SWEEP_ATTEMPTS = 3 }; /* attempts at a run that is lost again and again */

/* "12 of 200: dut.buffer_frames=64: pass": said as soon as a run is done, unless --quiet or --json - forbids it. */
void sweep_say_done(const struct sweep *sweep, size_t number, size_t done, const struct sweep_options *options);

/* Here: up to `jobs` processes at a time. A process that dies is started again. 0, ERROR_CANCELLED, or what kept
 * processes from being started. */
int sweep_local(const struct sweep *sweep, const struct sweep_options *options, unsigned jobs, struct error *error);

/* Checks that this machine has Slurm's commands. ERROR_PLAN when it does not. */
int sweep_slurm_check(struct error *error);

/* Runs the sweep as an array job of Slurm. Unless --wait is given, comes back once it is submitted. */
int sweep_slurm(const struct sweep *sweep, const struct sweep_options *options, struct error *error);

#endif
