/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_COMMANDS_COMPARE_OPTIONS_H
#define FPGAUGE_COMMANDS_COMPARE_OPTIONS_H

#include <stdbool.h>

struct compare_options {
	const char *base_path, *new_path;                   /* base_path NULL with baseline_dir */
	const char *baseline_dir;                           /* NULL: none */
	const char *json_path, *junit_path, *markdown_path; /* NULL: none */
	const char *tolerance;                              /* text as written; NULL: the default */
	const char *accept_reason;                          /* NULL: none */
	bool accept, quiet;
};

#endif
