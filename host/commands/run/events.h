/* SPDX-License-Identifier: Apache-2.0 */
/* --events: what happens, for a supervisor: one JSON object per line, each written in one piece. Keys: docs/events.md.
 * Every function except events_open() accepts NULL and does nothing then. A reader that goes away ends the events, but
 * not the run. */
#ifndef FPGAUGE_COMMANDS_RUN_EVENTS_H
#define FPGAUGE_COMMANDS_RUN_EVENTS_H

#include <jansson.h>

#include "host/bench/bench.h"
#include "host/forecast/forecast.h"
#include "host/store/store.h"

struct events;

/* path NULL: *events is NULL. Appends to an existing file. */
int events_open(const char *path, struct events **events, struct error *error);
void events_close(struct events *events);

void events_begin_run(struct events *events, const struct store *store);
/* running_s: wall time of this trial so far; sent_s: device time for which it has been sending. */
void events_live(struct events *events, const struct bench_progress *now, struct time_left left, double sent_s,
                 double running_s);
void events_trial(struct events *events, uint64_t number, const struct store_trial *trial);
void events_result(struct events *events, const json_t *result);
void events_end_run(struct events *events, const char *why_not); /* NULL: all tests are done */

#endif
