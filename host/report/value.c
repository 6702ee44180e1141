/* SPDX-License-Identifier: Apache-2.0 */
/* Getters on result objects. */
#include "host/report/value.h"

#include <math.h>
#include <stdio.h>

static const struct format_text NOT_MEASURED = {"-"};

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
		/* Above 10^15 a double has no places left to show. */
		snprintf(out.text, sizeof(out.text), fabs(json_real_value(value)) < 1e15 ? "%.*f" : "%.*g", places,
		         json_real_value(value));
	return out;
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
