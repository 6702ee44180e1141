/* SPDX-License-Identifier: Apache-2.0 */
/* How far a point of a sweep has come, as its run file says. */
#ifndef FPGAUGE_COMMANDS_SWEEP_STATE_H
#define FPGAUGE_COMMANDS_SWEEP_STATE_H

#include <jansson.h>

#include "host/commands/sweep/points.h"

enum point_state {
	POINT_NOT_BEGUN, /* no file, or one that nothing was measured into */
	POINT_BEGUN,     /* `fpgauge resume` can go on with it */
	POINT_DONE,      /* complete, whatever its results are */
	POINT_DAMAGED,   /* a run file that cannot be read any more */
	POINT_FOREIGN,   /* another run, another kind of file, or a file that may not be read; why says which */
};

/* report: the report of a run that is begun or done, NULL otherwise; may be NULL if not wanted. */
enum point_state sweep_state(const struct sweep *sweep, size_t number, json_t **report, struct error *why);

/* "not begun", "incomplete", "done" ... */
const char *sweep_state_text(enum point_state state);

#endif
