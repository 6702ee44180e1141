/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of latencies are known by their names, as their units are: it holds for those in lists too. */
#include "host/report/latency_error.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/report/value.h"

enum times { NO_TIME, OF_JITTER, OF_DELAY };

static enum times time_of(const char *key)
{
	const bool is_time = value_ends_in(key, "_ns") || value_ends_in(key, "_histogram");

	if (is_time && strstr(key, "latency_"))
		return OF_DELAY;
	return is_time && (strstr(key, "pdv") || strstr(key, "jitter")) ? OF_JITTER : NO_TIME;
}

/* The first kind, or that of a key, whichever says more. */
static enum times times_of(enum times first, const char *keys)
{
	while (keys && *keys) {
		char key[80];
		const size_t length = strcspn(keys, ",");
		enum times kind;

		snprintf(key, sizeof(key), "%.*s", (int)length, keys);
		kind = time_of(key);
		first = kind > first ? kind : first;
		keys += length + (keys[length] == ',');
	}
	return first;
}

static struct format_text text_of(const json_t *result, enum times kind)
{
	struct format_text text = {""};

	if (kind != NO_TIME && value_number(result, "latency_error_ns") > 0)
		snprintf(text.text, sizeof(text.text),
		         kind == OF_DELAY ? "; latency right within %.20s ns" : "; jitter right within %.20s ns",
		         value_text(result, "latency_error_ns", 1).text);
	return text;
}

struct format_text latency_error_of_keys(const json_t *result, const char *keys)
{
	return text_of(result, times_of(NO_TIME, keys));
}

static enum times times_of_columns(const struct result_column *columns)
{
	enum times kind = NO_TIME;

	for (; columns->key; columns++)
		kind = times_of(kind, columns->key);
	return kind;
}

struct format_text latency_error_of_columns(const json_t *result, const struct result_column *columns)
{
	return text_of(result, times_of_columns(columns));
}

bool latency_error_is_of(const struct result_column *columns)
{
	return times_of_columns(columns) != NO_TIME;
}

bool latency_error_is_of_key(const char *key)
{
	return time_of(key) != NO_TIME;
}

struct format_text latency_error_of_series(const json_t *result, const struct result_series *series)
{
	enum times kind = NO_TIME;

	for (; series->label; series++)
		kind = times_of(kind, series->y);
	return text_of(result, kind);
}

struct format_text latency_error_sentence(struct format_text after_caption)
{
	const char *what = after_caption.text + strcspn(after_caption.text, "abcdefghijklmnopqrstuvwxyz");
	const size_t length = strcspn(what, " ");
	struct format_text text = {""};

	if (*what)
		snprintf(text.text, sizeof(text.text), " %c%.*s is%s.", toupper((unsigned char)*what), (int)length - 1,
		         what + 1, what + length);
	return text;
}
