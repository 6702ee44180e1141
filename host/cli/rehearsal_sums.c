/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts that were rehearsed say of the whole plan. */
#include <math.h>

#include "host/cli/rehearsal.h"

/* What tried parts took more than the model says: of one test, or of all (SIZE_MAX). NAN: none was tried. */
static double off_by(const struct rehearsal *rehearsal, size_t test)
{
	double modelled = 0, took = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];

		if ((test != SIZE_MAX && part->test != test) || !isfinite(part->wall_s) || !isfinite(part->modelled_s))
			continue;
		modelled += part->modelled_s;
		took += part->wall_s;
	}
	return modelled > 0 ? took / modelled : (double)NAN;
}

double rehearsal_estimate(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	double off = off_by(rehearsal, part->test);

	if (isfinite(part->wall_s))
		return part->wall_s;
	if (isnan(off))
		off = off_by(rehearsal, SIZE_MAX);
	return part->modelled_s * (isnan(off) ? 1 : off);
}

static void replace(const struct rehearsal *rehearsal, size_t test, struct wall_time *time)
{
	double sum_s = 0;

	if (rehearsal->tried == 0)
		return;
	for (size_t i = 0; i < rehearsal->count; i++)
		if (test == SIZE_MAX || rehearsal->parts[i].test == test)
			sum_s += rehearsal_estimate(rehearsal, &rehearsal->parts[i]);
	if (isnan(sum_s))
		return;
	if (test == SIZE_MAX)
		sum_s += rehearsal->pace_s;
	time->expected_s = sum_s;
	time->least_s = fmin(time->least_s, sum_s);
	time->most_s = fmax(time->most_s, sum_s);
}

void rehearsal_of_test(const struct rehearsal *rehearsal, size_t test, struct wall_time *time)
{
	replace(rehearsal, test, time);
}

void rehearsal_of_plan(const struct rehearsal *rehearsal, struct wall_time *time)
{
	replace(rehearsal, SIZE_MAX, time);
}
