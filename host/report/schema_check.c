/* SPDX-License-Identifier: Apache-2.0 */
/* The part of JSON Schema 2020-12 that the published schema uses: one function per keyword. Stricter in one respect: an
 * integer must be written as one, because to those who read it 2.0 is not an integer. */
#include "host/report/schema_check.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/report/schema.h"

enum { POINTER_SIZE = 400, PATTERNS = 32, EXPECTED_SIZE = 300 };

struct pattern {
	const char *text; /* a text of the schema */
	regex_t regex;
};

struct walk {
	const json_t *root;
	const json_t *schema;       /* the one that contains the keyword that is being checked */
	char pointer[POINTER_SIZE]; /* path to the value that is being checked; cut if too long */
	size_t length;
	struct pattern patterns[PATTERNS];
	size_t pattern_count;
	unsigned conditions; /* count above 0: inside "if", where only an answer is wanted, no complaint */
	struct error *error;
	const char *path;
	int status;
};

static bool fits(struct walk *walk, const json_t *schema, const json_t *value);

/* complain() and complain_internally() keep the first complaint, and return false. */
static bool complain(struct walk *walk, const json_t *value, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

static bool complain(struct walk *walk, const json_t *value, const char *format, ...)
{
	char expected[EXPECTED_SIZE], shown[100];
	va_list arguments;

	if (walk->conditions || walk->status)
		return false;
	va_start(arguments, format);
	vsnprintf(expected, sizeof(expected), format, arguments);
	va_end(arguments);
	walk->status = error_set(walk->error, ERROR_STORE, "%s: %s = %s: %s", walk->path,
	                         walk->length ? walk->pointer : "/", json_show(value, shown, sizeof(shown)), expected);
	return false;
}

static bool complain_internally(struct walk *walk, const char *what, const char *detail)
{
	if (!walk->status)
		walk->status = error_set(walk->error, ERROR_INTERNAL, "schema of results: %s: %s", what, detail);
	return false;
}

/* -- a value by itself ------------------------------------------------------------------------------------------- */

static bool is_of_type(const json_t *value, const char *type)
{
	static const char *const NAMES[] = {
	        [JSON_OBJECT] = "object", [JSON_ARRAY] = "array",  [JSON_STRING] = "string", [JSON_INTEGER] = "integer",
	        [JSON_REAL] = "number",   [JSON_TRUE] = "boolean", [JSON_FALSE] = "boolean", [JSON_NULL] = "null",
	};

	return !strcmp(NAMES[json_typeof(value)], type) || (json_is_integer(value) && !strcmp(type, "number"));
}

static bool keyword_type(struct walk *walk, const json_t *types, const json_t *value)
{
	char shown[EXPECTED_SIZE / 2];
	const json_t *type;
	size_t i;

	if (json_is_string(types) && is_of_type(value, json_string_value(types)))
		return true;
	json_array_foreach(types, i, type)
	{
		if (is_of_type(value, json_string_value(type)))
			return true;
	}
	return complain(walk, value, "must be of type %s", json_show(types, shown, sizeof(shown)));
}

static bool keyword_const(struct walk *walk, const json_t *only, const json_t *value)
{
	char shown[EXPECTED_SIZE / 2];

	return json_equal(only, value) || complain(walk, value, "must be %s", json_show(only, shown, sizeof(shown)));
}

static bool keyword_enum(struct walk *walk, const json_t *choices, const json_t *value)
{
	char shown[EXPECTED_SIZE / 2];
	const json_t *choice;
	size_t i;

	json_array_foreach(choices, i, choice)
	{
		if (json_equal(choice, value))
			return true;
	}
	return complain(walk, value, "must be one of %s", json_show(choices, shown, sizeof(shown)));
}

/* A number that limits something about values of one kind. */
struct limit {
	enum { NOTHING, NUMBER, LENGTH, ELEMENTS, KEYS } of;
	enum { AT_LEAST, AT_MOST, ABOVE } relation;
	const char *must, *what; /* texts before and after the number */
};

static bool keeps_limit(struct walk *walk, const struct limit *limit, const json_t *operand, const json_t *value)
{
	const double amounts[] = {
	        [NUMBER] = json_is_number(value) ? json_number_value(value) : (double)NAN,
	        [LENGTH] = json_is_string(value) ? (double)json_string_length(value) : (double)NAN,
	        [ELEMENTS] = json_is_array(value) ? (double)json_array_size(value) : (double)NAN,
	        [KEYS] = (double)json_object_size(value),
	};
	const double amount = amounts[limit->of], bound = json_number_value(operand);

	if (limit->of == NOTHING || isnan(amount) ||
	    (limit->relation == AT_MOST ? amount <= bound
	     : limit->relation == ABOVE ? amount > bound
	                                : amount >= bound))
		return true;
	return complain(walk, value, "must %s %.10g%s", limit->must, bound, limit->what);
}

/* Patterns are compiled once: every key name is matched against the same few. */
static bool matches(struct walk *walk, const char *pattern, const char *text)
{
	struct pattern *found = walk->patterns;

	while (found < walk->patterns + walk->pattern_count && strcmp(found->text, pattern) != 0)
		found++;
	if (found == walk->patterns + walk->pattern_count) {
		if (walk->pattern_count == PATTERNS)
			return complain_internally(walk, pattern, "one pattern too many");
		if (regcomp(&found->regex, pattern, REG_EXTENDED | REG_NOSUB))
			return complain_internally(walk, pattern, "no regular expression");
		found->text = pattern;
		walk->pattern_count++;
	}
	return regexec(&found->regex, text, 0, NULL, 0) == 0;
}

static bool keyword_pattern(struct walk *walk, const json_t *pattern, const json_t *value)
{
	return !json_is_string(value) || matches(walk, json_string_value(pattern), json_string_value(value)) ||
	       complain(walk, value, "must match %s", json_string_value(pattern));
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

static bool keyword_essential(struct walk *walk, const json_t *names, const json_t *value)
{
	const json_t *name;
	size_t i;

	json_array_foreach(names, i, name)
	{
		if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
			return complain(walk, value, "must have the key \"%s\"", json_string_value(name));
	}
	return true;
}

static bool keyword_properties(struct walk *walk, const json_t *properties, const json_t *value)
{
	const char *key;
	json_t *inner;

	json_object_foreach((json_t *)(uintptr_t)properties, key, inner)
	{
		const json_t *member = json_object_get(value, key);

		if (member && !fits_member(walk, inner, key, member))
			return false;
	}
	return true;
}

static bool keyword_pattern_properties(struct walk *walk, const json_t *patterns, const json_t *value)
{
	const char *pattern, *key;
	json_t *inner, *member;

	json_object_foreach((json_t *)(uintptr_t)patterns, pattern, inner)
	{
		json_object_foreach((json_t *)(uintptr_t)value, key, member)
		{
			if (matches(walk, pattern, key) && !fits_member(walk, inner, key, member))
				return false;
		}
	}
	return true;
}

/* Applies to the keys that `properties` beside it does not name; our schema never has patternProperties beside it. */
static bool keyword_additional(struct walk *walk, const json_t *inner, const json_t *value)
{
	const json_t *named = json_object_get(walk->schema, "properties");
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)(uintptr_t)value, key, member)
	{
		if (!json_object_get(named, key) && !fits_member(walk, inner, key, member))
			return false;
	}
	return true;
}

