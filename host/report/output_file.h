/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears whole or not at all: a reader sees the old one or the new one, never a part. */
#ifndef FPGAUGE_REPORT_OUTPUT_FILE_H
#define FPGAUGE_REPORT_OUTPUT_FILE_H

#include <stdio.h>

#include "host/base/error.h"

/* Writes with `write`, which returns 0 or -1 with errno. path "-" is standard output; devices and pipes are written to,
 * not replaced. option: the command-line option, for the complaint. */
int output_file(const char *option, const char *path, int (*write)(FILE *out, const void *what), const void *what,
                struct error *error);

/* Checks, before hours of trials, that output_file() will be able to write. Leaves nothing behind. */
int output_file_check(const char *option, const char *path, struct error *error);

/* The same, and removes what an earlier command left there: of a file that a CI server reads, the old one must not be
 * taken for the new one if there is none. */
int output_file_renew(const char *option, const char *path, struct error *error);

/* Makes a folder if there is none. */
int output_folder(const char *option, const char *path, struct error *error);

#endif
