/* SPDX-License-Identifier: Apache-2.0 */
/* A rehearsal of a plan on a simulation, for a few seconds: how long a test takes depends on what its search meets, on
 * what the simulation can jump over, and on what the host does between trials, so parts of the plan are really run, on
 * an instance of their own. A part is a test at a frame size with its modifiers. The others are taken to differ from
 * the model (wall_time.h) as those of the same test did. */
#ifndef FPGAUGE_CLI_REHEARSAL_H
#define FPGAUGE_CLI_REHEARSAL_H

#include "host/cli/wall_time.h"

struct rehearsal_part {
	size_t test; /* of the plan */
	unsigned run;
	size_t size;       /* of the test */
	double modelled_s; /* what the model says; NAN: nothing */
	double wall_s;     /* what it took, or would have if cut short; NAN: not tried */
	bool whole;        /* it came to its end */
};

struct rehearsal {
	struct rehearsal_part *parts;
	size_t count, tried, whole;
	double pace_s; /* what measuring the pace took, which a run does too before it begins */
};

/* A setup whose pace was measured; else, and for a plan that cannot be opened again, nothing is tried. Tests that start
 * programs, and trials that alone take too long, are left out. */
void rehearse(const struct setup *setup, const struct pace *pace, struct rehearsal *rehearsal);
void rehearsal_free(struct rehearsal *rehearsal);

/* Puts the expected time of a test, or of the whole plan, in place of the model's, and widens the range to it. */
void rehearsal_of_test(const struct rehearsal *rehearsal, size_t test, struct wall_time *time);
void rehearsal_of_plan(const struct rehearsal *rehearsal, struct wall_time *time);

/* Pure: a part that was not tried takes what the model says times what the tried parts of its test took more than the
 * model said of them; of a test without any, of all tests. */
double rehearsal_estimate(const struct rehearsal *rehearsal, const struct rehearsal_part *part);

#endif
