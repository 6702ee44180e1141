/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that may be held against later ones: those that a green gate or a person accepted. The mark is a file beside
 * the run file, NAME.db.accepted, since run files are records that nobody changes. */
#ifndef FPGAUGE_COMMANDS_COMPARE_ACCEPTED_H
#define FPGAUGE_COMMANDS_COMPARE_ACCEPTED_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/error.h"

enum acceptance {
	NOT_ACCEPTED,
	ACCEPTED,       /* accepted by a gate */
	ACCEPTED_LEVEL, /* accepted by a person, for a reason: runs before it no longer count */
};

/* The mark of the run file at path, whose report that is. One of another run, which had the same name, is none. */
enum acceptance accepted_of(const char *path, const json_t *report);

/* reason: of a person; NULL: a gate. A mark that is there stays, unless there is a reason. */
int accepted_mark(const char *path, const json_t *report, const char *reason, struct error *error);

/* Names of runs in a folder are NAME.db. */
bool accepted_is_run_file(const char *name);

/* NEW must be where later comparisons find it: a file NAME.db in the folder itself. */
int accepted_check_place(const char *folder, const char *path, struct error *error);

#endif
