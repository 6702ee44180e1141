/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/device_name.h"

#include <stdio.h>
#include <string.h>

#include "host/plan/plan_keys.h"

struct wanted {
	const char *part;
	char *name;
};

static int is_wanted(const struct device_listing *listing, void *context)
{
	const struct wanted *wanted = context;
	const char *colon = strchr(listing->name, ':');

	if (!colon || strcmp(colon + 1, wanted->part) != 0)
		return 0;
	snprintf(wanted->name, DEVICE_NAME_SIZE, "%s", listing->name);
	return 1;
}

/* "sim", "pci:0000:3b:00.0" */
static bool names_backend(const char *device)
{
	const struct key_set *set;
	bool known = false;

	for (size_t i = 0; (set = PLAN_BACKENDS.set(i)); i++)
		known |= strlen(set->name) == strcspn(device, ":") && !strncmp(device, set->name, strlen(set->name));
	return known;
}

const char *device_name_in_full(const char *device, char name[DEVICE_NAME_SIZE])
{
	const bool found = !names_backend(device) && device_list(is_wanted, &(struct wanted){device, name}) == 1;

	return found ? name : device;
}
