/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in results as comma-separated values: one file per list, one row per object. */
#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/report/csv.h"
#include "host/report/latency_error.h"
#include "host/report/output_file.h"
#include "host/report/report.h"

/* Columns that say which result a row belongs to. */
static const char *const OF_RESULT[] = {"test_number", "test", "goal", "frame_octets", "sizes", "modifier"};
enum { OF_RESULT_COUNT = sizeof(OF_RESULT) / sizeof(OF_RESULT[0]) };

struct sheet {
	const json_t *report;
	const char *list;
	struct result_column columns[LISTING_COLUMNS];
};

static void write_head(FILE *out, const struct result_column *columns)
{
	for (size_t i = 0; i < OF_RESULT_COUNT; i++)
		fprintf(out, "%s%s", i ? "," : "", OF_RESULT[i]);
	for (const struct result_column *column = columns; column->key; column++)
		fprintf(out, ",%s", column->key);
	fputs(latency_error_is_of(columns) ? ",latency_error_ns\r\n" : "\r\n", out);
}

static void write_row(FILE *out, const struct result_column *columns, const json_t *result, const json_t *row)
{
	for (size_t i = 0; i < OF_RESULT_COUNT; i++) {
		fputs(i ? "," : "", out);
		csv_value(out, json_object_get(result, OF_RESULT[i]));
	}
	for (const struct result_column *column = columns; column->key; column++) {
		fputc(',', out);
		csv_value(out, json_object_get(row, column->key));
	}
	if (latency_error_is_of(columns)) {
		fputc(',', out);
		csv_value(out, json_object_get(result, "latency_error_ns"));
	}
	fputs("\r\n", out);
}

static int write_sheet(FILE *out, const void *what)
{
	const struct sheet *sheet = what;
	const json_t *result, *row;
	size_t i, j;

	write_head(out, sheet->columns);
	json_array_foreach(json_object_get(sheet->report, "results"), i, result)
	{
		json_array_foreach(json_object_get(result, sheet->list), j, row)
		{
			write_row(out, sheet->columns, result, row);
		}
	}
	return ferror(out) ? -1 : 0;
}

static bool has_any(const json_t *report, const char *list)
{
	const json_t *result;
	size_t i;

	json_array_foreach(json_object_get(report, "results"), i, result)
	{
		if (json_array_size(json_object_get(result, list)))
			return true;
	}
	return false;
}

/* written: names of lists, because several descriptions have the same ones. */
static int write_list(const json_t *report, const struct result_listing *rows, json_t *written, const char *folder,
                      struct error *error)
{
	struct sheet sheet = {.report = report, .list = rows->list};
	char *path = NULL;
	int status = 0;

	if (json_object_get(written, rows->list) || !has_any(report, rows->list))
		return 0;
	if (json_object_set_new(written, rows->list, json_true()) ||
	    asprintf(&path, "%s/%s.csv", folder, rows->list) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	listing_columns(rows, sheet.columns);
	status = output_file("--csv", path, write_sheet, &sheet, error);
	free(path);
	return status;
}

static int write_lists(const json_t *report, const struct result_description *description, json_t *written,
                       const char *folder, struct error *error)
{
	int status = 0;

	for (const struct result_listing *const *rows = description->listings; rows && *rows && status == 0; rows++)
		status = write_list(report, *rows, written, folder, error);
	return status;
}

int csv_rows(const json_t *report, const char *folder, struct error *error)
{
	json_t *written = json_object();
	int status = 0;

	for (size_t i = 0; i < BENCHMARK_COUNT && status == 0; i++)
		for (const struct result_description *const *one = BENCHMARKS[i]->plan.results; *one && status == 0;
		     one++)
			status = write_lists(report, *one, written, folder, error);
	json_decref(written);
	return status;
}
