/* SPDX-License-Identifier: Apache-2.0 */
/* Single values of a result object. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/bench/result.h"

void result_number(json_t *object, const char *key, double value)
{
	json_put(object, key, isfinite(value) ? json_real(value) : json_null());
}

void result_count(json_t *object, const char *key, uint64_t value)
{
	json_put(object, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_null());
}

static json_t *formatted(const char *format, va_list arguments)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, arguments);
	return json_string(text_repair(text, sizeof(text)));
}

void result_invalid(json_t *result, const char *format, ...)
{
	va_list arguments;

	if (!json_is_true(json_object_get(result, "valid"))) /* keep the first reason */
		return;
	va_start(arguments, format);
	json_put(result, "valid", json_false());
	json_put(result, "why_invalid", formatted(format, arguments));
	va_end(arguments);
}

void result_flag(json_t *result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	json_add(json_object_get(result, "flags"), formatted(format, arguments));
	va_end(arguments);
}

double result_get(const json_t *result, const char *key)
{
	const json_t *value = json_object_get(result, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}
