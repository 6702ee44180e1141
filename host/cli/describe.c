/* SPDX-License-Identifier: Apache-2.0 */
/* The tester in words. */
#include "host/cli/describe.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "host/base/format.h"

char *describe_device(const struct device_identity *device)
{
	char regmap[32], *text;
	json_t *object;

	snprintf(regmap, sizeof(regmap), "%" PRIu32 ":0x%08" PRIx32, device->map_version, device->map_hash);
	object = json_pack("{s:s, s:s, s:s, s:i}", "backend", device->backend, "name", device->name, "regmap", regmap,
	                   "ports", (int)device->ports);
	text = object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
	json_decref(object);
	return text;
}

static int check_registers(const struct store *store, const struct device_identity *now, struct error *error)
{
	const struct device_identity *then = &store_run(store)->device;

	if (then->groups == now->groups && then->destinations == now->destinations &&
	    then->histogram_bins == now->histogram_bins)
		return 0;
	return error_set(
	        error, ERROR_DEVICE,
	        "%s: holds a run on %s with %u groups a word, %u destinations and %u histogram bins; this one has "
	        "%u, %u and %u",
	        store_path(store), then->name, then->groups, then->destinations, then->histogram_bins, now->groups,
	        now->destinations, now->histogram_bins);
}

int describe_check_same(const struct store *store, const char *text, const struct device_identity *device,
                        struct error *error)
{
	const struct store_run *run = store_run(store);
	uint64_t link_bps = device ? device->link_bps : run->link_bps;

	if (strcmp(run->tester, text) != 0 || run->has_device != (device != NULL) || run->link_bps != link_bps)
		return error_set(error, ERROR_DEVICE, "%s: holds a run on %s at %s; this device is %s at %s",
		                 store_path(store), run->tester, format_bit_rate(run->link_bps).text, text,
		                 format_bit_rate(link_bps).text);
	return device ? check_registers(store, device, error) : 0;
}
