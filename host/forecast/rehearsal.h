/* SPDX-License-Identifier: Apache-2.0 */
/* A rehearsal of a plan, for a few seconds at most: how long a test takes depends on what its search meets, on what a
 * simulation can jump over, and on what the host does between trials, so parts of the plan are really run. A part is a
 * test at a frame size with its modifiers.
 *
 * On the twin, parts run on an instance of their own, and what they take is what the run will take. The RTL is too slow
 * for that, and an external program too precious: there, the twin, or a queue that loses what the program was seen to
 * lose, answers in its place. That shows which trials the plan asks for, and the pace (pace.h) says what each takes;
 * the RTL itself begins some of the parts, which shows how far the pace is off. Parts that were not tried are taken to
 * differ from the model (wall_time.h) as those most like them did (rehearsal_likeness.h). */
#ifndef FPGAUGE_FORECAST_REHEARSAL_H
#define FPGAUGE_FORECAST_REHEARSAL_H

#include "host/forecast/wall_time.h"

struct rehearsal_part {
	size_t test; /* of the plan */
	unsigned run;
	size_t size;        /* of the test */
	uint32_t octets;    /* of its frames */
	unsigned modifiers; /* of this run of the test */
	bool attempted;     /* whatever came of it */
	double modelled_s;  /* what the model says; NAN: nothing */
	double ran_s;       /* of it, for how long it was tried */
	double given_s;     /* how long that might have been */
	double wall_s;      /* what it took, or would have if cut short; NAN: not tried */
	bool whole;         /* it came to its end */
	unsigned trials;    /* then: that it had */
	/* Where another tester answered in its place: what the pace says of all its trials (NAN: it did not come to its
	 * end). Of those that the plan's own tester then began it with, what the pace says, and what they took: of the
	 * first, which has tables to write, and of the others. */
	double course_s, first_priced_s, first_s, begun_priced_s, begun_s;
	double gain; /* by what trials side by side shorten it; 1: not, or not known */
};

struct rehearsal {
	struct rehearsal_part *parts;
	size_t count, tried, whole;
	bool stood_in;   /* another tester answered */
	double before_s; /* what a run takes before its first trial: to measure the pace, to start a program */
};

struct rehearsal_options {
	unsigned jobs; /* trials side by side, as of run; 1: none */
	bool also_short;
};

/* A setup whose pace was measured; else, and for a plan that cannot be opened again, nothing is tried. Tests that start
 * programs, and trials that alone take too long, are left out. */
void rehearse(const struct setup *setup, const struct pace *pace, const struct rehearsal_options *options,
              struct rehearsal *rehearsal);
void rehearsal_free(struct rehearsal *rehearsal);

/* Puts the expected time of a test, or of the whole plan, in place of the model's, and widens the range to it. */
void rehearsal_of_test(const struct rehearsal *rehearsal, size_t test, struct wall_time *time);
void rehearsal_of_plan(const struct rehearsal *rehearsal, struct wall_time *time);

/* -- pure --------------------------------------------------------------------------------------------------------- */

/* What a part takes: as it was tried; else what its trials cost by the pace, times what the pace was off; else what the
 * model says times what the tried parts that are most like it took more than the model said of them. */
double rehearsal_estimate(const struct rehearsal *rehearsal, const struct rehearsal_part *part);

/* How many trials a test has; -1: not all of its parts came to their end. */
int rehearsal_trials(const struct rehearsal *rehearsal, size_t test);

/* The sum of all parts, of which 0 where nothing is known. */
double rehearsal_total_s(const struct rehearsal *rehearsal);

/* For how long it is worth to try parts, by what the plan now seems to take; as passed_s() counts. */
double rehearsal_budget_s(const struct rehearsal *rehearsal);

/* By how much the sum may be off, by what has been tried: to go on is worth it while this is much of the whole. */
double rehearsal_doubt_s(const struct rehearsal *rehearsal);

#endif
