/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as a JSON object. */
#include "host/commands/sweep/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/json_write.h"

static json_t *texts(char *const *list, size_t count, size_t skip)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_add(array, json_string(list[i] + skip));
	return array;
}

static json_t *axes_of(const struct sweep *sweep)
{
	json_t *array = json_array();

	for (size_t i = 0; i < sweep->axis_count; i++) {
		const struct sweep_axis *axis = &sweep->axes[i];

		json_add(array, json_pack("{s:s, s:o}", "path", axis->path, "values",
		                          texts(axis->settings, axis->count, strlen(axis->path) + 1)));
	}
	return array;
}

static json_t *files_of(const struct sweep *sweep)
{
	json_t *array = json_array();

	for (size_t i = 0; i < sweep->file_count; i++) {
		const struct plan_file *file = &sweep->files[i];

		json_add(array, json_pack("{s:s, s:s, s:s}", "path", file->path, "absolute", file->absolute, "text",
		                          file->text));
	}
	return array;
}

json_t *manifest_make(const struct sweep *sweep)
{
	json_t *object =
	        json_pack("{s:i, s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "fpgauge_sweep", MANIFEST_SCHEMA, "tool",
	                  sweep->tool, "created", sweep->created, "directory", sweep->directory, "working_directory",
	                  sweep->working_directory, "points", (json_int_t)sweep_points(sweep), "vary", axes_of(sweep),
	                  "set", texts(sweep->set, sweep->set_count, 0), "plan", files_of(sweep));

	/* A text that is not UTF-8 would be missing. */
	if (object && (json_array_size(json_object_get(object, "vary")) != sweep->axis_count ||
	               json_array_size(json_object_get(object, "set")) != sweep->set_count ||
	               json_array_size(json_object_get(object, "plan")) != sweep->file_count)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int complain(struct error *error, const char *place, const char *key, const char *must)
{
	return error_set(error, ERROR_STORE, "%s: %s: must be %s", place, key, must);
}

/* A copy; NULL with an error. */
static char *text_at(const json_t *object, const char *key, const char *place, struct error *error)
{
	const char *text = json_string_value(json_object_get(object, key));
	char *copy = text ? strdup(text) : NULL;

	if (!text)
		complain(error, place, key, "a text");
	else if (!copy)
		error_set(error, ERROR_INTERNAL, "out of memory");
	return copy;
}

static int parse_files(const json_t *array, const char *place, struct sweep *sweep, struct error *error)
{
	const json_t *one;
	size_t i;

	if (!json_is_array(array) || json_array_size(array) == 0)
		return complain(error, place, "plan", "a list of files");
	json_array_foreach(array, i, one)
	{
		struct plan_file *file = array_add(&sweep->files, i, sizeof(*file));

		if (!file)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		*file = (struct plan_file){0};
		sweep->file_count++;
		if (!(file->path = text_at(one, "path", place, error)) ||
		    !(file->absolute = text_at(one, "absolute", place, error)) ||
		    !(file->text = text_at(one, "text", place, error)))
			return error->code;
	}
	return 0;
}

static int parse_set(const json_t *array, const char *place, struct sweep *sweep, struct error *error)
{
	const json_t *one;
	size_t i;
	int status = json_is_array(array) ? 0 : complain(error, place, "set", "a list of texts");

	json_array_foreach(array, i, one)
	{
		if (status == 0)
			status = json_is_string(one) ? sweep_add_set(sweep, json_string_value(one), error)
			                             : complain(error, place, "set", "a list of texts");
	}
	return status;
}

/* Reads the axis through the text of --vary, whose rules hold for a file too. */
static int parse_axis(const json_t *object, const char *place, struct sweep *sweep, struct error *error)
{
	const char *path = json_string_value(json_object_get(object, "path"));
	const json_t *values = json_object_get(object, "values"), *one;
	char *text = NULL;
	size_t length = 0, i;
	FILE *out = open_memstream(&text, &length);
	int status = 0;

	if (!out)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	fprintf(out, "%s=", path ? path : "");
	json_array_foreach(values, i, one)
	{
		const char *value = json_string_value(one);

		fprintf(out, "%s%s", i ? "," : "", value ? value : "");
	}
	if (fclose(out))
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	if (status == 0)
		status = sweep_add_axis(sweep, text, error);
	if (status == 0 && sweep->axes[sweep->axis_count - 1].count != json_array_size(values))
		status = complain(error, place, "vary", "a list of {path, values}");
	free(text);
	return status;
}

static int parse_axes(const json_t *array, const char *place, struct sweep *sweep, struct error *error)
{
	const json_t *one;
	size_t i;
	int status = json_is_array(array) ? 0 : complain(error, place, "vary", "a list of {path, values}");

	json_array_foreach(array, i, one)
	{
		if (status == 0)
			status = parse_axis(one, place, sweep, error);
	}
	return status;
}

int manifest_parse(const json_t *object, const char *place, struct sweep *sweep, struct error *error)
{
	const json_t *schema = json_object_get(object, "fpgauge_sweep");

	if (!json_is_integer(schema))
		return error_set(error, ERROR_STORE, "%s: is not the manifest of a sweep", place);
	if (json_integer_value(schema) != MANIFEST_SCHEMA)
		return error_set(error, ERROR_STORE,
		                 "%s: has version %lld; this program (fpgauge " FPGAUGE_VERSION ") reads version %d",
		                 place, (long long)json_integer_value(schema), MANIFEST_SCHEMA);
	if (!(sweep->tool = text_at(object, "tool", place, error)) ||
	    !(sweep->created = text_at(object, "created", place, error)) ||
	    !(sweep->directory = text_at(object, "directory", place, error)) ||
	    !(sweep->working_directory = text_at(object, "working_directory", place, error)) ||
	    parse_files(json_object_get(object, "plan"), place, sweep, error) ||
	    parse_set(json_object_get(object, "set"), place, sweep, error) ||
	    parse_axes(json_object_get(object, "vary"), place, sweep, error) || sweep_check(sweep, error)) {
		if (error->code == ERROR_PLAN) { /* a rule of --vary */
			error->code = ERROR_STORE;
			error_prefix(error, "%s: ", place);
		}
		return error->code;
	}
	return 0;
}
