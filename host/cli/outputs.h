/* SPDX-License-Identifier: Apache-2.0 */
/* Output of run, resume and report: the table, and the files that were asked for. All from the run file. */
#ifndef FPGAUGE_CLI_OUTPUTS_H
#define FPGAUGE_CLI_OUTPUTS_H

#include "host/base/error.h"
#include "host/cli/options.h"
#include "host/store/store.h"

/* Checks, before hours of trials, that all of it can be written. */
int outputs_check(const struct options *options, struct error *error);

/* Prints a line for people that is not a complaint, if standard output is theirs; at once, as the run may be long. */
void outputs_say(const struct options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The name of the run file. The user must know it in any case: if standard output is quiet, or a program reads it, a
 * name that was not given (--db) goes to standard error. */
void outputs_say_run_file(const struct options *options, const char *path);

/* Writes everything, even if something fails; passed: report_passes(). */
int outputs_write(const struct options *options, struct store *store, bool *passed, struct error *error);

#endif
