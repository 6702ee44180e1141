/* SPDX-License-Identifier: Apache-2.0 */
/* Converts fields to JSON and back. */
#include "host/store/document.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"
#include "host/trial/tester.h"

enum { DIGITS = 24 }; /* digits of a 64-bit number, and a NUL */

static json_t *of_integer(uint64_t value)
{
	char digits[DIGITS];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return json_string(digits);
}

static json_t *of_double(double value)
{
	if (isnan(value))
		return json_null();
	if (isinf(value))
		return json_string(value < 0 ? "-Infinity" : "Infinity");
	return json_real(value);
}

/* A text that was cut may end in the middle of a character. */
static json_t *of_text(const char *text)
{
	json_t *value = json_string(text);
	char *repaired = value ? NULL : text_repaired(text);

	if (repaired)
		value = json_string(repaired);
	free(repaired);
	return value;
}

/* NULL as soon as one does not fit. */
static json_t *of_lists(const uint64_t *heads, size_t head_count, const uint64_t *counts, uint64_t count)
{
	json_t *list = json_array();
	int failed = 0;

	for (size_t i = 0; i < head_count; i++)
		failed |= json_array_append_new(list, of_integer(heads[i]));
	for (uint64_t i = 0; i < count; i++)
		failed |= json_array_append_new(list, of_integer(counts[i]));
	if (!failed)
		return list;
	json_decref(list);
	return NULL;
}

static json_t *of_histogram(const struct histogram *histogram)
{
	const uint64_t heads[] = {histogram->first, histogram->width, histogram->beyond};

	if (!histogram->width)
		return json_null();
	return of_lists(heads, sizeof(heads) / sizeof(heads[0]), histogram->count,
	                histogram->bins < HISTOGRAM_BINS ? histogram->bins : HISTOGRAM_BINS);
}

static json_t *of_octaves(const struct octaves *octaves)
{
	const uint64_t heads[] = {octaves->offset, octaves->first};

	if (!octaves->bins)
		return json_null();
	return of_lists(heads, sizeof(heads) / sizeof(heads[0]), octaves->count,
	                octaves->bins < OCTAVE_BINS ? octaves->bins : OCTAVE_BINS);
}

static json_t *of_sizes(const struct traffic_sizes *sizes)
{
	char text[TRAFFIC_SIZES_TEXT];

	return sizes->count ? json_string(traffic_sizes_text(sizes, text, sizeof(text))) : json_null();
}

static json_t *of_modifiers(uint32_t modifiers)
{
	char text[TRAFFIC_MODIFIERS_TEXT];

	return json_string(traffic_modifiers_text(modifiers, text, sizeof(text)));
}

static json_t *of_field(const struct field *field, const void *base)
{
	switch (field->type) {
	case FIELD_U64:
		return field_integer(field, base) == UINT64_MAX ? json_null() : of_integer(field_integer(field, base));
	case FIELD_DOUBLE:
		return of_double(field_double(field, base));
	case FIELD_BOOL:
		return json_boolean(field_integer(field, base));
	case FIELD_TEXT:
		return of_text((const char *)field_at(field, base));
	case FIELD_CHOICE:
		return json_string(field_choice(field, base));
	case FIELD_VLAN:
		return field_integer(field, base) == TRAFFIC_NO_VLAN ? json_null()
		                                                     : of_integer(field_integer(field, base));
	case FIELD_SIZES:
		return of_sizes((const struct traffic_sizes *)field_at(field, base));
	case FIELD_MODIFIERS:
		return of_modifiers((uint32_t)field_integer(field, base));
	case FIELD_HISTOGRAM:
		return of_histogram((const struct histogram *)field_at(field, base));
	case FIELD_OCTAVES:
		return of_octaves((const struct octaves *)field_at(field, base));
	default:
		return of_integer(field_integer(field, base));
	}
}

static bool is_left_out(const struct field *field, const void *base)
{
	if (!field->sparse)
		return false;
	if (field->type == FIELD_HISTOGRAM)
		return ((const struct histogram *)field_at(field, base))->width == 0;
	return field_integer(field, base) == 0;
}

json_t *document_of(const struct fields *fields, const void *base)
{
	json_t *document = json_object();

	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		if (is_left_out(field, base))
			continue;
		if (json_object_set_new_nocheck(document, field->name, of_field(field, base))) {
			json_decref(document);
			return NULL;
		}
	}
	return document;
}

json_t *document_row_of(const struct fields *fields, const void *base)
{
	json_t *row = json_array();

	for (size_t i = 0; i < fields->count; i++) {
		if (json_array_append_new(row, of_field(&fields->field[i], base))) {
			json_decref(row);
			return NULL;
		}
	}
	return row;
}

