/* SPDX-License-Identifier: Apache-2.0 */
#include "host/cli/device_name.h"

#include <stdio.h>
#include <string.h>

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

bool device_name_of_part(const char *device, char name[DEVICE_NAME_SIZE])
{
	return device_list(is_wanted, &(struct wanted){device, name}) == 1;
}
