/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of a report, one after the other. */
#include "host/console/outputs.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/report/html/report_html.h"
#include "host/report/html/report_pdf.h"
#include "host/report/load.h"
#include "host/report/report.h"

const struct option_row OUTPUT_OPTIONS[] = {
        {"csv", 0, "DIR", "Write one CSV file per test, and of ports and flows, into DIR", OPTION_TEXT,
         .place = offsetof(struct output_options, csv_path)},
        {"junit", 0, "FILE", "Write FILE as JUnit XML, one test case per result, for a CI server", OPTION_TEXT,
         .place = offsetof(struct output_options, junit_path)},
        {"html", 0, "FILE", "Write FILE as one self-contained HTML page with charts; uses gnuplot", OPTION_TEXT,
         .place = offsetof(struct output_options, html_path)},
        {"pdf", 0, "FILE", "Write the same page as PDF, as Chromium or WeasyPrint prints it, whichever is installed",
         OPTION_TEXT, .place = offsetof(struct output_options, pdf_path)},
        {0},
};

/* Returns whether standard output is taken by a form of the report that a program reads. */
static bool stdout_is_taken(const struct output_options *options)
{
	return (options->json_path && !strcmp(options->json_path, "-")) ||
	       (options->junit_path && !strcmp(options->junit_path, "-")) ||
	       (options->html_path && !strcmp(options->html_path, "-")) ||
	       (options->pdf_path && !strcmp(options->pdf_path, "-"));
}

/* If it was closed at the start (main.c), the report would be lost after hours of trials. */
static int check_stdout(struct error *error)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
		return 0;
	return error_set(
	        error, ERROR_PLAN,
	        "standard output is closed, and the report goes there: open it, or give --quiet and files such as "
	        "--json FILE");
}

int outputs_check(const struct output_options *options, struct error *error)
{
	int result = 0;

	if (!options->quiet || stdout_is_taken(options))
		result = check_stdout(error);
	if (!result && options->json_path)
		result = report_json_check(options->json_path, error);
	if (!result && options->csv_path)
		result = report_csv_check(options->csv_path, error);
	if (!result && options->junit_path)
		result = report_junit_check(options->junit_path, error);
	if (!result && options->html_path)
		result = report_html_check(options->html_path, error);
	if (!result && options->pdf_path)
		result = report_pdf_check(options->pdf_path, error);
	return result;
}

void outputs_say(const struct output_options *options, const char *format, ...)
{
	va_list arguments;

	if (options->quiet || stdout_is_taken(options))
		return;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	fflush(stdout);
}

void outputs_say_run_file(const struct output_options *options, const char *path, bool given)
{
	outputs_say(options, "Run file: %s\n", path);
	if ((options->quiet || stdout_is_taken(options)) && !given)
		fprintf(stderr, "Run file: %s\n", path);
}

/* The first error is kept; what comes after it is still written. */
static void note(int *result, int status, struct error *error, const struct error *latest)
{
	if (status && !*result) {
		*result = status;
		*error = *latest;
	}
}

int outputs_write(const struct output_options *options, struct store *store, bool *passed, struct error *error)
{
	struct error latest = {0};
	json_t *report;
	size_t left_out;
	int result = report_load_most(store, &report, &left_out, error);

	*passed = false;
	if (result)
		return result;
	result = left_out ? error->code : 0;
	*passed = report_passes(report);
	if (!options->quiet && !stdout_is_taken(options))
		report_table(report, stdout);
	if (options->json_path)
		note(&result, report_json(report, options->json_path, &latest), error, &latest);
	if (options->csv_path)
		note(&result, report_csv(report, options->csv_path, &latest), error, &latest);
	if (options->junit_path)
		note(&result, report_junit(report, store, options->junit_path, &latest), error, &latest);
	if (options->html_path)
		note(&result, report_html(report, store, options->html_path, &latest), error, &latest);
	if (options->pdf_path)
		note(&result, report_pdf(report, store, options->pdf_path, &latest), error, &latest);
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(error, ERROR_PLAN, "standard output cannot be written");
	json_decref(report);
	return result;
}
