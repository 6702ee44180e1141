/* SPDX-License-Identifier: Apache-2.0 */
/* The calibration file, and which of its entries apply to a device. */
#include "host/console/calibration.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/console/calibration_check.h"
#include "host/console/calibration_ways.h"
#include "host/report/output_file.h"
#include "host/report/report.h"

enum { PATH_SIZE = 4096 };

static const char NONE[] = "none";

/* -- the file ----------------------------------------------------------------------------------------------------- */

const char *calibration_default_path(char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	path[0] = '\0';
	if (state && state[0] == '/') /* the XDG specification ignores relative paths */
		snprintf(path, size, "%s/fpgauge/calibration.json", state);
	else if (home && home[0] == '/')
		snprintf(path, size, "%s/.local/state/fpgauge/calibration.json", home);
	return path;
}

/* Makes the missing folders above a path. A failure shows when the file is written. */
static void make_folders(const char *path)
{
	char folder[PATH_SIZE];

	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder))
		return;
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0777);
		*slash = '/';
	}
}

static int load_file(const char *path, json_t **file, struct error *error)
{
	json_error_t where;
	int result;

	*file = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
	if (!*file)
		return error_set(error, ERROR_PLAN, "%s:%d: no calibration: %s", path, where.line > 0 ? where.line : 1,
		                 where.text);
	result = calibration_check(*file, path, error);
	if (result) {
		json_decref(*file);
		*file = NULL;
	}
	return result;
}

static int write_file(FILE *out, const void *file)
{
	return report_json_write(file, JSON_INDENT(2), out);
}

/* -- entries ------------------------------------------------------------------------------------------------------ */

static void regmap_text(const struct device_identity *identity, char *text, size_t size)
{
	snprintf(text, size, "%" PRIu32 ":0x%08" PRIx32, identity->map_version, identity->map_hash);
}

static bool is_text(const json_t *entry, const char *key, const char *text)
{
	const char *value = json_string_value(json_object_get(entry, key));

	return value && !strcmp(value, text);
}

static bool is_number(const json_t *entry, const char *key, uint64_t number)
{
	const json_t *value = json_object_get(entry, key);

	return json_is_integer(value) && (uint64_t)json_integer_value(value) == number;
}

static bool is_of_device(const json_t *entry, const struct device_identity *identity)
{
	return is_text(entry, "device", identity->name);
}

static bool is_of_setting(const json_t *entry, const struct device_identity *identity)
{
	char regmap[32], now[CLOCK_TEXT_SIZE];

	clock_rfc3339_now(now, false);
	regmap_text(identity, regmap, sizeof(regmap));
	return is_of_device(entry, identity) && is_text(entry, "regmap", regmap) &&
	       is_number(entry, "bits_per_second", identity->link_bps);
}

static bool is_of_ports(const json_t *entry, unsigned from, unsigned to)
{
	return is_number(entry, "from_port", from) && is_number(entry, "to_port", to);
}

static const json_t *find(const json_t *entries, const struct device_identity *identity, unsigned from, unsigned to)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(entries, i, entry)
	{
		if (is_of_setting(entry, identity) && is_of_ports(entry, from, to))
			return entry;
	}
	return NULL;
}

static json_t *make_entry(const struct device_identity *identity, const struct calibration_cable *cable)
{
	double ns = 8e9 / (double)identity->link_bps;
	char regmap[32], now[CLOCK_TEXT_SIZE];

	clock_rfc3339_now(now, false);
	regmap_text(identity, regmap, sizeof(regmap));
	return json_pack("{s:s, s:s, s:I, s:i, s:i, s:I, s:f, s:f, s:f, s:s, s:s}", "device", identity->name, "regmap",
	                 regmap, "bits_per_second", (json_int_t)identity->link_bps, "from_port", (int)cable->from,
	                 "to_port", (int)cable->to, "frames", (json_int_t)cable->frames, "latency_min_ns",
	                 (double)cable->min_ot * ns, "latency_mean_ns", cable->mean_ot * ns, "latency_max_ns",
	                 (double)cable->max_ot * ns, "measured", now, "tool", "fpgauge " FPGAUGE_VERSION);
}

static void replace(json_t *entries, const struct device_identity *identity, const struct calibration_cable *cable)
{
	for (size_t i = json_array_size(entries); i-- > 0;) {
		const json_t *entry = json_array_get(entries, i);

		if (is_of_setting(entry, identity) && is_of_ports(entry, cable->from, cable->to))
			json_array_remove(entries, i);
	}
	json_add(entries, make_entry(identity, cable));
}

int calibration_store(const char *path, const struct device_identity *identity, const struct calibration_cable *cables,
                      size_t count, struct error *error)
{
	json_t *file = NULL;
	int result = 0;

	if (access(path, F_OK) == 0)
		result = load_file(path, &file, error);
	else
		file = json_pack("{s:i, s:[]}", "schema", CALIBRATION_SCHEMA, "calibrations");
	if (!result && !file)
		result = error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; !result && i < count; i++)
		replace(json_object_get(file, "calibrations"), identity, &cables[i]);
	if (!result) {
		make_folders(path);
		result = json_write_check(error);
		if (result == 0)
			result = output_file("--calibration", path, write_file, file, error);
	}
	json_decref(file);
	return result;
}

/* -- choosing ----------------------------------------------------------------------------------------------------- */

