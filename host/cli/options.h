/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the commands: one table, from which each command takes its part. */
#ifndef FPGAUGE_CLI_OPTIONS_H
#define FPGAUGE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "host/forecast/fit_durations.h"

enum option_user {
	OPTIONS_RUN,
	OPTIONS_CHECK,
	OPTIONS_RESUME,
	OPTIONS_REPORT,
	OPTIONS_COMPARE,
	OPTIONS_TREND,
	OPTIONS_DEVICES,
	OPTIONS_SELFTEST,
	OPTIONS_WATCH
};

struct options {
	const char *plan_path;              /* run, check; NULL with a preset */
	const struct preset *preset;        /* run, check; NULL with a plan file */
	const struct plan_file *plan_files; /* sweep: in place of plan_path, a plan that was read before; else NULL */
	size_t plan_file_count;
	const char *base_path, *new_path;         /* compare; base_path NULL with baseline_dir */
	const char *baseline_dir, *markdown_path; /* compare; NULL: none */
	bool accept;                              /* compare */
	const char *accept_reason;                /* compare; NULL: none */
	const char **trend_paths;                 /* trend: of files and folders, in order */
	size_t trend_path_count;
	bool fail_on_step;      /* trend */
	const char **overrides; /* settings of --set, in order */
	size_t override_count;
	const char *db_path; /* run: NULL for a dated name; resume, report: the argument */
	const char *json_path, *csv_path, *junit_path, *html_path, *pdf_path; /* NULL: none */
	const char *events_path;
	const char *trial_log_path;   /* NULL: as the plan says; "-" is standard error */
	const char *tolerance;        /* compare, trend; as written */
	const char *device;           /* selftest, watch: "sim:rtl"; run, check: in place of the plan's; NULL: none */
	char *device_settings[2];     /* the device as settings of a plan; see plan_source.h */
	const char *interval, *count; /* watch; as written */
	const char *duration;         /* selftest; as written */
	bool external;                /* selftest */
	const char *calibration_path; /* selftest; NULL: the default for a card, none for a simulation */
	bool rfc_durations;           /* run, check: also of simulations */
	struct fitted fitted;         /* run, check: settings that fit_plan() added to the overrides */
	bool recorded_plan;           /* resume: do not look at the plan on the disk */
	bool names;                   /* devices: the names only */
	bool allow_command;           /* resume: start what somebody else's run file names */
	unsigned jobs;                /* run, resume, check: of --jobs; 0: as many as there are processors */
	bool quiet;
};

/* Parses or exits: with 0 after --help, with 2 on a wrong argument. */
void options_parse(int argc, char **argv, enum option_user user, const char *doc, struct options *options);
void options_free(struct options *options);

/* Prints what a command takes, as option_list_print(). False when the command takes none of these options. */
bool options_print(FILE *out, const char *command);

/* "--json FILE, --csv DIR, ...": every form that `report` writes into a file. */
void options_print_reports(FILE *out);

#endif
