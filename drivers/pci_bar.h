/* SPDX-License-Identifier: Apache-2.0 */
/* A base address register (BAR) of a board, mapped from sysfs or through VFIO, and the two functions that access it. */
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
	int lock;              /* the file of the BAR, which is locked; -1 with VFIO */
	int fds[PCI_VFIO_FDS]; /* descriptors of VFIO, else -1 */
};

/* Maps BAR `number` of the board and switches on its memory space if that is allowed. ERROR_DEVICE, which says what to
 * do about it, if the BAR has fewer than least_octets, may not be mapped, or is driven by another program (unless
 * only_looks). */
int pci_bar_open(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                 bool only_looks, struct pci_bar *bar, struct error *error);
void pci_bar_close(struct pci_bar *bar);

/* One access each: a 32-bit move, little-endian like the bus. offset: within the BAR, a multiple of 4. */
uint32_t pci_bar_read32(const struct pci_bar *bar, uint32_t offset);
void pci_bar_write32(const struct pci_bar *bar, uint32_t offset, uint32_t value);

#endif
