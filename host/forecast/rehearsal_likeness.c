/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/rehearsal_likeness.h"

#include <math.h>

/* The trials of a search can be far from alike, so what was not run of a part that was cut short is in doubt too. */
static const double DOUBT_CUT = 0.6, DOUBT_UNTRIED = 1, DOUBT_OF_ONE = 0.6, DOUBT_LEAST = 0.05;

bool likeness_is_known(const struct rehearsal_part *part)
{
	return isfinite(part->wall_s) && isfinite(part->modelled_s) && part->modelled_s > 0;
}

static double off_of(const struct rehearsal_part *part)
{
	return part->wall_s * part->gain / part->modelled_s;
}

static bool is_alike(const struct rehearsal_part *a, const struct rehearsal_part *b)
{
	return a->test == b->test && a->run == b->run;
}

/* -- by sizes ------------------------------------------------------------------------------------------------------ */

struct beside {
	const struct rehearsal_part *below, *above; /* the nearest ones that are known; NULL: none */
};

static struct beside beside(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	const size_t at = (size_t)(part - rehearsal->parts);
	struct beside found = {NULL, NULL};

	for (size_t i = at; i-- > 0 && !found.below && is_alike(&rehearsal->parts[i], part);)
		if (likeness_is_known(&rehearsal->parts[i]))
			found.below = &rehearsal->parts[i];
	for (size_t i = at + 1; i < rehearsal->count && !found.above && is_alike(&rehearsal->parts[i], part); i++)
		if (likeness_is_known(&rehearsal->parts[i]))
			found.above = &rehearsal->parts[i];
	return found;
}

/* Right on average where the size at which things change may be any, as when a device keeps up from some size on. */
static double off_by_sizes(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	const struct beside near = beside(rehearsal, part);
	double from_below;

	if (likeness_is_known(part))
		return off_of(part);
	if (!near.below || !near.above)
		return near.below ? off_of(near.below) : near.above ? off_of(near.above) : (double)NAN;
	from_below = (double)(part - near.below) / (double)(near.above - near.below);
	return off_of(near.below) * (1 - from_below) + off_of(near.above) * from_below;
}

/* -- by modifiers -------------------------------------------------------------------------------------------------- */

/* The part of the same test and size without modifiers, which is among the first of its test. */
static const struct rehearsal_part *plain_of(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	size_t first = (size_t)(part - rehearsal->parts);

	while (first > 0 && rehearsal->parts[first - 1].test == part->test)
		first--;
	return &rehearsal->parts[first + part->size];
}

/* What parts with these modifiers took, of what the same took without. NAN: none was tried both ways. */
static double times_plain(const struct rehearsal *rehearsal, const struct rehearsal_part *like, bool same_octets)
{
	double plain_sum = 0, sum = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i], *plain;

		if (part->run == 0 || part->test == like->test || part->modifiers != like->modifiers ||
		    (same_octets && part->octets != like->octets) || !likeness_is_known(part))
			continue;
		plain = plain_of(rehearsal, part);
		if (!likeness_is_known(plain))
			continue;
		sum += off_of(part);
		plain_sum += off_of(plain);
	}
	return plain_sum > 0 ? sum / plain_sum : (double)NAN;
}

static double off_by_modifiers(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	double times;

	if (part->run == 0)
		return (double)NAN;
	times = times_plain(rehearsal, part, true);
	if (!isfinite(times))
		times = times_plain(rehearsal, part, false);
	return times * off_by_sizes(rehearsal, plain_of(rehearsal, part));
}

/* -- by tests ------------------------------------------------------------------------------------------------------ */

/* What tried parts took more than the model says: of one test, or of all (SIZE_MAX), the mean of what those with the
 * same modifiers did, however many of them were tried. NAN: none was. */
static double off_by_test(const struct rehearsal *rehearsal, size_t test)
{
	double sum = 0;
	unsigned count = 0;

	for (size_t i = 0; i < rehearsal->count;) {
		const struct rehearsal_part *first = &rehearsal->parts[i];
		double modelled = 0, took = 0;

		for (; i < rehearsal->count && is_alike(&rehearsal->parts[i], first); i++) {
			const struct rehearsal_part *part = &rehearsal->parts[i];

			if ((test != SIZE_MAX && part->test != test) || !likeness_is_known(part))
				continue;
			modelled += part->modelled_s;
			took += part->wall_s * part->gain;
		}
		if (modelled > 0) {
			sum += took / modelled;
			count++;
		}
	}
	return count ? sum / count : (double)NAN;
}

double likeness_off(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	double off = off_by_sizes(rehearsal, part);

	if (!isfinite(off))
		off = off_by_modifiers(rehearsal, part);
	if (!isfinite(off))
		off = off_by_test(rehearsal, part->test);
	if (!isfinite(off))
		off = off_by_test(rehearsal, SIZE_MAX);
	return isfinite(off) ? off : 1;
}

/* -- doubt --------------------------------------------------------------------------------------------------------- */

static double doubt_between(double least, double most)
{
	return least > 0 ? fmin(fmax(most / least - 1, DOUBT_LEAST), DOUBT_UNTRIED) : DOUBT_UNTRIED;
}

/* How far the whole parts of a test with the same modifiers differ in what they took more than the model says. */
static double spread_of_run(const struct rehearsal *rehearsal, const struct rehearsal_part *like)
{
	double least = INFINITY, most = 0;
	unsigned whole = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];

		if (!is_alike(part, like) || !part->whole || !likeness_is_known(part))
			continue;
		least = fmin(least, off_of(part));
		most = fmax(most, off_of(part));
		whole++;
	}
	if (whole < 2)
		return whole ? DOUBT_OF_ONE : DOUBT_UNTRIED;
	return doubt_between(least, most);
}

double likeness_doubt(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	const struct beside near = beside(rehearsal, part);

	if (isfinite(part->wall_s))
		return part->whole || !(part->wall_s > 0) ? 0 : DOUBT_CUT * fmax(1 - part->ran_s / part->wall_s, 0);
	if (near.below && near.above && near.below->whole && near.above->whole)
		return doubt_between(fmin(off_of(near.below), off_of(near.above)),
		                     fmax(off_of(near.below), off_of(near.above)));
	return spread_of_run(rehearsal, part);
}
