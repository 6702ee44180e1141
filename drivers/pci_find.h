/* SPDX-License-Identifier: Apache-2.0 */
/* Finds boards on the PCI bus, using libpci. Opens nothing and changes nothing. */
#ifndef FPGAUGE_DRIVERS_PCI_FIND_H
#define FPGAUGE_DRIVERS_PCI_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"

#define PCI_SYSFS "/sys/bus/pci" /* where Linux has it */

enum { PCI_BARS = 6 };

struct pci_board {
	char address[20]; /* "0000:3b:00.0" */
	uint16_t vendor, device;
	uint16_t class;         /* base class and subclass: 0x1200 is a processing accelerator */
	char description[64];   /* text of a board listed in pci_find.c; else "PCI device" */
	char kernel_driver[32]; /* bound to it, or empty */
	struct {
		uint64_t octets; /* 0: no such BAR */
		bool memory;     /* else I/O ports */
	} bar[PCI_BARS];
};

/* Is text a card as pci_find() takes it: an address ("0000:3b:00.0", "3b:00.0"), vendor and device ("10ee:903f",
 * "10ee:") or class ("::1200")? ERROR_PLAN. */
int pci_check_card(const char *text, struct error *error);

/* Finds up to `room` boards, in the order of their addresses; *count is how many there are in total. sysfs: root of the
 * tree. card: as above, or NULL for the boards listed in pci_find.c. ERROR_DEVICE if the bus cannot be scanned. */
int pci_find(const char *sysfs, const char *card, struct pci_board *boards, size_t room, size_t *count,
             struct error *error);

/* Finds the only board. ERROR_DEVICE if there are none or several, which says what was looked for and what there is. */
int pci_find_only(const char *sysfs, const char *card, struct pci_board *board, struct error *error);

#endif
