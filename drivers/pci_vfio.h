/* SPDX-License-Identifier: Apache-2.0 */
/* The other way to a BAR: by VFIO, when the board is bound to the kernel driver vfio-pci (drivers/vfio-bind). It needs
 * no root once the group's file belongs to the user, and a kernel that is locked down allows it. */
#ifndef FPGAUGE_DRIVERS_PCI_VFIO_H
#define FPGAUGE_DRIVERS_PCI_VFIO_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/pci_find.h"
#include "host/base/error.h"

enum { PCI_VFIO_FDS = 3 }; /* container, group, device */

/* Is it VFIO that this board is reached by? */
bool pci_vfio_holds(const struct pci_board *board);

/* Maps BAR `number`, of which least_octets are known to be there, and switches the board's memory space on. The mapping
 * lives as long as fds, which are the caller's to close. */
int pci_vfio_map(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                 void **mapped, int fds[PCI_VFIO_FDS], struct error *error);

#endif
