/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a plan to try next: the one that its estimate needs most. Pure. */
#ifndef FPGAUGE_FORECAST_REHEARSAL_CHOICE_H
#define FPGAUGE_FORECAST_REHEARSAL_CHOICE_H

#include "host/forecast/rehearsal.h"

struct choice {
	size_t part;        /* SIZE_MAX: there is none to try */
	bool of_a_new_test; /* of which nothing has been tried */
};

/* Seconds that it seems to take to try a part, with what must be tried before it; INFINITY: it cannot be tried, or is
 * not worth to be tried again. */
typedef double (*choice_cost)(const void *user, const struct rehearsal_part *part);

/* Tests of which nothing is known come first. Of them, and then of all, those sizes of a test with the same modifiers
 * of which no more is known than what stands beside them, where most seconds are in doubt: of these the cheaper end,
 * the other one, and then the middle, so that the size from which on trials cost less is found soon. Or one that was
 * cut short, if as much of it is in doubt. */
struct choice rehearsal_choose(const struct rehearsal *rehearsal, choice_cost cost, const void *user);

#endif
