/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of a plan, run so that nothing is lost: what run and resume share. */
#ifndef FPGAUGE_CLI_RECORDER_H
#define FPGAUGE_CLI_RECORDER_H

#include "host/cli/bring_up.h"
#include "host/cli/options.h"
#include "host/store/store.h"

/* One session on a run file: all tests through the journal, results and their changes into the file, progress and
 * events meanwhile. 0 or the error that ended it, which the file then tells too. */
int recorder_run(struct store *store, const struct setup *setup, const struct options *options, const char *command,
                 struct error *error);

/* The report, and the exit code: of the run (status, error) first, of the report's own failure next. */
int recorder_finish(int status, struct store *store, const struct options *options, const char *command,
                    const struct error *error);

#endif
