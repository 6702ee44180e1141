/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a plan to try next: the one that its estimate needs most. Pure. */
#ifndef FPGAUGE_FORECAST_REHEARSAL_CHOICE_H
#define FPGAUGE_FORECAST_REHEARSAL_CHOICE_H

#include "host/forecast/rehearsal.h"

struct choice {
	size_t part;        /* SIZE_MAX: there is none to try */
	bool of_a_new_test; /* of which nothing has been tried */
};

/* Whether it is worth to try a part, for the first time or again. */
typedef bool (*choice_may)(const void *user, const struct rehearsal_part *part);

/* Tests of which nothing is known come first. Of them, and then of all, those sizes of a test with the same modifiers
 * of which no more is known than what stands beside them, where most seconds are in doubt: of these the first one, the
 * last one, and then the middle, so that the size from which on trials cost less is found soon. Or one that was cut
 * short, if as much of it is in doubt. */
struct choice rehearsal_choose(const struct rehearsal *rehearsal, choice_may may, const void *user);

#endif
