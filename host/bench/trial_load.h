/* SPDX-License-Identifier: Apache-2.0 */
/* The load of a trial: what was intended, and what was offered (RFC 2285 sections 3.5.1 and 3.5.2). A device is paced
 * and counted frame by frame: it offers what was intended, or its trial is INVALID. An external tester may be off by
 * what its plan tolerates, so results are made of the frames that it sent and of the time it took for them. */
#ifndef FPGAUGE_BENCH_TRIAL_LOAD_H
#define FPGAUGE_BENCH_TRIAL_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "host/trial/tester.h"

struct session;

/* Loads are frames a second of a sending port; those of a single burst are its frames. */
struct trial_load {
	double intended, offered;
	double claimed; /* load as the tester counted and timed it, also if no line carries that */
	bool differs;   /* offered differs by more than a frame at the edges; else it is intended */
	bool external;  /* another trial may differ */
};

/* The load of a valid trial, by rate_offered_fps(). Several bursts are as intended: what is searched there is their
 * gap.
 */
struct trial_load trial_load_of(const struct session *session, const struct trial_request *asked,
                                const struct trial_result *trial);

/* Frames that the intended load has in the time for which a trial sent, and that were not offered: over all ports. */
uint64_t trial_unoffered_frames(const struct session *session, const struct trial_request *asked,
                                const struct trial_result *trial);

/* The distance of the valid trials of a session from what was intended. */
struct load_deviation {
	unsigned trials, others; /* all, and those off by more than clocks may differ */
	double least, most;      /* offered / intended, of the others */
	bool line_asked;         /* a trial was to send at line rate */
	double highest;          /* the highest load that was offered, as a part of line rate */
	unsigned above_line;     /* trials whose tester claims more than line rate and than was intended, as above */
	double highest_claimed;  /* highest load of such trials, as a part of line rate */
};

void load_deviation_add(struct load_deviation *deviation, const struct trial_load *load, double line);

/* Line rate was intended, and never offered. */
bool load_deviation_below_line(const struct load_deviation *deviation);

#endif
