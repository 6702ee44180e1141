/* SPDX-License-Identifier: Apache-2.0 */
/* One program drives a board at a time. The lock is flock(2) on a file that every program must open to reach the board,
 * so it holds between users, and the kernel gives it back when its owner dies, however that happens: no lock is stale.
 * Containers with a network namespace each have a sysfs each, and do not see each other's locks. */
#ifndef FPGAUGE_DRIVERS_BOARD_LOCK_H
#define FPGAUGE_DRIVERS_BOARD_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"

/* Takes the lock that is on fd, an open file, for as long as it is open. Who only looks on (device.h) has it for
 * moments: so a lock that is taken is asked for again for BOARD_LOCK_WAIT_MS. Then ERROR_DEVICE, with the other process
 * by number and command. name: the board in messages, "pci 0000:3b:00.0". */
int board_lock_take(int fd, const char *name, struct error *error);

/* The same for a board whose own file is not ours to open, by its PCI address, "0000:3b:00.1" or "3b:00.1": the lock is
 * on its configuration space under sysfs (NULL: the machine's), which any user may open. *fd is the caller's to close.
 */
int board_lock_by_address(const char *sysfs, const char *address, const char *name, int *fd, struct error *error);

/* Once, without waiting. *taken false: another process has it. */
int board_lock_try(int fd, const char *name, bool *taken, struct error *error);
void board_lock_give_back(int fd);

/* ERROR_DEVICE: the board is in use by whoever has the lock on the file at path. */
int board_lock_refuse(const char *path, const char *name, struct error *error);

enum { BOARD_LOCK_WAIT_MS = 2000 };

#endif
