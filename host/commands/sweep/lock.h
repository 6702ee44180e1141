/* SPDX-License-Identifier: Apache-2.0 */
/* Locks among processes that share the folder of a sweep, on one machine or several: one at a time on each point,
 * and one that leads. The locks are on octets of DIR/sweep.lock, and go with the process, however it ends; between
 * machines they are as good as those of the file system (NFS with its lock service has them). */
#ifndef FPGAUGE_COMMANDS_SWEEP_LOCK_H
#define FPGAUGE_COMMANDS_SWEEP_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"

enum { SWEEP_LOCK_LEADER = 0 }; /* instead of the number of a point */

/* Takes the lock, waiting for whoever has it if `waits`. 0 with *descriptor, which close() gives it back; a signal ends
 * the wait: ERROR_CANCELLED. Otherwise ERROR_STORE. */
int sweep_lock(const char *directory, size_t number, bool waits, int *descriptor, struct error *error);

/* Returns whether somebody has the lock of a point; false too when that cannot be seen. */
bool sweep_is_locked(const char *directory, size_t number);

#endif
