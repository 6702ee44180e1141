/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a sweep. */
#include "host/commands/sweep/points.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"

void sweep_free(struct sweep *sweep)
{
	free(sweep->directory);
	free(sweep->working_directory);
	free(sweep->tool);
	free(sweep->created);
	source_free_files(sweep->files, sweep->file_count);
	for (size_t i = 0; i < sweep->set_count; i++)
		free(sweep->set[i]);
	free(sweep->set);
	for (size_t i = 0; i < sweep->axis_count; i++) {
		for (size_t j = 0; j < sweep->axes[i].count; j++)
			free(sweep->axes[i].settings[j]);
		free(sweep->axes[i].settings);
		free(sweep->axes[i].path);
	}
	*sweep = (struct sweep){0};
}

size_t sweep_points(const struct sweep *sweep)
{
	size_t points = 1;

	for (size_t i = 0; i < sweep->axis_count; i++)
		points *= sweep->axes[i].count;
	return points;
}

const char *sweep_setting(const struct sweep *sweep, size_t number, size_t axis)
{
	size_t rest = number - 1;

	for (size_t i = sweep->axis_count - 1; i > axis; i--)
		rest /= sweep->axes[i].count;
	return sweep->axes[axis].settings[rest % sweep->axes[axis].count];
}

const char *sweep_value(const struct sweep *sweep, size_t number, size_t axis)
{
	return sweep_setting(sweep, number, axis) + strlen(sweep->axes[axis].path) + 1;
}

size_t sweep_overrides(const struct sweep *sweep, size_t number, const char **list)
{
	for (size_t i = 0; i < sweep->set_count; i++)
		list[i] = sweep->set[i];
	for (size_t i = 0; i < sweep->axis_count; i++)
		list[sweep->set_count + i] = sweep_setting(sweep, number, i);
	return sweep->set_count + sweep->axis_count;
}

const char *sweep_point_text(const struct sweep *sweep, size_t number, char *text, size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sweep->axis_count; i++)
		length = text_add(text, size, length, "%s%s", i ? ", " : "", sweep_setting(sweep, number, i));
	return text_repair(text, size);
}

/* "buffer_frames=64" of "dut.buffer_frames=64"; "frame_sizes=[64]" of "run[0].frame_sizes=[64]". */
static const char *last_step(const char *setting)
{
	const char *step = setting;

	for (const char *at = setting; *at && *at != '='; at++)
		if (*at == '.')
			step = at + 1;
	return step;
}

/* Text that needs no quotes in a shell and does not end a name becomes part of it; brackets are left out, and
 * whatever else there is becomes one hyphen. */
static void add_to_name(char *name, size_t size, const char *text)
{
	size_t length = strlen(name);
	bool hyphen = false;

	for (; *text && length + 1 < size; text++) {
		if (isalnum((unsigned char)*text) || strchr("_.%+", *text))
			name[length++] = *text;
		else if (!strchr("()[]{}\"", *text) && !hyphen)
			name[length++] = '-';
		hyphen = name[length - 1] == '-';
	}
	name[length] = '\0';
}

const char *sweep_file_name(const struct sweep *sweep, size_t number, char name[SWEEP_FILE_NAME])
{
	static const char END[] = ".db";
	const size_t room = SWEEP_FILE_NAME - strlen(END);
	char points[24];
	const int digits = snprintf(points, sizeof(points), "%zu", sweep_points(sweep));

	snprintf(name, SWEEP_FILE_NAME, "%0*zu", digits < 3 ? 3 : digits, number);
	for (size_t i = 0; i < sweep->axis_count; i++) {
		add_to_name(name, room, "-");
		add_to_name(name, room, last_step(sweep_setting(sweep, number, i)));
	}
	strcat(name, END);
	return name;
}

char *sweep_file_path(const struct sweep *sweep, size_t number)
{
	char name[SWEEP_FILE_NAME], *path;

	return asprintf(&path, "%s/%s", sweep->directory, sweep_file_name(sweep, number, name)) < 0 ? NULL : path;
}

static const struct sweep_axis *find_axis(const struct sweep *sweep, const char *path, size_t *at)
{
	for (*at = 0; *at < sweep->axis_count; ++*at)
		if (!strcmp(sweep->axes[*at].path, path))
			return &sweep->axes[*at];
	return NULL;
}

size_t sweep_find(const struct sweep *other, const struct sweep *sweep, size_t number)
{
	size_t found = 0;

	if (other->axis_count != sweep->axis_count)
		return 0;
	for (size_t i = 0; i < other->axis_count; i++) {
		const struct sweep_axis *axis = &other->axes[i];
		size_t at, value = 0;

		if (!find_axis(sweep, axis->path, &at))
			return 0;
		while (value < axis->count && strcmp(axis->settings[value], sweep_setting(sweep, number, at)) != 0)
			value++;
		if (value == axis->count)
			return 0;
		found = found * axis->count + value;
	}
	return found + 1;
}
