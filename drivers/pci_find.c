// SPDX-License-Identifier: Apache-2.0
/* libpci scans the bus. Its error callback must not return, so it jumps; what libpci allocated is still freed. */
#include "drivers/pci_find.h"

#include <inttypes.h>
#include <pci/pci.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Boards that are found without being named. The ids are the defaults of AMD's XDMA bridge, so they prove nothing: the
 * id register does, which is read before anything is written. Class and vendor alone would match every Alveo with its
 * shell, whose BARs belong to XRT. */
static const struct {
	uint16_t vendor, device;
	const char *description;
} known[] = {
        {0x10ee, 0x9034, "AMD XDMA bridge, Gen3 x4"},
        {0x10ee, 0x9038, "AMD XDMA bridge, Gen3 x8"},
        {0x10ee, 0x903f, "AMD XDMA bridge, Gen3 x16"},
        {0x10ee, 0x9048, "AMD XDMA bridge, Gen4 x8"},
};

enum {
	KNOWN = sizeof(known) / sizeof(known[0]),
	MAX_CARD = 64, /* octets of the text that names a card */
	MAX_SHOWN = 8, /* boards that a message names */
	FILL = PCI_FILL_IDENT | PCI_FILL_CLASS | PCI_FILL_BASES | PCI_FILL_SIZES | PCI_FILL_IO_FLAGS | PCI_FILL_DRIVER,
	IORESOURCE_MEMORY = 0x200, /* linux/ioport.h, as in the kernel's "resource" file */
};

/* libpci's callbacks take no user data. */
static _Thread_local jmp_buf on_error;
static _Thread_local char error_text[256];

static void __attribute__((noreturn, format(printf, 1, 2))) take_error(char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error_text, sizeof(error_text), format, arguments);
	va_end(arguments);
	longjmp(on_error, 1);
}

/* Warnings are about devices that do not concern us; whatever matters is checked here. */
static void __attribute__((format(printf, 1, 2))) ignore_warning(char *format, ...)
{
	(void)format;
}

/* libpci's own syntax: only addresses contain a dot; an id has a colon. */
static int parse_card(const char *text, struct pci_filter *filter, struct error *error)
{
	char copy[MAX_CARD];
	const char *why;

	pci_filter_init(NULL, filter);
	if (strlen(text) >= sizeof(copy) || strpbrk(text, ".:") == NULL)
		why = "must be an address (0000:3b:00.0), vendor:device (10ee:903f) or ::class (::1200)";
	else if (strchr(strcpy(copy, text), '.') != NULL)
		why = pci_filter_parse_slot(filter, copy);
	else
		why = pci_filter_parse_id(filter, copy);
	return why == NULL ? 0 : error_set(error, ERROR_PLAN, "device.card = \"%.64s\": %s", text, why);
}

int pci_check_card(const char *text, struct error *error)
{
	struct pci_filter filter;

	return parse_card(text, &filter, error);
}

static const char *describe(const struct pci_dev *device)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].vendor == device->vendor_id && known[i].device == device->device_id)
			return known[i].description;
	return NULL;
}

static bool is_wanted(struct pci_filter *filter, struct pci_dev *device)
{
	return filter != NULL ? pci_filter_match(filter, device) != 0 : describe(device) != NULL;
}

static void take_board(struct pci_dev *device, struct pci_board *board)
{
	const char *description = describe(device), *driver = pci_get_string_property(device, PCI_FILL_DRIVER);

	*board = (struct pci_board){
	        .vendor = device->vendor_id, .device = device->device_id, .class = device->device_class};
	snprintf(board->address, sizeof(board->address), "%04x:%02x:%02x.%d", (unsigned)device->domain, device->bus,
	         device->dev, device->func);
	snprintf(board->description, sizeof(board->description), "%s", description ? description : "PCI device");
	snprintf(board->kernel_driver, sizeof(board->kernel_driver), "%s", driver ? driver : "");
	for (size_t i = 0; i < PCI_BARS; i++) {
		board->bar[i].octets = device->size[i];
		board->bar[i].memory = (device->flags[i] & IORESOURCE_MEMORY) != 0;
	}
}

static int in_order(const void *a, const void *b)
{
	return strcmp(((const struct pci_board *)a)->address, ((const struct pci_board *)b)->address);
}

/* Everything between pci_alloc() and pci_cleanup(). */
static void scan(struct pci_access *bus, const char *sysfs, struct pci_filter *filter, struct pci_board *boards,
                 size_t room, size_t *count)
{
	char parameter[] = "sysfs.path", *path = strdup(sysfs); /* libpci takes no const */

	bus->error = take_error;
	bus->warning = ignore_warning;
	bus->debug = ignore_warning;
	bus->method = PCI_ACCESS_SYS_BUS_PCI;
	if (path != NULL)
		pci_set_param(bus, parameter, path); /* libpci keeps a copy */
	free(path);
	pci_init(bus);
	pci_scan_bus(bus);
	for (struct pci_dev *device = bus->devices; device != NULL; device = device->next) {
		pci_fill_info(device, FILL);
		if (!is_wanted(filter, device))
			continue;
		if (*count < room)
			take_board(device, &boards[*count]);
		++*count;
	}
	qsort(boards, *count < room ? *count : room, sizeof(*boards), in_order);
}

int pci_find(const char *sysfs, const char *card, struct pci_board *boards, size_t room, size_t *count,
             struct error *error)
{
	struct pci_access *bus;
	struct pci_filter filter;
	int status = card != NULL ? parse_card(card, &filter, error) : 0;

	*count = 0;
	if (status != 0)
		return status;
	bus = pci_alloc();
	if (setjmp(on_error) == 0)
		scan(bus, sysfs, card != NULL ? &filter : NULL, boards, room, count);
	else
		status = error_set(error, ERROR_DEVICE, "the PCI bus cannot be scanned: libpci: %s", error_text);
	pci_cleanup(bus);
	return status;
}

/* "10ee:9034, 10ee:9038 ...", or the card that was named. */
static void say_wanted(const char *card, char *text, size_t size)
{
	size_t used = 0;

	if (card != NULL) {
		snprintf(text, size, "%.64s", card);
		return;
	}
	for (size_t i = 0; i < KNOWN && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%04x:%04x", i ? ", " : "", known[i].vendor,
		                         known[i].device);
}

int pci_find_only(const char *sysfs, const char *card, struct pci_board *board, struct error *error)
{
	struct pci_board boards[MAX_SHOWN];
	char text[MAX_SHOWN * sizeof(boards[0].address) + 128];
	size_t count, used = 0;
	int status = pci_find(sysfs, card, boards, MAX_SHOWN, &count, error);

	if (status != 0)
		return status;
	if (count == 1) {
		*board = boards[0];
		return 0;
	}
	if (count == 0) {
		say_wanted(card, text, sizeof(text));
		return error_set(error, ERROR_DEVICE, "no such board on the PCI bus: looked for %s in %.128s/devices%s",
		                 text, sysfs, card != NULL ? "" : "; name another one with device.card");
	}
	for (size_t i = 0; i < count && i < MAX_SHOWN; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "", boards[i].address);
	return error_set(error, ERROR_DEVICE, "%zu boards on the PCI bus: device.card must name one of %s%s", count,
	                 text, count > MAX_SHOWN ? " ..." : "");
}
