/* SPDX-License-Identifier: Apache-2.0 */
/* A short program, run to its end, and what it printed. */
#ifndef FPGAUGE_COMMANDS_SWEEP_CAPTURE_H
#define FPGAUGE_COMMANDS_SWEEP_CAPTURE_H

#include <stdbool.h>

#include "host/base/error.h"

/* arguments: the program, looked up in PATH, first; NULL last. *printed: its standard output, to be freed; NULL unless
 * 0 is returned. Its standard error is ours. ERROR_PLAN when there is no such program, ERROR_DEVICE when it fails. */
int capture(const char *const *arguments, char **printed, struct error *error);

#endif
