/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge devices: what the backends find, each device opened for a moment to see that it answers. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/commands/commands.h"
#include "host/console/bring_up.h"
#include "host/report/report.h"

static const char DOC[] = "Lists the devices of all backends: the name other commands take as DEVICE, the ports, the "
                          "link speed, and the version "
                          "and hash of the register map.\v"
                          "Simulation libraries are looked for in FPGAUGE_LIBRARY_PATH and next to the program. A "
                          "device that is present but "
                          "cannot be opened is listed with the reason. Exit code 3 if none can be opened.";

struct entry {
	struct device_listing listing;
	struct device_identity identity; /* if ready */
};

struct list {
	struct entry *entries;
	size_t count;
};

static int add(const struct device_listing *listing, void *context)
{
	struct list *list = context;
	struct entry *grown = realloc(list->entries, (list->count + 1) * sizeof(*grown));

	if (!grown)
		return ERROR_INTERNAL;
	list->entries = grown;
	list->entries[list->count] = (struct entry){.listing = *listing};
	text_repair(list->entries[list->count++].listing.what, sizeof(listing->what));
	return 0;
}

/* A device is ready if it opens. */
static void look(struct entry *entry)
{
	const char *bad_option;
	struct device *device = NULL;
	struct plan *plan = NULL;
	struct error error = {0};
	int result = plan_of_device(entry->listing.name, NULL, 0, &plan, &error);

	if (!result) {
		plan->device.use = DEVICE_LOOK; /* so that a device in use is listed too */
		result = device_open(&plan->device, &device, &bad_option, &error);
	}
	if (!result)
		entry->identity = *device_identity(device);
	device_close(device);
	plan_free(plan);
	if (result)
		device_listing_refuse(&entry->listing, error.text);
}

static void print_entry(const struct entry *entry, int width)
{
	const struct device_identity *identity = &entry->identity;

	if (entry->listing.ready)
		printf("%-*s  %5u  %-10s  %" PRIu32 " 0x%08" PRIx32 "  %s\n", width, entry->listing.name,
		       identity->ports, format_bit_rate(identity->link_bps).text, identity->map_version,
		       identity->map_hash, entry->listing.what);
	else
		printf("%-*s  not ready: %s (%s)\n", width, entry->listing.name, entry->listing.why_not,
		       entry->listing.what);
}

static void print_list(const struct list *list)
{
	int width = 6; /* width of the heading */

	if (list->count == 0)
		printf("no device found: neither a simulation library nor a card\n");
	for (size_t i = 0; i < list->count; i++) {
		int length = (int)strlen(list->entries[i].listing.name);

		width = length > width ? length : width;
	}
	if (list->count)
		printf("%-*s  ports  %-10s  %-12s  what\n", width, "device", "link", "map");
	for (size_t i = 0; i < list->count; i++)
		print_entry(&list->entries[i], width);
}

static void print_names(const struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		printf("%s\n", list->entries[i].listing.name);
}

static json_t *entry_json(const struct entry *entry)
{
	const struct device_identity *identity = &entry->identity;
	bool ready = entry->listing.ready;
	char name[sizeof(entry->listing.name)]; /* a repaired copy: the listing keeps the name that opens the device */
	json_t *object = json_pack("{s:s, s:s, s:b, s:o}", "name", text_copy(name, sizeof(name), entry->listing.name),
	                           "what", entry->listing.what, "ready", ready, "why_not",
	                           ready ? json_null() : json_string(entry->listing.why_not));
	char hash[16];

	snprintf(hash, sizeof(hash), "0x%08" PRIx32, identity->map_hash);
	json_put(object, "backend", ready ? json_string(identity->backend) : json_null());
	json_put(object, "ports", ready ? json_integer(identity->ports) : json_null());
	json_put(object, "bits_per_second", ready ? json_integer((json_int_t)identity->link_bps) : json_null());
	json_put(object, "map_version", ready ? json_integer(identity->map_version) : json_null());
	json_put(object, "map_hash", ready ? json_string(hash) : json_null());
	return object;
}

static int write_json(const struct list *list, const char *path, struct error *error)
{
	json_t *devices = json_array();
	json_t *root = json_pack("{s:s, s:o}", "tool", "fpgauge " FPGAUGE_VERSION, "devices", devices);
	int result;

	for (size_t i = 0; i < list->count; i++)
		json_add(devices, entry_json(&list->entries[i]));
	result = root ? report_json(root, path, error) : error_set(error, ERROR_INTERNAL, "out of memory");
	json_decref(root);
	return result;
}

struct devices_options {
	const char *json_path; /* NULL: none */
	bool names;
};

static const struct option_row OWN_OPTIONS[] = {
        {"names", 0, NULL, "Print only the names, one per line, without opening a device", OPTION_FLAG,
         .place = offsetof(struct devices_options, names)},
        {0},
};

static void check(void *user, const struct argp_state *state)
{
	const struct devices_options *options = user;

	if (options->names && options->json_path)
		argp_error(state, "--names: cannot be combined with --json, which has the names");
}

static int run(int argc, char **argv)
{
	struct devices_options options = {0};
	struct list list = {0};
	struct error error = {0};
	bool any = false;
	int result = 0;

	command_parse(&DEVICES_COMMAND, argc, argv, &options);
	if (device_list(add, &list))
		result = error_set(&error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < list.count; i++) {
		if (list.entries[i].listing.ready && !options.names)
			look(&list.entries[i]);
		any |= list.entries[i].listing.ready;
	}
	if (!result && options.json_path)
		result = write_json(&list, options.json_path, &error);
	if (!result && options.names)
		print_names(&list);
	else if (!result && (!options.json_path || strcmp(options.json_path, "-") != 0))
		print_list(&list);
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(&error, ERROR_PLAN, "standard output cannot be written");
	result = result ? exit_code_of(&error, argv[0]) : any ? EXIT_VALID : EXIT_DEVICE;
	free(list.entries);
	return result;
}

const struct command DEVICES_COMMAND = {
        .name = "devices",
        .usage = "[--json FILE | --names]",
        .summary = "List the devices that can be opened, and why others cannot",
        .doc = DOC,
        .groups = {{JSON_OPTION, offsetof(struct devices_options, json_path)}, {OWN_OPTIONS, 0}},
        .check = check,
        .run = run,
};