/* Digits exactly as of_integer() writes them: every value has only one form. */
static int read_digits(const char *text, uint64_t *value)
{
	char digits[DIGITS];

	errno = 0;
	*value = strtoull(text, NULL, 10);
	snprintf(digits, sizeof(digits), "%" PRIu64, *value);
	return errno == 0 && *value > INT64_MAX && !strcmp(digits, text) ? 0 : -1;
}

static int read_integer(const json_t *value, uint64_t *integer)
{
	if (json_is_string(value))
		return read_digits(json_string_value(value), integer);
	*integer = (uint64_t)json_integer_value(value);
	return json_is_integer(value) && json_integer_value(value) >= 0 ? 0 : -1;
}

static int read_u64(const struct field *field, void *base, const json_t *value)
{
	uint64_t integer = UINT64_MAX;

	/* UINT64_MAX is null, and so never written as digits. */
	if (!json_is_null(value) && (read_integer(value, &integer) || integer == UINT64_MAX))
		return -1;
	return field_set_integer(field, base, integer);
}

static int read_double(const struct field *field, void *base, const json_t *value)
{
	const char *text = json_string_value(value);
	double number = json_real_value(value);

	if (json_is_null(value))
		number = (double)NAN;
	else if (text && !strcmp(text, "Infinity"))
		number = (double)INFINITY;
	else if (text && !strcmp(text, "-Infinity"))
		number = -(double)INFINITY;
	else if (!json_is_real(value))
		return -1;
	field_set_double(field, base, number);
	return 0;
}

static int read_histogram(const struct field *field, void *base, const json_t *value)
{
	struct histogram *histogram = (struct histogram *)(uintptr_t)field_at(field, base);
	uint64_t *const heads[] = {&histogram->first, &histogram->width, &histogram->beyond};
	enum { HEADS = sizeof(heads) / sizeof(heads[0]) };
	size_t length = json_array_size(value);
	int failed = 0;

	*histogram = (struct histogram){0};
	if (json_is_null(value))
		return 0;
	if (length < HEADS || length > HEADS + HISTOGRAM_BINS)
		return -1;
	histogram->bins = length - HEADS;
	for (size_t i = 0; i < length; i++)
		failed |= read_integer(json_array_get(value, i), i < HEADS ? heads[i] : &histogram->count[i - HEADS]);
	return histogram->width ? failed : -1;
}

static int read_octaves(const struct field *field, void *base, const json_t *value)
{
	struct octaves *octaves = (struct octaves *)(uintptr_t)field_at(field, base);
	uint64_t *const heads[] = {&octaves->offset, &octaves->first};
	enum { HEADS = sizeof(heads) / sizeof(heads[0]) };
	size_t length = json_array_size(value);
	int failed = 0;

	*octaves = (struct octaves){0};
	if (json_is_null(value))
		return 0;
	if (length <= HEADS || length > HEADS + OCTAVE_BINS)
		return -1;
	octaves->bins = length - HEADS;
	for (size_t i = 0; i < length; i++)
		failed |= read_integer(json_array_get(value, i), i < HEADS ? heads[i] : &octaves->count[i - HEADS]);
	return octaves->first > OCTAVE_BINS - octaves->bins ? -1 : failed;
}

static int read_vlan(const struct field *field, void *base, const json_t *value)
{
	uint64_t vlan = TRAFFIC_NO_VLAN;

	if (!json_is_null(value) && (!json_is_integer(value) || read_integer(value, &vlan) || vlan > TRAFFIC_MAX_VLAN))
		return -1;
	return field_set_integer(field, base, vlan);
}

/* Reads only the text that of_sizes() writes: every mix has one. */
static int read_sizes(const struct field *field, void *base, const json_t *value)
{
	struct traffic_sizes *sizes = (struct traffic_sizes *)(uintptr_t)field_at(field, base);
	char text[TRAFFIC_SIZES_TEXT];
	struct error error;

	*sizes = (struct traffic_sizes){0};
	if (json_is_null(value))
		return 0;
	if (!json_is_string(value) || traffic_sizes_parse(json_string_value(value), sizes, &error))
		return -1;
	return strcmp(traffic_sizes_text(sizes, text, sizeof(text)), json_string_value(value)) == 0 ? 0 : -1;
}

static int read_modifiers(const struct field *field, void *base, const json_t *value)
{
	uint32_t modifiers;

	if (!json_is_string(value) || !traffic_modifiers_parse(json_string_value(value), &modifiers))
		return -1;
	return field_set_integer(field, base, modifiers);
}

