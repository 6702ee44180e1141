/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a process that is stuck from one that only has to wait for a processor as others do, when it does not
 * answer. */
#ifndef FPGAUGE_DRIVERS_PROCESS_STATE_H
#define FPGAUGE_DRIVERS_PROCESS_STATE_H

#include <stdbool.h>
#include <sys/types.h>

/* The process, or one that it started, is running or ready to run. False where /proc does not say. */
bool process_is_at_work(pid_t pid);

#endif
