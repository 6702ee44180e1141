/* SPDX-License-Identifier: Apache-2.0 */
/* Display of fpgauge send: the ports while it sends, and the verdict at the end; a table, or lines of JSON. */
#ifndef FPGAUGE_COMMANDS_SEND_LIVE_H
#define FPGAUGE_COMMANDS_SEND_LIVE_H

#include <stdbool.h>
#include <stdio.h>

#include "host/trial/device/live_counters.h"

struct send_live {
	struct device *device;
	FILE *lines;                  /* lines of JSON; NULL: tables on standard output */
	bool until_stopped;           /* no end was asked for */
	bool redraws;                 /* standard output is a terminal, and shows how it goes on */
	uint64_t interval_ot, due_ot; /* due_ot: of the next line, after the start */
	double drawn_s;               /* wall time of the last table */
	struct live_snapshot before;
};

/* Fits struct send_watch: user is a struct send_live. */
int send_live_look(void *user, uint64_t *sent_ot, struct error *error);

/* The whole trial. stopped: by the user. 0, or ERROR_PLAN if it cannot be written. */
int send_live_end(const struct send_live *live, const struct trial_result *result, bool stopped, struct error *error);

#endif