static bool keyword_items(struct walk *walk, const json_t *inner, const json_t *value)
{
	const json_t *element;
	size_t i;

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
static bool keyword_ref(struct walk *walk, const json_t *reference, const json_t *value)
{
	static const char PREFIX[] = "#/$defs/";
	const char *text = json_string_value(reference);
	const json_t *inner = NULL;

	if (text && !strncmp(text, PREFIX, strlen(PREFIX)))
		inner = json_object_get(json_object_get(walk->root, "$defs"), text + strlen(PREFIX));
	return inner ? fits(walk, inner, value) : complain_internally(walk, "$ref", text ? text : "no text");
}

static bool keyword_all_of(struct walk *walk, const json_t *list, const json_t *value)
{
	const json_t *inner;
	size_t i;

	json_array_foreach(list, i, inner)
	{
		if (!fits(walk, inner, value))
			return false;
	}
	return true;
}

/* "then" and "else" are beside it. */
static bool keyword_if(struct walk *walk, const json_t *condition, const json_t *value)
{
	const json_t *schema = walk->schema, *then;

	walk->conditions++;
	then = json_object_get(schema, fits(walk, condition, value) ? "then" : "else");
	walk->conditions--;
	return !then || fits(walk, then, value);
}

/* Required keys are demanded of writers, not of documents that are read; see schema_check_report(). In a condition it
 * tells what kind of document this is. */
static bool keyword_required(struct walk *walk, const json_t *names, const json_t *value)
{
	return walk->conditions == 0 || keyword_essential(walk, names, value);
}

/* Keywords in the order in which they are checked: what a value is comes before what it may be. */
static const struct keyword {
	const char *name;
	bool (*fits)(struct walk *walk, const json_t *operand, const json_t *value);
	struct limit limit; /* if the operand is one */
} KEYWORDS[] = {
        {.name = "$ref", .fits = keyword_ref},
        {.name = "type", .fits = keyword_type},
        {.name = "const", .fits = keyword_const},
        {.name = "enum", .fits = keyword_enum},
        {.name = "minimum", .limit = {NUMBER, AT_LEAST, "be at least", ""}},
        {.name = "maximum", .limit = {NUMBER, AT_MOST, "be at most", ""}},
        {.name = "exclusiveMinimum", .limit = {NUMBER, ABOVE, "be above", ""}},
        /* counted in octets, not characters; the schema asks only for 1, where there is no difference */
        {.name = "minLength", .limit = {LENGTH, AT_LEAST, "have", " characters or more"}},
        {.name = "pattern", .fits = keyword_pattern},
        {.name = "minItems", .limit = {ELEMENTS, AT_LEAST, "have", " elements or more"}},
        {.name = "maxProperties", .limit = {KEYS, AT_MOST, "have", " keys or fewer"}},
        {.name = "x-essential", .fits = keyword_essential},
        {.name = "properties", .fits = keyword_properties},
        {.name = "patternProperties", .fits = keyword_pattern_properties},
        {.name = "additionalProperties", .fits = keyword_additional},
        {.name = "items", .fits = keyword_items},
        {.name = "allOf", .fits = keyword_all_of},
        {.name = "if", .fits = keyword_if},
        {.name = "required", .fits = keyword_required},
        /* looked up by others, or for people */
        {.name = "then"},
        {.name = "else"},
        {.name = "$defs"},
        {.name = "$schema"},
        {.name = "$comment"},
        {.name = "title"},
};
enum { KEYWORD_COUNT = sizeof(KEYWORDS) / sizeof(KEYWORDS[0]) };

static bool is_known(const char *name)
{
	size_t i = 0;

	while (i < KEYWORD_COUNT && strcmp(KEYWORDS[i].name, name) != 0)
		i++;
	return i < KEYWORD_COUNT;
}

static bool fits(struct walk *walk, const json_t *schema, const json_t *value)
{
	const char *name;
	json_t *operand;

	if (json_is_boolean(schema))
		return json_is_true(schema) || complain(walk, value, "must not be there");
	json_object_foreach((json_t *)(uintptr_t)schema, name, operand)
	{
		if (!is_known(name))
			return complain_internally(walk, name, "unknown keyword");
	}
	for (const struct keyword *keyword = KEYWORDS; keyword < KEYWORDS + KEYWORD_COUNT; keyword++) {
		operand = json_object_get(schema, keyword->name);
		walk->schema = schema;
		if (operand && (keyword->fits ? !keyword->fits(walk, operand, value)
		                              : !keeps_limit(walk, &keyword->limit, operand, value)))
			return false;
	}
	return true;
}

/* -- entries ----------------------------------------------------------------------------------------------------- */

static int check(struct walk *walk, const json_t *schema, const json_t *value)
{
	if (!fits(walk, schema, value) && !walk->status)
		complain_internally(walk, "a value does not fit", "and nothing says why");
	for (size_t i = 0; i < walk->pattern_count; i++)
		regfree(&walk->patterns[i].regex);
	return walk->status;
}

int schema_check(const json_t *schema, const json_t *value, const char *path, struct error *error)
{
	struct walk walk = {.root = schema, .error = error, .path = path};

	return check(&walk, schema, value);
}

int schema_check_result(const json_t *schema, const json_t *result, size_t index, const char *path, struct error *error)
{
	struct walk walk = {.root = schema, .error = error, .path = path};

	walk.length = (size_t)snprintf(walk.pointer, sizeof(walk.pointer), "/results/%zu", index);
	return check(&walk, json_object_get(json_object_get(schema, "$defs"), "result"), result);
}

int schema_check_report(const json_t *report, const char *path, struct error *error)
{
	json_t *schema = schema_of_report();
	int status =
	        schema ? schema_check(schema, report, path, error) : error_set(error, ERROR_INTERNAL, "out of memory");

	json_decref(schema);
	return status;
}
