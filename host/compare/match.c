/* SPDX-License-Identifier: Apache-2.0 */
/* Matches results by what was asked for. */
#include "host/compare/match.h"

#include <math.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/report/value.h"

/* Parameters that explain others in words: a different wording does not make a different measurement. */
static bool is_explanation(const char *key)
{
	static const char *const KEYS[] = {"load", "width", "stddev", "burst", "waits_deviation", "duration_reason"};

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

static bool same_kind(const json_t *a, const json_t *b)
{
	return same_key(a, b, "test") && same_key(a, b, "frame_octets") && same_key(a, b, "sizes") &&
	       same_key(a, b, "modifier") && same_key(a, b, "goal");
}

static json_t *parameters_of(const json_t *result)
{
	return json_object_get(result, "parameters");
}

/* Parameters that only some results have: the others were asked for without. */
static const char *const OPTIONAL[] = {"routed", "min_load_fps", "max_load_fps"};
enum { OPTIONALS = sizeof(OPTIONAL) / sizeof(OPTIONAL[0]) };

static bool is_optional(const char *key)
{
	for (size_t i = 0; i < OPTIONALS; i++) {
		if (!strcmp(key, OPTIONAL[i]))
			return true;
	}
	return false;
}

static json_t *value_or_null(const json_t *result, const char *key)
{
	json_t *value = json_object_get(parameters_of(result), key);

	return value ? json_incref(value) : json_null();
}

/* Durations that were chosen for simulated devices follow from the devices, and find what any duration finds there. */
static bool is_chosen_duration(const json_t *parameters, const char *key)
{
	static const char *const KEYS[] = {"trial_duration_s",    "search_trial_duration_s",
	                                   "tag_after_s",         "goal_final_trial_duration_s",
	                                   "goal_duration_sum_s", "goal_initial_trial_duration_s"};

	if (strcmp(value_string(parameters, "duration_chosen_for"), "simulated") != 0)
		return false;
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		if (!strcmp(key, KEYS[i]))
			return true;
	}
	return false;
}

typedef void difference(json_t *list, const char *key, json_t *base, json_t *new);

/* Calls `each`, unless it is NULL, for every parameter that is not the same; returns how many they are. */
static size_t each_difference(const json_t *a, const json_t *b, difference *each, json_t *list)
{
	const char *key;
	json_t *value;
	size_t count = 0;

	json_object_foreach(parameters_of(a), key, value)
	{
		json_t *other = json_object_get(parameters_of(b), key);

		if (!other || is_explanation(key) || is_optional(key) || equal(value, other))
			continue;
		if (is_chosen_duration(parameters_of(a), key) && is_chosen_duration(parameters_of(b), key))
			continue;
		count++;
		if (each)
			each(list, key, value, other);
	}
	for (size_t i = 0; i < OPTIONALS; i++) {
		json_t *one = value_or_null(a, OPTIONAL[i]), *other = value_or_null(b, OPTIONAL[i]);

		if (!equal(one, other)) {
			count++;
			if (each)
				each(list, OPTIONAL[i], one, other);
		}
		json_decref(one);
		json_decref(other);
	}
	return count;
}

bool match_same(const json_t *a, const json_t *b)
{
	return same_kind(a, b) && each_difference(a, b, NULL, NULL) == 0;
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
			json_add_shared(list, other);
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

static void add_difference(json_t *list, const char *key, json_t *base, json_t *new)
{
	json_add(list, json_pack("{s:s, s:O, s:O}", "key", key, "base", base, "new", new));
}

json_t *match_differences(const json_t *base, const json_t *new)
{
	json_t *list = json_array();

	each_difference(base, new, add_difference, list);
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
	json_add(notes, note);
}

static void note_only(json_t *notes, const json_t *one, const json_t *other, const char *name)
{
	const char *key;
	json_t *value;

	json_object_foreach(parameters_of(one), key, value)
	{
		if (!is_explanation(key) && !is_optional(key) && !json_object_get(parameters_of(other), key))
			match_note(notes, json_sprintf("only %s says %s of %s: taken to be the same in both", name, key,
			                               value_string(one, "test")));
	}
}

void match_note_unsaid(json_t *notes, const json_t *base, const json_t *new)
{
	note_only(notes, base, new, "BASE");
	note_only(notes, new, base, "NEW");
}
