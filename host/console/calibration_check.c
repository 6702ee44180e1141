/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of an entry, one row each. */
#include "host/console/calibration_check.h"

#include <regex.h>
#include <stdbool.h>

#include "host/base/json_write.h"
#include "host/report/value.h"
#include "host/trial/tester.h"

enum key_kind { TEXT, PATTERN, WHOLE, NUMBER };

struct key {
	const char *name;
	enum key_kind kind;
	const char *pattern;
	double least, most;
	const char *must;
};

/* A cable with a latency of one second would go around the earth five times. */
#define MOST_NS 1e9
#define LATENCY_RANGE "must be a number of nanoseconds, 0 to 1e9"
#define PORT "must be a port, 0 to 15"
_Static_assert(TRIAL_MAX_PORTS == 16, "PORT names the last one");

static const struct key KEYS[] = {
        {"device", TEXT, NULL, 0, 0, "must be the name of a device"},
        {"regmap", PATTERN, "^[0-9]+:0x[0-9a-f]{8}$", 0, 0,
         "must be version and hash of a register map, as 1:0x94672bf5"},
        {"bits_per_second", WHOLE, NULL, 1, 1e15, "must be a whole number, 1 to 1e15"},
        {"from_port", WHOLE, NULL, 0, TRIAL_MAX_PORTS - 1, PORT},
        {"to_port", WHOLE, NULL, 0, TRIAL_MAX_PORTS - 1, PORT},
        {"frames", WHOLE, NULL, 1, 1e18, "must be a whole number, 1 to 1e18"},
        {"latency_min_ns", NUMBER, NULL, 0, MOST_NS, LATENCY_RANGE},
        {"latency_mean_ns", NUMBER, NULL, 0, MOST_NS, LATENCY_RANGE},
        {"latency_max_ns", NUMBER, NULL, 0, MOST_NS, LATENCY_RANGE},
        {"measured", PATTERN, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", 0, 0,
         "must be a time in UTC, as 2026-11-21T13:00:00Z"},
        {"tool", TEXT, NULL, 0, 0, "must be the program that measured"},
};

/* The keys that identify an entry. */
static const char *const IDENTITY[] = {"device", "regmap", "bits_per_second", "from_port", "to_port"};

static bool matches(const char *text, const char *pattern)
{
	regex_t regex;
	bool found;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return false;
	found = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return found;
}

static bool is_right(const struct key *key, const json_t *value)
{
	const char *text = json_string_value(value);
	double number = json_number_value(value);

	switch (key->kind) {
	case TEXT:
		return text && *text;
	case PATTERN:
		return text && matches(text, key->pattern);
	case WHOLE:
		return json_is_integer(value) && number >= key->least && number <= key->most;
	case NUMBER:
		return json_is_number(value) && number >= key->least && number <= key->most;
	}
	return false;
}

static int check_keys(const json_t *entry, const char *path, size_t index, struct error *error)
{
	char shown[80];

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		const json_t *value = json_object_get(entry, KEYS[i].name);

		if (!value)
			return error_set(error, ERROR_PLAN, "%s: calibrations[%zu]: %s is missing: %s", path, index,
			                 KEYS[i].name, KEYS[i].must);
		if (!is_right(&KEYS[i], value))
			return error_set(error, ERROR_PLAN, "%s: calibrations[%zu]: %s = %s: %s", path, index,
			                 KEYS[i].name, json_show(value, shown, sizeof(shown)), KEYS[i].must);
	}
	return 0;
}

/* Latencies in the order of the rows above, smallest first. */
static int check_order(const json_t *entry, const char *path, size_t index, struct error *error)
{
	double min = value_number(entry, "latency_min_ns"), mean = value_number(entry, "latency_mean_ns"),
	       max = value_number(entry, "latency_max_ns");

	if (min <= mean && mean <= max)
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "%s: calibrations[%zu]: latency_mean_ns = %.15g: must be latency_min_ns to latency_max_ns, "
	                 "%.15g to %.15g",
	                 path, index, mean, min, max);
}

static bool same_identity(const json_t *a, const json_t *b)
{
	for (size_t i = 0; i < sizeof(IDENTITY) / sizeof(IDENTITY[0]); i++) {
		if (!json_equal(json_object_get(a, IDENTITY[i]), json_object_get(b, IDENTITY[i])))
			return false;
	}
	return true;
}

static int check_entry(const json_t *entries, size_t index, const char *path, struct error *error)
{
	const json_t *entry = json_array_get(entries, index);
	char shown[80];
	int result;

	if (!json_is_object(entry))
		return error_set(error, ERROR_PLAN, "%s: calibrations[%zu] = %s: must be an object", path, index,
		                 json_show(entry, shown, sizeof(shown)));
	result = check_keys(entry, path, index, error);
	if (!result)
		result = check_order(entry, path, index, error);
	for (size_t i = 0; !result && i < index; i++) {
		if (same_identity(json_array_get(entries, i), entry))
			result = error_set(error, ERROR_PLAN,
			                   "%s: calibrations[%zu]: is of the same device, register map, speed and "
			                   "ports as calibrations[%zu]: must be there once",
			                   path, index, i);
	}
	return result;
}

int calibration_check(const json_t *file, const char *path, struct error *error)
{
	const json_t *schema = json_object_get(file, "schema"), *entries = json_object_get(file, "calibrations");
	char shown[80];
	int result = 0;

	if (!json_is_integer(schema) || json_integer_value(schema) != CALIBRATION_SCHEMA)
		return error_set(error, ERROR_PLAN, "%s: no calibration file of schema %d: its schema is %s", path,
		                 CALIBRATION_SCHEMA, json_show(schema, shown, sizeof(shown)));
	if (!json_is_array(entries))
		return error_set(error, ERROR_PLAN, "%s: calibrations = %s: must be a list", path,
		                 json_show(entries, shown, sizeof(shown)));
	for (size_t i = 0; !result && i < json_array_size(entries); i++)
		result = check_entry(entries, i, path, error);
	return result;
}
