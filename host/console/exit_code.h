/* SPDX-License-Identifier: Apache-2.0 */
/* How the program ends: docs/architecture.md, "Exit codes". */
#ifndef FPGAUGE_CONSOLE_EXIT_CODE_H
#define FPGAUGE_CONSOLE_EXIT_CODE_H

#include "host/base/error.h"

enum exit_code {
	EXIT_VALID = 0,   /* done and all results valid */
	EXIT_INVALID = 1, /* done, but a result is invalid; or stopped by the user */
	EXIT_PLAN = 2,    /* the plan or the arguments are wrong */
	EXIT_DEVICE = 3,  /* the device failed or is not the one expected */
	EXIT_NO_BASE = 4, /* compare --baseline-dir: no accepted run to compare with */
	EXIT_UNCLEAR = 5, /* compare, trend: neither worse nor not worse; more runs are needed */
};

/* Prints the one line of an error; returns the exit code it stands for. */
int exit_code_of(const struct error *error, const char *command);

#endif
