/* SPDX-License-Identifier: Apache-2.0 */
/* A session on a run file, from arguments that were read to the exit code: what run and resume do, and each point of a
 * sweep. */
#ifndef FPGAUGE_COMMANDS_RUN_SESSION_H
#define FPGAUGE_COMMANDS_RUN_SESSION_H

#include "host/console/options.h"

/* Makes a new run file, and reports. Adds the settings of --device to those of --set. */
int session_run(struct options *options, const char *command);

/* Goes on with options->db_path; a run that is complete is reported only. */
int session_resume(const struct options *options, const char *command);

#endif
