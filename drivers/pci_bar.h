/* SPDX-License-Identifier: Apache-2.0 */
/* A base address register of a board, mapped from sysfs or by VFIO, and the two functions that touch it. */
#ifndef FPGAUGE_DRIVERS_PCI_BAR_H
#define FPGAUGE_DRIVERS_PCI_BAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/pci_find.h"
#include "drivers/pci_vfio.h"
#include "host/base/error.h"

struct pci_bar {
	volatile uint32_t *words;
	size_t octets;
	int lock;              /* the file of the BAR, which the lock is on; of VFIO -1 */
	int fds[PCI_VFIO_FDS]; /* of VFIO, else -1 */
};

/* Maps BAR `number` of the board and switches on its memory space where that is allowed. A BAR of fewer than
 * least_octets, or one that may not be mapped, is ERROR_DEVICE that says what to do about it; so is one that another
 * program drives, unless only_looks. */
int pci_bar_open(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                 bool only_looks, struct pci_bar *bar, struct error *error);
void pci_bar_close(struct pci_bar *bar);

/* One access each: a 32-bit move, little endian as the bus is. offset: in the BAR, a multiple of 4. */
uint32_t pci_bar_read32(const struct pci_bar *bar, uint32_t offset);
void pci_bar_write32(const struct pci_bar *bar, uint32_t offset, uint32_t value);

#endif
