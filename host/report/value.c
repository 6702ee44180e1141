/* SPDX-License-Identifier: Apache-2.0 */
/* Getters on result objects. */
#include "host/report/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/report/xml_text.h"

static const struct format_text NOT_MEASURED = {"-"};

bool value_ends_in(const char *key, const char *unit)
{
	size_t length = strlen(key), tail = strlen(unit);

	return length >= tail && !strcmp(key + length - tail, unit);
}

bool value_known(const json_t *object, const char *key)
{
	return json_is_number(json_object_get(object, key));
}

double value_number(const json_t *object, const char *key)
{
	return value_known(object, key) ? json_number_value(json_object_get(object, key)) : (double)NAN;
}

const char *value_string(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "-";
}

/* Keeps a text on one line: no text may look like another line of the report. */
static json_t *printable_text(const json_t *value)
{
	char *text = xml_text(json_string_value(value));
	json_t *copy;

	for (char *c = text; c && *c; c++) {
		if ((unsigned char)*c < 0x20)
			*c = '?';
	}
	copy = json_string(text);
	free(text);
	return copy;
}

json_t *value_printable(const json_t *value)
{
	json_t *copy, *inner;
	const char *key;
	size_t i;
	int failed = 0;

	if (json_is_string(value))
		return printable_text(value);
	if (!json_is_object(value) && !json_is_array(value))
		return json_deep_copy(value);
	copy = json_is_object(value) ? json_object() : json_array();
	json_object_foreach((json_t *)(uintptr_t)value, key, inner) failed |=
	        json_object_set_new(copy, key, value_printable(inner));
	json_array_foreach(value, i, inner) failed |= json_array_append_new(copy, value_printable(inner));
	if (failed) {
		json_decref(copy);
		copy = NULL;
	}
	return copy;
}

bool value_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

struct format_text value_text(const json_t *object, const char *key, int places)
{
	const json_t *value = json_object_get(object, key);
	struct format_text out = NOT_MEASURED;

	if (json_is_integer(value))
		snprintf(out.text, sizeof(out.text), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		out = format_decimal(json_real_value(value), places);
	return out;
}

/* A mix as text; "" for a single size. */
static const char *sizes_of(const json_t *result)
{
	const json_t *sizes = value_known(result, "frame_octets") ? NULL : json_object_get(result, "sizes");

	return json_is_string(sizes) ? json_string_value(sizes) : "";
}

struct format_text value_size(const json_t *result)
{
	const char *sizes = sizes_of(result);
	struct format_text out;

	if (!*sizes)
		return value_text(result, "frame_octets", 0);
	snprintf(out.text, sizeof(out.text), strlen(sizes) < sizeof(out.text) ? "%s" : "%.60s...", sizes);
	return out;
}

struct format_text value_frames(const json_t *result)
{
	struct format_text out = value_size(result);

	text_add(out.text, sizeof(out.text), strlen(out.text), "%s%s", *sizes_of(result) ? "" : " octets",
	         value_modifier(result).text);
	return out;
}

struct format_text value_modifier(const json_t *result)
{
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789_+";
	const char *modifier = json_string_value(json_object_get(result, "modifier"));
	struct format_text out = {""};

	if (modifier)
		snprintf(out.text, sizeof(out.text), ", %.55s",
		         strspn(modifier, LETTERS) == strlen(modifier) ? modifier : "?");
	return out;
}

struct format_text value_place(const json_t *result)
{
	struct format_text out = value_size(result);

	text_add(out.text, sizeof(out.text), strlen(out.text), "%s", value_modifier(result).text);
	return out;
}

struct format_text value_goal(const json_t *result)
{
	struct format_text out = {""};

	if (value_known(result, "goal"))
		snprintf(out.text, sizeof(out.text), ", goal %.20s", value_text(result, "goal", 0).text);
	return out;
}

const char *value_relation(const json_t *requirement)
{
	return strcmp(value_string(requirement, "relation"), "at_least") ? "at most" : "at least";
}

const char *value_not_valid(const json_t *result)
{
	return value_true(result, "unfinished") ? "not finished" : "INVALID";
}

const char *value_met(const json_t *result, const json_t *requirement)
{
	if (value_true(result, "skipped"))
		return "not tested";
	if (!value_true(result, "valid"))
		return value_not_valid(result);
	return value_true(requirement, "met") ? "met" : "NOT MET";
}

struct format_text value_digits(const json_t *value)
{
	struct format_text out = NOT_MEASURED;

	if (json_is_integer(value))
		snprintf(out.text, sizeof(out.text), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		out = format_exact(json_real_value(value));
	return out;
}

double value_smaller(double smallest, const json_t *object, const char *key)
{
	double value = value_number(object, key);

	return value > 0 && value < smallest ? value : smallest;
}

struct format_text value_time(const json_t *object, const char *key, double scale)
{
	return value_known(object, key) ? format_time(value_number(object, key) * scale) : NOT_MEASURED;
}

struct format_text value_rate(const json_t *object, const char *key)
{
	return value_known(object, key) ? format_fps(value_number(object, key)) : NOT_MEASURED;
}

struct format_text value_percent(const json_t *object, const char *key)
{
	return value_known(object, key) ? format_percent(value_number(object, key) / 100) : NOT_MEASURED;
}

const char *value_commit(const json_t *report)
{
	const char *commit = json_string_value(json_object_get(json_object_get(report, "build"), "commit"));

	return commit ? commit : "";
}
