/* SPDX-License-Identifier: Apache-2.0 */
/* The first failure is kept: what comes after it is often a consequence. */
#include "host/base/json_write.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool failed;
static char what[160];

static void remember(const char *key, const json_t *place, const json_t *value)
{
	const char *why = !place  ? "there is nothing to put it in"
	                  : value ? "out of memory, or the key is not UTF-8"
	                          : "its value is not finite, not UTF-8, or too large for memory";

	pthread_mutex_lock(&mutex);
	if (!failed)
		snprintf(what, sizeof(what), "%.60s: %s", key, why);
	failed = true;
	pthread_mutex_unlock(&mutex);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	const json_t *given = value;

	if (json_object_set_new(object, key, value))
		remember(key, object, given);
}

void json_put_shared(json_t *object, const char *key, json_t *value)
{
	if (json_object_set(object, key, value))
		remember(key, object, value);
}

void json_put_all(json_t *object, json_t *other)
{
	if (json_object_update(object, other))
		remember("of several", object, other);
}

void json_add(json_t *array, json_t *value)
{
	const json_t *given = value;

	if (json_array_append_new(array, value))
		remember("an element of a list", array, given);
}

void json_add_shared(json_t *array, json_t *value)
{
	if (json_array_append(array, value))
		remember("an element of a list", array, value);
}

int json_write_check(struct error *error)
{
	char text[sizeof(what)];
	bool any;

	pthread_mutex_lock(&mutex);
	any = failed;
	failed = false;
	snprintf(text, sizeof(text), "%s", what);
	pthread_mutex_unlock(&mutex);
	return any ? error_set(error, ERROR_INTERNAL, "JSON without the key %s", text) : 0;
}

const char *json_show(const json_t *value, char *buffer, size_t size)
{
	static const char CUT[] = "...";
	const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15);
	char *text = value ? json_dumps(value, flags) : NULL;

	if ((size_t)snprintf(buffer, size, "%s", text ? text : "nothing") >= size && size >= sizeof(CUT))
		memcpy(buffer + size - sizeof(CUT), CUT, sizeof(CUT));
	free(text);
	return buffer;
}
