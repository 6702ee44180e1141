/* SPDX-License-Identifier: Apache-2.0 */
/* A session on a run file, from arguments that were read to the exit code: what run and resume do, and each point of a
 * sweep. */
#ifndef FPGAUGE_COMMANDS_RUN_SESSION_H
#define FPGAUGE_COMMANDS_RUN_SESSION_H

#include "host/console/outputs.h"
#include "host/console/plan_source.h"

struct session_options {
	struct plan_options plan; /* run */
	struct output_options outputs;
	const char *db_path;        /* run: NULL for a dated name */
	const char *events_path;    /* NULL: none */
	const char *trial_log_path; /* NULL: as the plan says; "-" is standard error */
	unsigned jobs;              /* 0: as many as there are processors */
	bool recorded_plan;         /* resume: do not look at the plan on the disk */
	bool allow_command;         /* resume: start what somebody else's run file names */
};

/* Options of both commands: events and the list of trials while they go on, and how many run side by side. */
extern const struct option_row SESSION_OPTIONS[];

/* Makes a new run file, and reports. Adds the settings of --device to those of --set. */
int session_run(struct session_options *options, const char *command);

/* Goes on with options->db_path; a run that is complete is reported only. */
int session_resume(const struct session_options *options, const char *command);

#endif