struct choice {
	const struct plan *plan;
	const char *place; /* place for complaints: "lab.cfg:3: cal.json" */
	const json_t *entries;
	const struct device_identity *identity;
	bool named; /* true: the plan names it; then it must have an entry that applies */
};

/* The way from a sender to a receiver: over the cable between them, or, if each port was looped to itself, the mean of
 * both loops. NULL: not known. */
static json_t *way_of(const struct choice *choice, unsigned from, unsigned to)
{
	const json_t *direct = find(choice->entries, choice->identity, from, to);
	const json_t *sender = find(choice->entries, choice->identity, from, from);
	const json_t *receiver = find(choice->entries, choice->identity, to, to);
	double ns;

	if (direct)
		ns = json_number_value(json_object_get(direct, "latency_mean_ns"));
	else if (sender && receiver)
		ns = (json_number_value(json_object_get(sender, "latency_mean_ns")) +
		      json_number_value(json_object_get(receiver, "latency_mean_ns"))) /
		     2;
	else
		return NULL;
	return json_pack("{s:i, s:i, s:f, s:O}", "from_port", (int)from, "to_port", (int)to, "latency_ns", ns,
	                 "measured", json_object_get(direct ? direct : receiver, "measured"));
}

/* Makes a list of the ways that tests use and that are known. */
static json_t *make_ways(const struct choice *choice)
{
	const unsigned ports = choice->identity->ports;
	json_t *ways = json_array();

	for (unsigned to = 0; to < ports; to++)
		for (unsigned from = 0; from < ports; from++) {
			json_t *way = calibration_uses(choice->plan, ports, from, to) ? way_of(choice, from, to) : NULL;

			if (way)
				json_add(ways, way);
		}
	return ways;
}

/* Refuses a file with an entry for the right device, but the wrong bitstream or speed. */
static int refuse_other(const struct choice *choice, struct error *error)
{
	const struct device_identity *identity = choice->identity;
	const json_t *entry;
	char regmap[32];
	size_t i;

	regmap_text(identity, regmap, sizeof(regmap));
	json_array_foreach(choice->entries, i, entry)
	{
		uint64_t bps = (uint64_t)json_integer_value(json_object_get(entry, "bits_per_second"));
		const char *other = json_string_value(json_object_get(entry, "regmap"));

		if (is_of_device(entry, identity))
			return error_set(error, ERROR_PLAN,
			                 "%s: is of %s with register map %s at %s; it has %s at %s now: measure again "
			                 "(fpgauge selftest --external), or say calibration = \"none\"",
			                 choice->place, identity->name, other ? other : "?", format_bit_rate(bps).text,
			                 regmap, format_bit_rate(identity->link_bps).text);
	}
	if (!choice->named)
		return 0;
	entry = json_array_get(choice->entries, 0);
	return error_set(error, ERROR_PLAN, "%s: has no calibration of %s%s%s", choice->place, identity->name,
	                 entry ? ", only of others, such as " : "",
	                 entry && json_is_string(json_object_get(entry, "device"))
	                         ? json_string_value(json_object_get(entry, "device"))
	                         : "");
}

/* Makes what the run file keeps. The path of the calibration file may contain any octets. */
static int make_record(const struct choice *choice, const char *path, json_t *ways, json_t **record,
                       struct error *error)
{
	char *shown = text_repaired(path);

	*record = json_pack("{s:s, s:I, s:o}", "file", shown, "bits_per_second", (json_int_t)choice->identity->link_bps,
	                    "ports", ways);
	free(shown);
	return *record ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");
}

static int choose(const struct choice *choice, const char *path, json_t **record, struct error *error)
{
	struct latency_ways ways;
	const json_t *entry;
	bool any = false;
	size_t i;
	int result;

	json_array_foreach(choice->entries, i, entry) any |= is_of_setting(entry, choice->identity);
	if (!any)
		return refuse_other(choice, error);
	result = make_record(choice, path, make_ways(choice), record, error);
	if (!result)
		result = calibration_ways(*record, &ways, error);
	if (!result)
		result = calibration_ways_check(choice->plan, choice->identity, &ways, choice->place, error);
	if (result) {
		json_decref(*record);
		*record = NULL;
	}
	return result;
}

int calibration_choose(const struct plan *plan, const struct device_identity *identity, json_t **record,
                       struct error *error)
{
	char standard[PATH_SIZE], place[PATH_SIZE + 200];
	const char *path = plan->calibration;
	struct choice choice = {.plan = plan, .place = place, .identity = identity, .named = path != NULL};
	json_t *file;
	int result;

	*record = NULL;
	if (!path && strcmp(identity->backend, "sim") != 0)
		path = calibration_default_path(standard, sizeof(standard));
	if (!path || !*path || !strcmp(path, NONE) || (!choice.named && access(path, F_OK) != 0))
		return 0;
	if (choice.named)
		snprintf(place, sizeof(place), "%s: device.calibration = \"%s\"",
		         plan_option_place(plan, "device.calibration"), path);
	else
		snprintf(place, sizeof(place), "%s", path);
	result = load_file(path, &file, error);
	if (result && choice.named)
		error_prefix(error, "%s: device.calibration: ", plan_option_place(plan, "device.calibration"));
	if (result)
		return result;
	choice.entries = json_object_get(file, "calibrations");
	result = choose(&choice, path, record, error);
	json_decref(file);
	return result;
}
