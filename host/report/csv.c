/* SPDX-License-Identifier: Apache-2.0 */
/* The results as comma-separated values (RFC 4180): one file per test, one row per result. A column is a key of the
 * result; keys end in their unit, and those of inner objects are prefixed with the name of the object and a dot
 * ("parameters.settle_s"). Null is an empty cell. A list of numbers goes into one cell, separated by blanks. Text that
 * a spreadsheet would take for a formula has an apostrophe in front. */
#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/report/described.h"
#include "host/report/output_file.h"
#include "host/report/report.h"
#include "host/report/value.h"

/* The results of one test, and the columns that any of them has, in order of first appearance. */
struct sheet {
	const json_t *report;
	const char *test;
	json_t *columns; /* described_add_keys() */
};

/* RFC 4180 allows no control characters, and nobody who views a file in a terminal wants them: they become U+FFFD. */
static void character(FILE *out, char c)
{
	if (((unsigned char)c < 0x20 && !strchr("\t\r\n", c)) || c == 0x7f)
		fputs("\xef\xbf\xbd", out);
	else
		fputc(c, out);
}

static void cell(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n") != NULL;

	if (quoted)
		fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		character(out, *text);
	}
	if (quoted)
		fputc('"', out);
}

/* Texts come from plans, testers and files of others, and spreadsheets run what begins like this, in quotes or not
 * (OWASP, "CSV Injection"). The apostrophe is theirs for "this is text". */
static bool is_formula(const char *text)
{
	return text[0] != '\0' && strchr("=+-@\t\r\n", text[0]);
}

static void text_cell(FILE *out, const char *text)
{
	char *guarded = NULL;

	if (!is_formula(text)) {
		cell(out, text);
	} else if (asprintf(&guarded, "'%s", text) >= 0) {
		cell(out, guarded);
		free(guarded);
	}
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
		if (json_is_number(value))
			fprintf(memory, "%s%s", i ? " " : "", value_digits(value).text);
		else if (json_is_string(value))
			fprintf(memory, "%s%s", i ? "; " : "", json_string_value(value));
	}
	fclose(memory);
	if (json_is_string(json_array_get(list, 0)))
		text_cell(out, text);
	else
		cell(out, text);
	free(text);
}

static void value_cell(FILE *out, const json_t *value)
{
	if (json_is_number(value))
		fputs(value_digits(value).text, out);
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "true" : "false", out);
	else if (json_is_string(value))
		text_cell(out, json_string_value(value));
	else if (json_is_array(value))
		list_cell(out, value);
}

static int write_sheet(FILE *out, const void *what)
{
	const struct sheet *sheet = what;
	const json_t *results = json_object_get(sheet->report, "results"), *result;
	const char *key, *separator = "";
	json_t *first;
	size_t i;

	json_object_foreach(sheet->columns, key, first)
	{
		fputs(separator, out);
		text_cell(out, key);
		separator = ",";
	}
	fputs("\r\n", out);
	json_array_foreach(results, i, result)
	{
		if (strcmp(value_string(result, "test"), sheet->test) != 0)
			continue;
		separator = "";
		json_object_foreach(sheet->columns, key, first)
		{
			fputs(separator, out);
			value_cell(out, described_value(result, key));
			separator = ",";
		}
		fputs("\r\n", out);
	}
	return ferror(out) ? -1 : 0;
}

static int report_sheet(const json_t *report, const char *test, const char *folder, struct error *error)
{
	const json_t *results = json_object_get(report, "results"), *result;
	struct sheet sheet = {report, test, json_object()};
	char *path = NULL;
	size_t i;
	int status = 0;

	json_array_foreach(results, i, result)
	{
		if (!strcmp(value_string(result, "test"), test))
			described_add_keys(sheet.columns, result);
	}
	if (!sheet.columns || asprintf(&path, "%s/%s.csv", folder, test) < 0)
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	else if (json_object_size(sheet.columns))
		status = output_file("--csv", path, write_sheet, &sheet, error);
	json_decref(sheet.columns);
	free(path);
	return status;
}

int report_csv_check(const char *folder, struct error *error)
{
	return output_folder("--csv", folder, error);
}

/* Files are named after our benchmarks, since what a result calls its test may be a path. */
int report_csv(const json_t *report, const char *folder, struct error *error)
{
	int status = output_folder("--csv", folder, error);

	for (size_t i = 0; i < BENCHMARK_COUNT && !status; i++)
		status = report_sheet(report, benchmark_name(BENCHMARKS[i]), folder, error);
	return status;
}
