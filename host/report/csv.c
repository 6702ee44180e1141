/* SPDX-License-Identifier: Apache-2.0 */
/* The results as comma-separated values (RFC 4180): one file a test, one row a result. A column is a key of the result;
 * keys end in their unit, and those of inner objects stand behind the name of the object and a point
 * ("parameters.settle_s"). Null is an empty cell. Lists of numbers go into one cell, apart by blanks. */
#include <stdlib.h>
#include <string.h>

#include "host/report/output_file.h"
#include "host/report/report.h"
#include "host/report/value.h"

/* The results of one test, and the columns that any of them has, in the order of the first that has it. */
struct sheet {
	const json_t *report;
	const char *test;
	json_t *columns; /* list of texts */
};

static void cell(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void list_cell(FILE *out, const json_t *list)
{
	char *text = NULL;
	size_t length = 0, i;
	const json_t *value;
	FILE *memory = open_memstream(&text, &length);

	if (!memory)
		return;
	json_array_foreach(list, i, value)
	{
		if (json_is_integer(value))
			fprintf(memory, "%s%" JSON_INTEGER_FORMAT, i ? " " : "", json_integer_value(value));
		else if (json_is_real(value))
			fprintf(memory, "%s%.17g", i ? " " : "", json_real_value(value));
		else if (json_is_string(value))
			fprintf(memory, "%s%s", i ? "; " : "", json_string_value(value));
	}
	fclose(memory);
	cell(out, text);
	free(text);
}

static void value_cell(FILE *out, const json_t *value)
{
	if (json_is_integer(value))
		fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.17g", json_real_value(value));
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "true" : "false", out);
	else if (json_is_string(value))
		cell(out, json_string_value(value));
	else if (json_is_array(value))
		list_cell(out, value);
}

static bool has_column(const json_t *columns, const char *name)
{
	const json_t *column;
	size_t i;

	json_array_foreach(columns, i, column)
	{
		if (!strcmp(json_string_value(column), name))
			return true;
	}
	return false;
}

/* A table has no room for lists of objects: of requirements it has the verdict, of trials the count. */
static void add_columns(json_t *columns, const json_t *object, const char *prefix)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		char name[200];

		if (!strcmp(key, "requirements") || json_is_object(json_array_get(value, 0)))
			continue;
		snprintf(name, sizeof(name), "%s%s", prefix, key);
		if (json_is_object(value) && !*prefix) {
			strcat(name, ".");
			add_columns(columns, value, name);
		} else if (!has_column(columns, name)) {
			json_array_append_new(columns, json_string(name));
		}
	}
}

static const json_t *value_of(const json_t *result, const char *column)
{
	const char *point = strchr(column, '.');
	char name[200];

	if (!point)
		return json_object_get(result, column);
	snprintf(name, sizeof(name), "%.*s", (int)(point - column), column);
	return json_object_get(json_object_get(result, name), point + 1);
}

static int write_sheet(FILE *out, const void *what)
{
	const struct sheet *sheet = what;
	const json_t *results = json_object_get(sheet->report, "results"), *result, *column;
	size_t i, j;

	json_array_foreach(sheet->columns, j, column)
	{
		fputs(j ? "," : "", out);
		cell(out, json_string_value(column));
	}
	fputs("\r\n", out);
	json_array_foreach(results, i, result)
	{
		if (strcmp(value_string(result, "test"), sheet->test) != 0)
			continue;
		json_array_foreach(sheet->columns, j, column)
		{
			fputs(j ? "," : "", out);
			value_cell(out, value_of(result, json_string_value(column)));
		}
		fputs("\r\n", out);
	}
	return ferror(out) ? -1 : 0;
}

static int report_sheet(const json_t *report, const char *test, const char *folder, struct error *error)
{
	const json_t *results = json_object_get(report, "results"), *result;
	struct sheet sheet = {report, test, json_array()};
	char *path = NULL;
	size_t i;
	int status;

	json_array_foreach(results, i, result)
	{
		if (!strcmp(value_string(result, "test"), test))
			add_columns(sheet.columns, result, "");
	}
	if (!sheet.columns || asprintf(&path, "%s/%s.csv", folder, test) < 0) {
		json_decref(sheet.columns);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	status = output_file("--csv", path, write_sheet, &sheet, error);
	json_decref(sheet.columns);
	free(path);
	return status;
}

int report_csv_check(const char *folder, struct error *error)
{
	return output_folder("--csv", folder, error);
}

int report_csv(const json_t *report, const char *folder, struct error *error)
{
	const json_t *results = json_object_get(report, "results"), *result;
	json_t *done = json_array();
	int status = output_folder("--csv", folder, error);
	size_t i;

	json_array_foreach(results, i, result)
	{
		const char *test = value_string(result, "test");

		if (status || has_column(done, test))
			continue;
		json_array_append_new(done, json_string(test));
		status = report_sheet(report, test, folder, error);
	}
	json_decref(done);
	return status;
}
