/* SPDX-License-Identifier: Apache-2.0 */
/* One program at a time drives a board. The lock is flock(2) on a file that every program must open to reach the board,
 * so it works across users, and the kernel releases it when its owner dies, however that happens: no lock is ever
 * stale. Containers with a network namespace of their own also have a sysfs of their own, and do not see each other's
 * locks. */
#ifndef FPGAUGE_DRIVERS_BOARD_LOCK_H
#define FPGAUGE_DRIVERS_BOARD_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"

/* Locks fd, an open file, for as long as it is open. A program that only observes (device.h) holds the lock for
 * moments, so a lock that is taken is tried again for BOARD_LOCK_WAIT_MS. Then ERROR_DEVICE, which names the other
 * process by id and command. name: the board in messages, "pci 0000:3b:00.0". */
int board_lock_take(int fd, const char *name, struct error *error);

/* The same for a board whose own file we cannot open, by its PCI address, "0000:3b:00.1" or "3b:00.1": the lock is on
 * its configuration space under sysfs (NULL: the machine's), which any user may open. The caller closes *fd. */
int board_lock_by_address(const char *sysfs, const char *address, const char *name, int *fd, struct error *error);

/* Tries once, without waiting. *taken false: another process has the lock. */
int board_lock_try(int fd, const char *name, bool *taken, struct error *error);
void board_lock_give_back(int fd);

/* Sets ERROR_DEVICE: the board is in use by whoever has the lock on the file at path. */
int board_lock_refuse(const char *path, const char *name, struct error *error);

enum { BOARD_LOCK_WAIT_MS = 2000 };

#endif
