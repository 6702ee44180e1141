/* SPDX-License-Identifier: Apache-2.0 */
/* The results as comma-separated values (RFC 4180): one file per test, one row per result, and
 * one file per list of ports or flows (csv_rows.c). A column is a key of the
 * result; keys end in their unit, and those of inner objects are prefixed with the name of the object and a dot
 * ("parameters.settle_s"). Null is an empty cell. A list of numbers goes into one cell, separated by blanks. Text that
 * a spreadsheet would take for a formula has an apostrophe in front. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/report/csv.h"
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
		csv_text(out, key);
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
			csv_value(out, described_value(result, key));
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

/* Writes what the plan says about the run. */
static int write_info(FILE *out, const void *what)
{
	const char *key;
	json_t *text;

	fputs("key,text\r\n", out);
	json_object_foreach((json_t *)(uintptr_t)what, key, text)
	{
		csv_text(out, key);
		fputc(',', out);
		csv_value(out, text);
		fputs("\r\n", out);
	}
	return ferror(out) ? -1 : 0;
}

static int report_info(const json_t *info, const char *folder, struct error *error)
{
	char *path = NULL;
	int status;

	if (!info)
		return 0;
	if (asprintf(&path, "%s/info.csv", folder) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = output_file("--csv", path, write_info, info, error);
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
	if (!status)
		status = report_info(json_object_get(report, "info"), folder, error);
	return status ? status : csv_rows(report, folder, error);
}
