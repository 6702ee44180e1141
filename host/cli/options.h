/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the commands that take a plan. */
#ifndef FPGAUGE_CLI_OPTIONS_H
#define FPGAUGE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct options {
	const char *plan_path;
	const char **overrides; /* of --set, in order */
	size_t override_count;
	const char *json_path;  /* NULL: no JSON */
	const char *trace_path; /* NULL: as the plan says; "-" is standard error */
	bool quiet;
};

/* Parses or exits: with 0 after --help, with 2 on a wrong argument. reports: --json, --trace and --quiet are known. */
void options_parse(int argc, char **argv, bool reports, const char *doc, struct options *options);
void options_free(struct options *options);

#endif
