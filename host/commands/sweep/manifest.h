/* SPDX-License-Identifier: Apache-2.0 */
/* The manifest of a sweep, DIR/sweep.json: what it is made of, and nothing of how far it has come. It is written once,
 * whole or not at all, before the first run. */
#ifndef FPGAUGE_COMMANDS_SWEEP_MANIFEST_H
#define FPGAUGE_COMMANDS_SWEEP_MANIFEST_H

#include <jansson.h>

#include "host/commands/sweep/points.h"

enum { MANIFEST_SCHEMA = 1 };

/* Returns whether a folder is that of a sweep. */
bool manifest_exists(const char *directory);

/* Reads it into an empty sweep, whose directory is where the folder lies now. 0 or ERROR_STORE. Free it in any case. */
int manifest_read(const char *directory, struct sweep *sweep, struct error *error);

/* Writes it into the folder sweep->directory, which may hold no other one. */
int manifest_write(const struct sweep *sweep, struct error *error);

/* Returns whether a sweep is somebody else's: its manifest belongs to another user, or lies in another folder than
 * the one that it was made in. why: as store_is_foreign(). */
bool manifest_is_foreign(const struct sweep *sweep, char *why, size_t size);

/* Checks that a sweep asks for the same as the one of a manifest: same plan, settings and axes. ERROR_PLAN with the
 * first difference. */
int manifest_check_same(const struct sweep *recorded, const struct sweep *asked, struct error *error);

/* The two halves of it: an object as docs/sweeps.md describes it. NULL: out of memory, or a path is not UTF-8. */
json_t *manifest_make(const struct sweep *sweep);
/* place: for complaints. */
int manifest_parse(const json_t *object, const char *place, struct sweep *sweep, struct error *error);

#endif
