// SPDX-License-Identifier: Apache-2.0
/* The backend "pci": a board whose registers are memory behind a BAR. libpci finds it (pci_find.c), sysfs maps it
 * (pci_bar.c), and after that an access is a load or a store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/backend.h"
#include "drivers/board_lock.h"
#include "drivers/pci_bar.h"
#include "drivers/pci_find.h"
#include "host/base/clock.h"
#include "hw/regs/fpgauge_regs.h"

enum { MAX_LISTED = 64, LONGEST_PAUSE_NS = 500000000 };

struct pci_handle {
	struct pci_bar bar;
	char name[32];                     /* "pci 0000:3b:00.0" */
	int64_t claimed_ns, free_until_ns; /* wall time; only if this program only observes */
};

static int pci_read32(void *opaque, uint32_t address, uint32_t *value, struct error *error)
{
	const struct pci_handle *handle = opaque;

	(void)error; /* a load cannot fail: a board that is gone reads all ones, and device.c knows what that means */
	*value = pci_bar_read32(&handle->bar, address);
	return 0;
}

static int pci_write32(void *opaque, uint32_t address, uint32_t value, struct error *error)
{
	const struct pci_handle *handle = opaque;

	(void)error;
	pci_bar_write32(&handle->bar, address, value);
	return 0;
}

/* The board belongs to this process alone through VFIO. Between two claims it stays free for three times as long as
 * a claim took, so that a program that observes without pause does not lock out one that wants to drive. */
static int pci_claim(void *opaque, bool *claimed, struct error *error)
{
	struct pci_handle *handle = opaque;
	int64_t pause_ns = handle->free_until_ns - clock_ns();

	*claimed = true;
	if (handle->bar.lock < 0)
		return 0;
	clock_sleep_ns(pause_ns < LONGEST_PAUSE_NS ? pause_ns : LONGEST_PAUSE_NS);
	handle->claimed_ns = clock_ns();
	return board_lock_try(handle->bar.lock, handle->name, claimed, error);
}

static void pci_release(void *opaque)
{
	struct pci_handle *handle = opaque;

	if (handle->bar.lock < 0)
		return;
	board_lock_give_back(handle->bar.lock);
	handle->free_until_ns = clock_ns() + 3 * (clock_ns() - handle->claimed_ns);
}

static const char *option(const struct device_config *config, const char *name, const char *otherwise)
{
	for (size_t i = 0; i < config->option_count; i++)
		if (strcmp(config->options[i].name, name) == 0)
			return config->options[i].value;
	return otherwise;
}

/* The settings of the plan that concern a board. ERROR_PLAN with *bad_option. */
static int read_options(const struct device_config *config, const char **sysfs, const char **card, unsigned *number,
                        const char **bad_option, struct error *error)
{
	const char *bar = option(config, "device.bar", "0");

	*sysfs = option(config, "device.sysfs", PCI_SYSFS);
	*card = option(config, "device.card", NULL);
	*number = (unsigned)(bar[0] - '0');
	if (*number >= PCI_BARS || bar[1] != '\0') {
		*bad_option = "device.bar";
		return error_set(error, ERROR_PLAN, "device.bar = %.32s: must be 0 to %d", bar, PCI_BARS - 1);
	}
	*bad_option = "device.card"; /* the option at fault if no board matches */
	return *card != NULL ? pci_check_card(*card, error) : 0;
}

static int pci_open(const struct device_config *config, void **opaque, char *name, size_t name_size,
                    const char **bad_option, struct error *error)
{
	const char *sysfs, *card;
	struct pci_board board;
	struct pci_handle *handle;
	unsigned number;
	int status = read_options(config, &sysfs, &card, &number, bad_option, error);

	if (status == 0)
		status = pci_find_only(sysfs, card, &board, error);
	if (status != 0)
		return status;
	handle = calloc(1, sizeof(*handle));
	if (handle == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	*bad_option = "device.bar";
	status = pci_bar_open(sysfs, &board, number, FPGAUGE_MAP_OCTETS, config->use == DEVICE_LOOK, &handle->bar,
	                      error);
	if (status != 0) {
		free(handle);
		return status;
	}
	snprintf(handle->name, sizeof(handle->name), "pci %s", board.address);
	snprintf(name, name_size, "%s", handle->name);
	*bad_option = NULL;
	*opaque = handle;
	return 0;
}

static void pci_close(void *opaque)
{
	struct pci_handle *handle = opaque;

	pci_bar_close(&handle->bar);
	free(handle);
}

static int pci_list(device_found *found, void *context, struct error *error)
{
	struct pci_board *boards;
	size_t count = 0;
	int status;

	if (access(PCI_SYSFS "/devices", F_OK) != 0) /* a machine without the bus has no boards on it */
		return 0;
	boards = calloc(MAX_LISTED, sizeof(*boards));
	if (boards == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = pci_find(PCI_SYSFS, NULL, boards, MAX_LISTED, &count, error);
	for (size_t i = 0; status == 0 && i < count && i < MAX_LISTED; i++) {
		struct device_listing listing = {.ready = true};

		snprintf(listing.name, sizeof(listing.name), "pci:%s", boards[i].address);
		snprintf(listing.what, sizeof(listing.what), "%s, %04x:%04x", boards[i].description, boards[i].vendor,
		         boards[i].device);
		status = found(&listing, context);
	}
	free(boards);
	return status;
}

const struct backend_ops backend_pci = {
        .name = "pci",
        .open = pci_open,
        .close = pci_close,
        .read32 = pci_read32,
        .write32 = pci_write32,
        .claim = pci_claim,
        .release = pci_release,
        .list = pci_list,
};
