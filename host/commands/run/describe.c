/* SPDX-License-Identifier: Apache-2.0 */
/* The tester in words. */
#include "host/commands/run/describe.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/trial/exec/tester.h"

/* Describes what was agreed with an external program; about the program itself, only its command is known. */
static json_t *describe_program(const struct setup *setup)
{
	const struct plan_exec *exec = &setup->plan->exec;
	double tolerance = (double)exec->offered_tolerance.numerator / (double)exec->offered_tolerance.denominator;
	char text[256];

	return json_pack("{s:s, s:s, s:n, s:n, s:i, s:f, s:o}", "backend", setup->plan->device.backend, "name",
	                 exec_command_text(exec->command, text, sizeof(text)), "regmap", "ports", "senders",
	                 (int)exec->senders, "offered_tolerance_percent", 100 * tolerance, "timeout_s",
	                 exec->timeout_ns ? json_real((double)exec->timeout_ns / 1e9) : json_null());
}

/* A simulation that keeps pace with real time has interfaces of Linux as its lines. */
static bool is_in_real_time(struct device *device)
{
	char ignored[DEVICE_DISTURBANCE_SIZE];

	return !strcmp(device_identity(device)->backend, "sim") &&
	       device_disturbance(device, ignored) != DEVICE_OWN_TIME;
}

static json_t *describe_device(struct device *opened)
{
	const struct device_identity *device = device_identity(opened);
	const uint32_t error_ot = device->tx_time_error_ot + device->rx_time_error_ot;
	char regmap[32];
	json_t *object;

	snprintf(regmap, sizeof(regmap), "%" PRIu32 ":0x%08" PRIx32, device->map_version, device->map_hash);
	object = json_pack("{s:s, s:s, s:s, s:i, s:s, s:f}", "backend", device->backend, "name", device->name, "regmap",
	                   regmap, "ports", (int)device->ports, "gaps_measured",
	                   error_ot ? "before the MAC" : "on the line", "latency_error_ns",
	                   error_ot * 8e9 / (double)device->link_bps);
	if (device->bitstream[0] != '\0')
		json_put(object, "bitstream", json_string(device->bitstream));
	if (is_in_real_time(opened))
		json_put(object, "real_time", json_true());
	return object;
}

static json_t *describe(const struct setup *setup)
{
	return setup->device ? describe_device(setup->device) : describe_program(setup);
}

static char *text_of(const json_t *object)
{
	return object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) : NULL;
}

char *describe_tester(const struct setup *setup)
{
	json_t *object = describe(setup);
	char *text = text_of(object);

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

int describe_check_same(const struct store *store, const struct setup *setup, struct error *error)
{
	const struct store_run *run = store_run(store);
	uint64_t link_bps = setup->tester->info.link_bps;
	char *now = describe_tester(setup);
	int result = 0;

	if (!now)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	if (strcmp(run->tester, now) != 0 || run->link_bps != link_bps)
		result = error_set(error, ERROR_DEVICE, "%s: holds a run on %s at %s; this device is %s at %s",
		                   store_path(store), run->tester, format_bit_rate(run->link_bps).text, now,
		                   format_bit_rate(link_bps).text);
	else if (setup->device)
		result = check_registers(store, device_identity(setup->device), error);
	free(now);
	return result;
}
