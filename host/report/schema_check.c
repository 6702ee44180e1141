/* SPDX-License-Identifier: Apache-2.0 */
/* The part of JSON Schema 2020-12 that the published schema uses: one function per keyword. Stricter in one respect: an
 * integer must be written as one, because to those who read it 2.0 is not an integer. */
#include "host/report/schema_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/report/schema_walk.h"
#include "host/report/schema_write.h"
#include "host/report/value.h"

static bool fits(struct walk *walk, const json_t *schema, const json_t *value);

bool schema_complain(struct walk *walk, const json_t *value, const char *format, ...)
{
	char expected[EXPECTED_SIZE], shown[100];
	va_list arguments;

	if (walk->quiet || walk->status)
		return false;
	va_start(arguments, format);
	vsnprintf(expected, sizeof(expected), format, arguments);
	va_end(arguments);
	walk->status = error_set(walk->error, ERROR_STORE, "%s: %s = %s: %s", walk->path,
	                         walk->length ? walk->pointer : "/", value_show(value, shown, sizeof(shown)), expected);
	return false;
}

bool schema_internal(struct walk *walk, const char *what, const char *detail)
{
	if (!walk->status)
		walk->status = error_set(walk->error, ERROR_INTERNAL, "schema of results: %s: %s", what, detail);
	return false;
}

/* -- places ------------------------------------------------------------------------------------------------------ */

static void append(struct walk *walk, const char *text, size_t length)
{
	if (walk->length + length >= POINTER_SIZE)
		length = POINTER_SIZE - 1 - walk->length;
	memcpy(walk->pointer + walk->length, text, length);
	walk->length += length;
	walk->pointer[walk->length] = '\0';
}

/* RFC 6901: "~" and "/" of a key are written "~0" and "~1". */
static bool fits_member(struct walk *walk, const json_t *schema, const char *key, const json_t *value)
{
	size_t before = walk->length;
	bool result;

	append(walk, "/", 1);
	for (const char *c = key; *c; c++)
		append(walk, *c == '~' ? "~0" : *c == '/' ? "~1" : c, *c == '~' || *c == '/' ? 2 : 1);
	result = fits(walk, schema, value);
	walk->length = before;
	walk->pointer[before] = '\0';
	return result;
}

/* -- members and elements ---------------------------------------------------------------------------------------- */

static bool keyword_essential(struct walk *walk, const json_t *schema, const json_t *names, const json_t *value)
{
	const json_t *name;
	size_t i;

	(void)schema;
	json_array_foreach(names, i, name)
	{
		if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
			return schema_complain(walk, value, "must have the key \"%s\"", json_string_value(name));
	}
	return true;
}

static bool keyword_properties(struct walk *walk, const json_t *schema, const json_t *properties, const json_t *value)
{
	const char *key;
	json_t *inner;

	(void)schema;
	json_object_foreach((json_t *)(uintptr_t)properties, key, inner)
	{
		const json_t *member = json_object_get(value, key);

		if (member && !fits_member(walk, inner, key, member))
			return false;
	}
	return true;
}

static bool keyword_pattern_properties(struct walk *walk, const json_t *schema, const json_t *patterns,
                                       const json_t *value)
{
	const char *pattern, *key;
	json_t *inner, *member;

	(void)schema;
	json_object_foreach((json_t *)(uintptr_t)patterns, pattern, inner)
	{
		json_object_foreach((json_t *)(uintptr_t)value, key, member)
		{
			if (schema_matches(walk, pattern, key) && !fits_member(walk, inner, key, member))
				return false;
		}
	}
	return true;
}

/* Applies to the keys that `properties` beside it does not name; our schema never has patternProperties beside it. */
static bool keyword_additional(struct walk *walk, const json_t *schema, const json_t *inner, const json_t *value)
{
	const json_t *named = json_object_get(schema, "properties");
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)(uintptr_t)value, key, member)
	{
		if (!json_object_get(named, key) && !fits_member(walk, inner, key, member))
			return false;
	}
	return true;
}

static bool keyword_items(struct walk *walk, const json_t *schema, const json_t *inner, const json_t *value)
{
	const json_t *element;
	size_t i;

	(void)schema;
	json_array_foreach(value, i, element)
	{
		char index[24];

		snprintf(index, sizeof(index), "%zu", i);
		if (!fits_member(walk, inner, index, element))
			return false;
	}
	return true;
}

/* -- schemas of schemas ------------------------------------------------------------------------------------------ */

/* "#/$defs/NAME" only. */
static bool keyword_ref(struct walk *walk, const json_t *schema, const json_t *reference, const json_t *value)
{
	static const char PREFIX[] = "#/$defs/";
	const char *text = json_string_value(reference);
	const json_t *inner = NULL;

	(void)schema;
	if (text && !strncmp(text, PREFIX, strlen(PREFIX)))
		inner = json_object_get(json_object_get(walk->root, "$defs"), text + strlen(PREFIX));
	return inner ? fits(walk, inner, value) : schema_internal(walk, "$ref", text ? text : "no text");
}