static int read_field(const struct field *field, void *base, const json_t *value)
{
	switch (field->type) {
	case FIELD_U64:
		return read_u64(field, base, value);
	case FIELD_DOUBLE:
		return read_double(field, base, value);
	case FIELD_BOOL:
		return json_is_boolean(value) ? field_set_integer(field, base, json_is_true(value)) : -1;
	case FIELD_TEXT:
		return field_set_text(field, base, json_string_value(value));
	case FIELD_CHOICE:
		return field_set_choice(field, base, json_string_value(value));
	case FIELD_VLAN:
		return read_vlan(field, base, value);
	case FIELD_SIZES:
		return read_sizes(field, base, value);
	case FIELD_MODIFIERS:
		return read_modifiers(field, base, value);
	case FIELD_HISTOGRAM:
		return read_histogram(field, base, value);
	case FIELD_OCTAVES:
		return read_octaves(field, base, value);
	default:
		return json_is_integer(value) && json_integer_value(value) >= 0
		               ? field_set_integer(field, base, (uint64_t)json_integer_value(value))
		               : -1;
	}
}

/* "load" or "burst" */
static void list_choices(const struct field *field, char *text, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; field->choices[i]; i++)
		length = text_add(text, size, length, "%s\"%s\"", i ? " or " : "", field->choices[i]);
}

static const char *must_be(const struct field *field, char *text, size_t size)
{
	static const char *const TEXTS[] = {
	        [FIELD_U64] = "a whole number from 0, as a text from 2^63 on, or null",
	        [FIELD_U32] = "a whole number from 0 to 4294967295",
	        [FIELD_DOUBLE] = "a number with a point or an exponent, or null",
	        [FIELD_BOOL] = "true or false",
	        [FIELD_VLAN] = "a whole number from 0 to 4094, or null",
	        [FIELD_SIZES] = "imix, a genome or a list of lengths, as this program writes it, or null",
	        [FIELD_MODIFIERS] = "names of modifiers with + between them, in the order of this program",
	        [FIELD_HISTOGRAM] = "a list of 3 to 67 whole numbers, the second of them not 0, or null",
	        [FIELD_OCTAVES] = "a list of 3 to 1026 whole numbers, of bins up to 1023, or null",
	};

	if (field->type == FIELD_TEXT)
		snprintf(text, size, "a text of at most %zu octets", field->size - 1);
	else if (field->type == FIELD_CHOICE)
		list_choices(field, text, size);
	else
		snprintf(text, size, "%s", TEXTS[field->type]);
	return text;
}

static int complain(const struct field *field, const json_t *value, const char *place, char *why, size_t size)
{
	char *shown = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char expected[120];

	if (value)
		snprintf(why, size, "%s/%s is %.40s: must be %s", place, field->name, shown ? shown : "?",
		         must_be(field, expected, sizeof(expected)));
	else
		snprintf(why, size, "%s/%s is missing", place, field->name);
	text_repair(why, size);
	free(shown);
	return -1;
}

static bool is_among(const char *const *keys, const char *key)
{
	while (*keys && strcmp(*keys, key) != 0)
		keys++;
	return *keys != NULL;
}

/* The keys of all fields are there, so the surplus key is not one of them. */
static int complain_of_key(const struct fields *fields, const json_t *document, const char *const *others,
                           const char *place, char *why, size_t size)
{
	const char *key;
	const json_t *value;

	json_object_foreach((json_t *)(uintptr_t)document, key, value)
	{
		bool known = is_among(others, key);

		for (size_t i = 0; i < fields->count && !known; i++)
			known = !strcmp(key, fields->field[i].name);
		if (!known)
			snprintf(why, size, "%s/%.40s is not a known key", place, key);
	}
	text_repair(why, size);
	return -1;
}

static void clear_field(const struct field *field, void *base)
{
	memset((unsigned char *)base + field->offset, 0, field->size);
}

int document_read(const struct fields *fields, void *base, const json_t *document, const char *const *others,
                  const char *place, char *why, size_t size)
{
	size_t keys = fields->count;

	for (const char *const *other = others; *other; other++)
		keys += json_object_get(document, *other) != NULL;
	if (!json_is_object(document)) {
		snprintf(why, size, "%s is not an object", place);
		return -1;
	}
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];
		const json_t *value = json_object_get(document, field->name);

		if (!value && field->sparse) {
			clear_field(field, base);
			keys--;
		} else if (!value || read_field(field, base, value) || is_left_out(field, base)) {
			return complain(field, value, place, why, size);
		}
	}
	return json_object_size(document) == keys ? 0 : complain_of_key(fields, document, others, place, why, size);
}

int document_row_read(const struct fields *fields, void *base, const json_t *row, const char *place, char *why,
                      size_t size)
{
	if (!json_is_array(row) || json_array_size(row) != fields->count) {
		snprintf(why, size, "%s is not a list of %zu values", place, fields->count);
		return -1;
	}
	for (size_t i = 0; i < fields->count; i++) {
		const json_t *value = json_array_get(row, i);

		if (read_field(&fields->field[i], base, value))
			return complain(&fields->field[i], value, place, why, size);
	}
	return 0;
}
