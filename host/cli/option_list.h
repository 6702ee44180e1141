/* SPDX-License-Identifier: Apache-2.0 */
/* List of what a command takes, printed for shell completion (fpgauge help options). */
#ifndef FPGAUGE_CLI_OPTION_LIST_H
#define FPGAUGE_CLI_OPTION_LIST_H

#include <argp.h>
#include <stdio.h>

struct option_list {
	const char *command;
	const char *arguments;             /* arguments as in argp's args_doc, "BASE NEW"; NULL: none */
	const struct argp_option *options; /* options as in argp: up to one without a name */
};

/* "run PLAN", "run --json FILE", "run -j FILE", "run --trial-log [=FILE]", one per line, with the options that argp
 * adds. Hidden options are left out. A key that is no printable character is no letter, as for argp. */
void option_list_print(FILE *out, const struct option_list *list);

#endif
