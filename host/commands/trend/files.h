/* SPDX-License-Identifier: Apache-2.0 */
/* The run files of a trend. */
#ifndef FPGAUGE_COMMANDS_TREND_FILES_H
#define FPGAUGE_COMMANDS_TREND_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "host/base/error.h"

/* Reads the files that the paths name, and all files NAME.db of the folders that they name and of the folders in these.
 * Each file is read once. *runs: a list of trend_run(); *passed_over: {path, why} of those that cannot be read, are not
 * of fpgauge, or have no result; both are the caller's, also after an error. A path that does not exist is an error,
 * and so is no run at all. */
int trend_files_read(const char *const *paths, size_t count, json_t **runs, json_t **passed_over, struct error *error);

#endif
