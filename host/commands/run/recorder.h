/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of a plan, run so that nothing is lost: what run and resume share. */
#ifndef FPGAUGE_COMMANDS_RUN_RECORDER_H
#define FPGAUGE_COMMANDS_RUN_RECORDER_H

#include "host/commands/run/events.h"
#include "host/commands/run/session.h"
#include "host/commands/run/trial_log.h"
#include "host/console/bring_up.h"
#include "host/store/store.h"

/* Streams that are written while the run goes on, beside the run file. */
struct streams {
	struct events *events; /* NULL: nobody listens */
	struct trial_log trial_log;
};

/* Opens them, because a run file is only made if they can be written. On failure there is nothing to close. */
int streams_open(struct streams *streams, const struct session_options *options, const struct plan *plan,
                 struct error *error);
int streams_close(struct streams *streams, struct error *error);

/* One session on a run file: all tests through the journal, results and their changes into the file, with progress,
 * events and trace meanwhile. 0 or the error that ended it, which is then in the file, too. Closes the streams. */
int recorder_run(struct store *store, const struct setup *setup, const struct session_options *options,
                 struct streams *streams, const char *command, struct error *error);

/* Makes the report and returns the exit code: for a failure of the run (status, error), else for one of the report. */
int recorder_finish(int status, struct store *store, const struct session_options *options, const char *command,
                    const struct error *error);

#endif
