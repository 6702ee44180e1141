/* SPDX-License-Identifier: Apache-2.0 */
/* Values and optional parts of a text. */
#include "host/report/template.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/value.h"

struct filling {
	const json_t *first, *second;
	bool known, unknown; /* some value was */
};

static struct format_text ratio(const json_t *object, const char *key)
{
	return value_known(object, key) ? format_percent(value_number(object, key)) : (struct format_text){"-"};
}

/* form: what follows the colon; "": by the unit that ends the key. */
static void put_number(const json_t *object, const char *key, const char *form, FILE *out)
{
	struct format_text text;

	if (!strcmp(form, "%") || (!*form && value_ends_in(key, "_ratio")))
		text = ratio(object, key);
	else if (!strcmp(form, "fps"))
		text = value_rate(object, key);
	else if (*form)
		text = value_text(object, key, atoi(form));
	else if (value_ends_in(key, "_s"))
		text = value_time(object, key, 1);
	else if (value_ends_in(key, "_ns"))
		text = value_time(object, key, 1e-9);
	else if (value_ends_in(key, "_percent"))
		text = value_percent(object, key);
	else
		text = value_text(object, key, value_ends_in(key, "_fps") ? 1 : 0);
	fputs(text.text, out);
}

static const json_t *holder_of(const struct filling *filling, const char *key)
{
	const json_t *value = json_object_get(filling->first, key);

	return value && !json_is_null(value) ? filling->first : filling->second;
}

static void put_value(struct filling *filling, const char *key, const char *form, FILE *out)
{
	const json_t *holder = holder_of(filling, key), *value = json_object_get(holder, key);

	filling->known |= value && !json_is_null(value);
	if (json_is_number(value))
		put_number(holder, key, form, out);
	else if (json_is_string(value))
		fputs(json_string_value(value), out);
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", out);
	else {
		filling->unknown = true;
		fputc('-', out);
	}
}

/* Fills in what is between braces: a key, and its form after a colon. */
static void put_braces(struct filling *filling, const char *text, size_t length, FILE *out)
{
	char key[80], *form;

	snprintf(key, sizeof(key), "%.*s", (int)length, text);
	form = strchr(key, ':');
	if (form)
		*form++ = 0;
	put_value(filling, key, form ? form : "", out);
}

static void fill(struct filling *filling, const char *text, size_t length, FILE *out);

/* "key=value " or "key!value " before an optional part: whether the part is for what the key is. */
static bool is_wanted(const struct filling *filling, const char *text, size_t length)
{
	const size_t name = strcspn(text, "=!");
	const char *value;
	char key[80];
	bool same;

	snprintf(key, sizeof(key), "%.*s", (int)name, text);
	value = json_string_value(json_object_get(holder_of(filling, key), key));
	if (!value)
		return text[name] == '=';
	same = strlen(value) == length - name - 1 && !strncmp(text + name + 1, value, length - name - 1);
	return same == (text[name] == '=');
}

/* An optional part: left out when one of its values is unknown, or the one after "?" is not above zero, or it is for
 * another value. */
static void put_brackets(struct filling *outer, const char *text, size_t length, FILE *out)
{
	struct filling filling = {outer->first, outer->second, false, false};
	char *part = NULL, key[80];
	size_t size = 0;
	FILE *memory;

	if (*text == '?') {
		size_t end = strcspn(text, " ");

		snprintf(key, sizeof(key), "%.*s", (int)end - 1, text + 1);
		if (!(value_number(holder_of(&filling, key), key) > 0))
			return;
		text += end + 1;
		length -= end + 1;
	}
	if (strcspn(text, "=!") < strcspn(text, " {],") && strcspn(text, " ") < length) {
		size_t end = strcspn(text, " ");

		if (!is_wanted(&filling, text, end))
			return;
		text += end + 1;
		length -= end + 1;
	}
	memory = open_memstream(&part, &size);
	if (!memory)
		return;
	fill(&filling, text, length, memory);
	fclose(memory);
	if (!filling.unknown) {
		fputs(part, out);
		outer->known = true;
	}
	free(part);
}

static void fill(struct filling *filling, const char *text, size_t length, FILE *out)
{
	for (const char *end = text + length; text < end; text++) {
		const char close = *text == '{' ? '}' : ']';
		const char *closed = *text == '{' || *text == '[' ? memchr(text, close, (size_t)(end - text)) : NULL;

		if (!closed) {
			fputc(*text, out);
			continue;
		}
		if (*text == '{')
			put_braces(filling, text + 1, (size_t)(closed - text - 1), out);
		else
			put_brackets(filling, text + 1, (size_t)(closed - text - 1), out);
		text = closed;
	}
}

char *template_text(const char *text, const json_t *first, const json_t *second)
{
	struct filling filling = {first, second, false, false};
	char *filled = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&filled, &size);

	if (!out)
		return NULL;
	fill(&filling, text, strlen(text), out);
	if (fclose(out) || size == 0 || (filling.unknown && !filling.known)) {
		free(filled);
		return NULL;
	}
	return filled;
}
