/* SPDX-License-Identifier: Apache-2.0 */
/* A run file that the user named. */
#ifndef FPGAUGE_CONSOLE_RUN_FILE_H
#define FPGAUGE_CONSOLE_RUN_FILE_H

#include "host/store/store.h"

/* store_open(); for a plan in its place, the error says what runs it. */
int run_file_open(const char *path, enum store_access access_kind, struct store **store, struct error *error);

#endif
