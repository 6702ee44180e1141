/* SPDX-License-Identifier: Apache-2.0 */
/* The other way to a BAR: through VFIO, if the board is bound to the kernel driver vfio-pci (drivers/vfio-bind). It
 * does not need root once the group's file belongs to the user, and kernel lockdown allows it. */
#ifndef FPGAUGE_DRIVERS_PCI_VFIO_H
#define FPGAUGE_DRIVERS_PCI_VFIO_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/pci_find.h"
#include "host/base/error.h"

enum { PCI_VFIO_FDS = 3 }; /* container, group, device */

/* Is this board reached through VFIO? */
bool pci_vfio_holds(const struct pci_board *board);

/* Maps BAR `number`, which must have at least least_octets, and switches on the board's memory space. The mapping lasts
 * as long as fds, which the caller closes. */
int pci_vfio_map(const char *sysfs, const struct pci_board *board, unsigned number, uint32_t least_octets,
                 void **mapped, int fds[PCI_VFIO_FDS], struct error *error);

#endif
