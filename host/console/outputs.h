/* SPDX-License-Identifier: Apache-2.0 */
/* The table and the files that run, resume and report leave behind, all made from the run file. */
#ifndef FPGAUGE_CONSOLE_OUTPUTS_H
#define FPGAUGE_CONSOLE_OUTPUTS_H

#include "host/base/error.h"
#include "host/console/command.h"
#include "host/store/store.h"

struct output_options {
	const char *json_path, *csv_path, *junit_path, *html_path, *pdf_path; /* NULL: none */
	bool quiet;
};

/* The forms of a report beside JSON_OPTION. */
extern const struct option_row OUTPUT_OPTIONS[];

/* Checks, before hours of trials, that all of it can be written. */
int outputs_check(const struct output_options *options, struct error *error);

/* Prints a line for people that is not a complaint, if standard output is theirs; at once, as the run may be long. */
void outputs_say(const struct output_options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The name of the run file. The user must know it in any case: if standard output is quiet, or a program reads it, a
 * name that was not given (by --db) goes to standard error. */
void outputs_say_run_file(const struct output_options *options, const char *path, bool given);

/* Writes everything, even if something fails; passed: report_passes(). */
int outputs_write(const struct output_options *options, struct store *store, bool *passed, struct error *error);

#endif