static bool keyword_all_of(struct walk *walk, const json_t *schema, const json_t *list, const json_t *value)
{
	const json_t *inner;
	size_t i;

	(void)schema;
	json_array_foreach(list, i, inner)
	{
		if (!fits(walk, inner, value))
			return false;
	}
	return true;
}

static bool fits_quietly(struct walk *walk, const json_t *schema, const json_t *value)
{
	bool result;

	walk->quiet++;
	result = fits(walk, schema, value);
	walk->quiet--;
	return result;
}

static bool keyword_any_of(struct walk *walk, const json_t *schema, const json_t *list, const json_t *value)
{
	size_t count = json_array_size(list);

	(void)schema;
	for (size_t i = 0; i < count; i++) {
		if (fits_quietly(walk, json_array_get(list, i), value))
			return true;
	}
	/* the complaint of the last alternative */
	return fits(walk, json_array_get(list, count - 1), value);
}

/* "then" and "else" are beside it. */
static bool keyword_if(struct walk *walk, const json_t *schema, const json_t *condition, const json_t *value)
{
	const json_t *then;
	bool met;

	walk->conditions++;
	met = fits_quietly(walk, condition, value);
	walk->conditions--;
	then = json_object_get(schema, met ? "then" : "else");
	return !then || fits(walk, then, value);
}

/* Demanded of writers, not of documents that are read; see schema_check_report(). In a condition it tells what kind of
 * document this is. */
static bool keyword_required(struct walk *walk, const json_t *schema, const json_t *names, const json_t *value)
{
	return walk->conditions == 0 || keyword_essential(walk, schema, names, value);
}

static bool keyword_nothing(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value)
{
	(void)walk;
	(void)schema;
	(void)keyword;
	(void)value;
	return true;
}

/* In the order in which they are checked: what a value is comes before what it may be. */
static const struct {
	const char *name;
	bool (*fits)(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
} KEYWORDS[] = {
        {"$ref", keyword_ref},
        {"type", schema_type},
        {"const", schema_const},
        {"enum", schema_enum},
        {"minimum", schema_minimum},
        {"maximum", schema_maximum},
        {"exclusiveMinimum", schema_above},
        {"minLength", schema_min_length},
        {"pattern", schema_pattern},
        {"minItems", schema_min_items},
        {"maxProperties", schema_max_properties},
        {"x-essential", keyword_essential},
        {"properties", keyword_properties},
        {"patternProperties", keyword_pattern_properties},
        {"additionalProperties", keyword_additional},
        {"items", keyword_items},
        {"allOf", keyword_all_of},
        {"anyOf", keyword_any_of},
        {"if", keyword_if},
        {"then", keyword_nothing},
        {"else", keyword_nothing},
        {"required", keyword_required},
        {"$defs", keyword_nothing},
        {"$schema", keyword_nothing},
        {"$comment", keyword_nothing},
        {"title", keyword_nothing},
};
enum { KEYWORD_COUNT = sizeof(KEYWORDS) / sizeof(KEYWORDS[0]) };

static bool is_known(const char *name)
{
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		if (!strcmp(KEYWORDS[i].name, name))
			return true;
	}
	return false;
}

static bool fits(struct walk *walk, const json_t *schema, const json_t *value)
{
	const char *name;
	json_t *keyword;

	if (json_is_boolean(schema))
		return json_is_true(schema) || schema_complain(walk, value, "must not be there");
	json_object_foreach((json_t *)(uintptr_t)schema, name, keyword)
	{
		if (!is_known(name))
			return schema_internal(walk, name, "unknown keyword");
	}
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		const json_t *found = json_object_get(schema, KEYWORDS[i].name);

		if (found && !KEYWORDS[i].fits(walk, schema, found, value))
			return false;
	}
	return true;
}

/* -- entries ----------------------------------------------------------------------------------------------------- */

int schema_check(const json_t *schema, const json_t *value, const char *path, struct error *error)
{
	struct walk walk = {.root = schema, .error = error, .path = path};

	if (!fits(&walk, schema, value) && !walk.status)
		schema_internal(&walk, "a value does not fit", "and nothing says why");
	for (size_t i = 0; i < walk.pattern_count; i++)
		regfree(&walk.patterns[i].regex);
	return walk.status;
}

int schema_check_report(const json_t *report, const char *path, struct error *error)
{
	json_t *schema = schema_of_report();
	int status =
	        schema ? schema_check(schema, report, path, error) : error_set(error, ERROR_INTERNAL, "out of memory");

	json_decref(schema);
	return status;
}
