/* SPDX-License-Identifier: Apache-2.0 */
/* Keywords about a value by itself: its type, and what it may be. */
#include <stdio.h>
#include <string.h>

#include "host/report/schema_walk.h"
#include "host/report/value.h"

static bool is_of_type(const json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type type;
	} TYPES[] = {
	        {"object", JSON_OBJECT},   {"array", JSON_ARRAY},    {"string", JSON_STRING},
	        {"integer", JSON_INTEGER}, {"number", JSON_INTEGER}, {"number", JSON_REAL},
	        {"boolean", JSON_TRUE},    {"boolean", JSON_FALSE},  {"null", JSON_NULL},
	};

	for (size_t i = 0; i < sizeof(TYPES) / sizeof(TYPES[0]); i++) {
		if (!strcmp(TYPES[i].name, type) && json_typeof(value) == TYPES[i].type)
			return true;
	}
	return false;
}

bool schema_type(struct walk *walk, const json_t *schema, const json_t *types, const json_t *value)
{
	char shown[EXPECTED_SIZE / 2];
	const json_t *type;
	size_t i;

	(void)schema;
	if (json_is_string(types) && is_of_type(value, json_string_value(types)))
		return true;
	json_array_foreach(types, i, type)
	{
		if (is_of_type(value, json_string_value(type)))
			return true;
	}
	return schema_complain(walk, value, "must be of type %s", value_show(types, shown, sizeof(shown)));
}

bool schema_const(struct walk *walk, const json_t *schema, const json_t *only, const json_t *value)
{
	char shown[EXPECTED_SIZE / 2];

	(void)schema;
	return json_equal(only, value) ||
	       schema_complain(walk, value, "must be %s", value_show(only, shown, sizeof(shown)));
}

bool schema_enum(struct walk *walk, const json_t *schema, const json_t *choices, const json_t *value)
{
	char shown[EXPECTED_SIZE / 2];
	const json_t *choice;
	size_t i;

	(void)schema;
	json_array_foreach(choices, i, choice)
	{
		if (json_equal(choice, value))
			return true;
	}
	return schema_complain(walk, value, "must be one of %s", value_show(choices, shown, sizeof(shown)));
}

bool schema_minimum(struct walk *walk, const json_t *schema, const json_t *least, const json_t *value)
{
	(void)schema;
	return !json_is_number(value) || json_number_value(value) >= json_number_value(least) ||
	       schema_complain(walk, value, "must be at least %.10g", json_number_value(least));
}

bool schema_maximum(struct walk *walk, const json_t *schema, const json_t *most, const json_t *value)
{
	(void)schema;
	return !json_is_number(value) || json_number_value(value) <= json_number_value(most) ||
	       schema_complain(walk, value, "must be at most %.10g", json_number_value(most));
}

bool schema_above(struct walk *walk, const json_t *schema, const json_t *bound, const json_t *value)
{
	(void)schema;
	return !json_is_number(value) || json_number_value(value) > json_number_value(bound) ||
	       schema_complain(walk, value, "must be above %.10g", json_number_value(bound));
}

/* In octets, not characters; the schema asks only for 1, where there is no difference. */
bool schema_min_length(struct walk *walk, const json_t *schema, const json_t *least, const json_t *value)
{
	(void)schema;
	return !json_is_string(value) || json_string_length(value) >= (size_t)json_integer_value(least) ||
	       schema_complain(walk, value, "must have %" JSON_INTEGER_FORMAT " characters or more",
	                       json_integer_value(least));
}

bool schema_min_items(struct walk *walk, const json_t *schema, const json_t *least, const json_t *value)
{
	(void)schema;
	return !json_is_array(value) || json_array_size(value) >= (size_t)json_integer_value(least) ||
	       schema_complain(walk, value, "must have %" JSON_INTEGER_FORMAT " elements or more",
	                       json_integer_value(least));
}

bool schema_max_properties(struct walk *walk, const json_t *schema, const json_t *most, const json_t *value)
{
	(void)schema;
	return json_object_size(value) <= (size_t)json_integer_value(most) ||
	       schema_complain(walk, value, "must have %" JSON_INTEGER_FORMAT " keys or fewer",
	                       json_integer_value(most));
}

/* Patterns are compiled once: every key name is matched against the same few. */
bool schema_matches(struct walk *walk, const char *pattern, const char *text)
{
	struct pattern *found = walk->patterns;

	while (found < walk->patterns + walk->pattern_count && strcmp(found->text, pattern) != 0)
		found++;
	if (found == walk->patterns + walk->pattern_count) {
		if (walk->pattern_count == PATTERNS)
			return schema_internal(walk, pattern, "one pattern too many");
		if (regcomp(&found->regex, pattern, REG_EXTENDED | REG_NOSUB))
			return schema_internal(walk, pattern, "no regular expression");
		found->text = pattern;
		walk->pattern_count++;
	}
	return regexec(&found->regex, text, 0, NULL, 0) == 0;
}

bool schema_pattern(struct walk *walk, const json_t *schema, const json_t *pattern, const json_t *value)
{
	(void)schema;
	return !json_is_string(value) || schema_matches(walk, json_string_value(pattern), json_string_value(value)) ||
	       schema_complain(walk, value, "must match %s", json_string_value(pattern));
}
