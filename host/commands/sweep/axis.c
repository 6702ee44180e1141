/* SPDX-License-Identifier: Apache-2.0 */
/* --vary path=value,value: the text of an axis, and which axes contradict one another. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/commands/sweep/points.h"

enum { SHOWN = 200 };

static int complain(struct error *error, const char *text, const char *why)
{
	return error_set(error, ERROR_PLAN, "--vary %.*s: %s", SHOWN, text, why);
}

/* Returns what follows a string, which begins at its quote; NULL: it has no end. */
static const char *after_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : NULL;
}

/* The comma behind a value, or the end of the text. NULL: *why says what is wrong. */
static const char *end_of_value(const char *at, const char **why)
{
	char open[SOURCE_MAX_NESTING];
	size_t depth = 0;

	while (*at && (depth || *at != ',')) {
		const char *opening = strchr("([{", *at), *closing = strchr(")]}", *at);

		if (*at == '"') {
			at = after_string(at);
			*why = "a text in quotes has no end";
			if (!at)
				return NULL;
			continue;
		}
		*why = "brackets are nested too deep";
		if (opening && depth == SOURCE_MAX_NESTING)
			return NULL;
		if (opening)
			open[depth++] = *at;
		*why = "brackets do not match";
		if (closing && (!depth || open[--depth] != "([{"[closing - ")]}"]))
			return NULL;
		at++;
	}
	return depth ? NULL : at;
}

/* Blanks around a value belong to the comma. */
static void trim(const char **begin, const char **end)
{
	while (*begin < *end && isspace((unsigned char)**begin))
		++*begin;
	while (*begin < *end && isspace((unsigned char)(*end)[-1]))
		--*end;
}

static int add_value(struct sweep_axis *axis, const char *text, const char *begin, const char *end, struct error *error)
{
	char **place;
	char *setting;

	trim(&begin, &end);
	if (begin == end)
		return complain(error, text, "a value is missing");
	if (axis->count == SWEEP_MAX_POINTS)
		return error_set(error, ERROR_PLAN, "--vary %s: must have at most %d values", axis->path,
		                 SWEEP_MAX_POINTS);
	if (asprintf(&setting, "%s=%.*s", axis->path, (int)(end - begin), begin) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < axis->count; i++) {
		if (!strcmp(axis->settings[i], setting)) {
			error_set(error, ERROR_PLAN, "--vary %.*s: the value %.*s is given twice", SHOWN, text,
			          (int)(end - begin), begin);
			free(setting);
			return error->code;
		}
	}
	place = array_add(&axis->settings, axis->count, sizeof(*place));
	if (!place) {
		free(setting);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	*place = setting;
	axis->count++;
	return 0;
}

static int read_values(struct sweep_axis *axis, const char *text, const char *at, struct error *error)
{
	int status = 0;

	while (status == 0) {
		const char *why, *end = end_of_value(at, &why);

		if (!end)
			return complain(error, text, why);
		status = add_value(axis, text, at, end, error);
		if (!*end)
			break;
		at = end + 1;
	}
	return status;
}

int sweep_add_axis(struct sweep *sweep, const char *text, struct error *error)
{
	const char *equals = strchr(text, '=');
	struct sweep_axis *axis;
	size_t octet;
	const char *wrong = source_check_text(text, strlen(text), &octet);

	if (wrong)
		return error_set(error, ERROR_PLAN, "--vary: octet %zu, 0x%02x: %s", octet + 1,
		                 (unsigned char)text[octet], wrong);
	if (!equals || equals == text)
		return complain(error, text, "must be path=value,value,... such as dut.buffer_frames=64,256");
	if (sweep->axis_count == SWEEP_MAX_AXES)
		return error_set(error, ERROR_PLAN, "--vary %.*s: must be given at most %d times", SHOWN, text,
		                 SWEEP_MAX_AXES);
	axis = &sweep->axes[sweep->axis_count];
	*axis = (struct sweep_axis){.path = strndup(text, (size_t)(equals - text))};
	if (!axis->path)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	sweep->axis_count++;
	return read_values(axis, text, equals + 1, error);
}

int sweep_add_set(struct sweep *sweep, const char *text, struct error *error)
{
	char *copy = strdup(text), **place = copy ? array_add(&sweep->set, sweep->set_count, sizeof(*place)) : NULL;

	if (!place) {
		free(copy);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	*place = copy;
	sweep->set_count++;
	return 0;
}

/* The next character of a path up to its end ('=' or NUL), with "run.[1]" read as "run[1]"; '\0' at the end. */
static char next(const char **at)
{
	if (**at == '.' && (*at)[1] == '[')
		++*at;
	return **at == '\0' || **at == '=' ? '\0' : *(*at)++;
}

/* Returns whether one path leads to the other, or into it: "dut" and "dut.model". */
static bool overlaps(const char *a, const char *b)
{
	char x, y;

	do {
		x = next(&a);
		y = next(&b);
	} while (x && x == y);
	return x == y || (!x && (y == '.' || y == '[')) || (!y && (x == '.' || x == '['));
}

int sweep_check(const struct sweep *sweep, struct error *error)
{
	size_t points = 1;

	if (sweep->axis_count == 0)
		return error_set(error, ERROR_PLAN, "--vary must be given, such as --vary dut.buffer_frames=64,256");
	for (size_t i = 0; i < sweep->axis_count; i++) {
		const char *path = sweep->axes[i].path;

		for (size_t j = 0; j < i; j++)
			if (overlaps(path, sweep->axes[j].path))
				return error_set(error, ERROR_PLAN,
				                 "--vary %.*s: is varied by --vary %.*s already: give all values there",
				                 SHOWN, path, SHOWN, sweep->axes[j].path);
		for (size_t j = 0; j < sweep->set_count; j++)
			if (overlaps(path, sweep->set[j]))
				return error_set(error, ERROR_PLAN, "--vary %.*s: contradicts the setting %.*s", SHOWN,
				                 path, SHOWN, sweep->set[j]);
		points *= sweep->axes[i].count;
		if (points > SWEEP_MAX_POINTS)
			return error_set(error, ERROR_PLAN,
			                 "--vary: the combinations of all values must be at most %d runs",
			                 SWEEP_MAX_POINTS);
	}
	return 0;
}
