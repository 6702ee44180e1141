/* SPDX-License-Identifier: Apache-2.0 */
/* What run, resume and report leave behind: the table, and the files that were asked for. All from the run file. */
#ifndef FPGAUGE_CLI_OUTPUTS_H
#define FPGAUGE_CLI_OUTPUTS_H

#include "host/base/error.h"
#include "host/cli/options.h"
#include "host/store/store.h"

/* Whether all of it can be written, found before hours of trials. */
int outputs_check(const struct options *options, struct error *error);

/* A line for people that is no complaint, where standard output is theirs; at once, for the run may be long. */
void outputs_say(const struct options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The name of the run file. Whatever else is said, one must know it: where standard output is quiet, or a program reads
 * it, a name that was not given (--db) goes to standard error. */
void outputs_say_run_file(const struct options *options, const char *path);

/* Writes everything, whatever fails first; passed: report_passes(). */
int outputs_write(const struct options *options, struct store *store, bool *passed, struct error *error);

#endif
