/* SPDX-License-Identifier: Apache-2.0 */
/* Matches results by what was asked for. */
#include "host/compare/match.h"

#include <math.h>
#include <string.h>

#include "host/report/value.h"

/* Parameters that explain others in words: a different wording does not make a different measurement. */
static bool is_explanation(const char *key)
{
	static const char *const KEYS[] = {"load", "width", "stddev", "burst", "waits_deviation"};

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		if (!strcmp(key, KEYS[i]))
			return true;
	}
	return false;
}

/* A program that rewrote the JSON may have turned 2.0 into 2, or changed the last digit of a number. */
static bool equal(const json_t *a, const json_t *b)
{
	enum { DIGITS_LOST = 1000 };
	const double epsilon = 0x1p-52 * DIGITS_LOST;
	double x, y;

	if (!json_is_number(a) || !json_is_number(b))
		return json_equal(a, b);
	x = json_number_value(a);
	y = json_number_value(b);
	return fabs(x - y) <= epsilon * fmax(fabs(x), fabs(y));
}

static bool same_key(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return (!x && !y) || (x && y && equal(x, y));
}

/* An older program, which knew no mixes, did not write the key. */
static bool same_sizes(const json_t *a, const json_t *b)
{
	const json_t *x = json_object_get(a, "sizes"), *y = json_object_get(b, "sizes");

	return json_is_string(x) || json_is_string(y) ? x && y && json_equal(x, y) : true;
}

static bool same_kind(const json_t *a, const json_t *b)
{
	return same_key(a, b, "test") && same_key(a, b, "frame_octets") && same_sizes(a, b) && same_key(a, b, "goal");
}

static json_t *parameters_of(const json_t *result)
{
	return json_object_get(result, "parameters");
}

bool match_same(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;

	if (!same_kind(a, b))
		return false;
	json_object_foreach(parameters_of(a), key, value)
	{
		const json_t *other = json_object_get(parameters_of(b), key);

		if (other && !is_explanation(key) && !equal(value, other))
			return false;
	}
	return true;
}

const json_t *match_find(const json_t *results, const json_t *result)
{
	const json_t *other;
	size_t i;

	json_array_foreach(results, i, other)
	{
		if (match_same(result, other))
			return other;
	}
	return NULL;
}

json_t *match_all(const json_t *results, const json_t *result)
{
	json_t *list = json_array(), *other;
	size_t i;

	json_array_foreach(results, i, other)
	{
		if (result && match_same(other, result))
			json_array_append(list, other);
	}
	return list;
}

const json_t *match_changed(const json_t *bases, const json_t *news, const json_t *base)
{
	const json_t *first = NULL, *other;
	size_t i;

	json_array_foreach(news, i, other)
	{
		if (!same_kind(base, other) || match_find(bases, other))
			continue;
		if (same_key(base, other, "test_number"))
			return other;
		if (!first)
			first = other;
	}
	return first;
}

json_t *match_differences(const json_t *base, const json_t *new)
{
	json_t *list = json_array(), *value;
	const char *key;

	json_object_foreach(parameters_of(base), key, value)
	{
		json_t *other = json_object_get(parameters_of(new), key);

		if (other && !is_explanation(key) && !equal(value, other))
			json_array_append_new(list,
			                      json_pack("{s:s, s:O, s:O}", "key", key, "base", value, "new", other));
	}
	return list;
}

void match_note(json_t *notes, json_t *note)
{
	const json_t *other;
	size_t i;

	json_array_foreach(notes, i, other)
	{
		if (json_equal(note, other)) {
			json_decref(note);
			return;
		}
	}
	json_array_append_new(notes, note);
}

static void note_only(json_t *notes, const json_t *one, const json_t *other, const char *name)
{
	const char *key;
	json_t *value;

	json_object_foreach(parameters_of(one), key, value)
	{
		if (!is_explanation(key) && !json_object_get(parameters_of(other), key))
			match_note(notes, json_sprintf("only %s says %s of %s: taken to be the same in both", name, key,
			                               value_string(one, "test")));
	}
}

void match_note_unsaid(json_t *notes, const json_t *base, const json_t *new)
{
	note_only(notes, base, new, "BASE");
	note_only(notes, new, base, "NEW");
}
