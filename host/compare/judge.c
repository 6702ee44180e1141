/* SPDX-License-Identifier: Apache-2.0 */
/* Works out changes, and whether they count. */
#include "host/compare/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The queue near the throughput grows more than tenfold from one step of the search to the next. */
enum { AT_ANOTHER_LOAD = 10 };

/* Nobody knows how single values vary from run to run: devices of hardware by less than a step, programs by percents. A
 * change of up to this may be either; only more runs tell. */
static const double UNKNOWN_SPREAD = 0.20;

/* No value is known more precisely than to one step, however alike the values are, so the spread is at least that of a
 * uniform distribution one step wide. */
static struct sample stepped(struct sample sample, double step)
{
	sample.stddev = fmax(sample.stddev, sample.count > 1 ? step / sqrt(12) : (double)NAN);
	return sample;
}

/* The distance from one double to the next: twice what rounding to the nearest one may have changed. */
static double unit_of(double value)
{
	return nextafter(fabs(value), INFINITY) - fabs(value);
}

struct change change_of(const struct evidence *base, const struct evidence *new)
{
	const double step = fmax(base->step, new->step), from = base->sample.mean, to = new->sample.mean;
	const double finer = fmin(base->step, new->step);
	const struct sample before = stepped(base->sample, finer), after = stepped(new->sample, finer);
	const struct mean_difference difference = mean_difference(&before, &after);
	/* a difference of up to one step is no change */
	const double smaller = fmin(from, to), larger = fmax(smaller, fmax(from, to) - step);

	return (struct change){
	        .difference = difference.difference,
	        .step = step,
	        .ratio = difference.difference == 0 ? 0 : difference.difference / fabs(from),
	        .rounding = (unit_of(from) + unit_of(to)) / fabs(from),
	        .low = difference.low / fabs(from),
	        .high = difference.high / fabs(from),
	        .p = difference.p,
	        .factor = larger == smaller ? 0
	                  : smaller > 0     ? larger / smaller - 1
	                                    : (double)INFINITY,
	};
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double judge_largest_p(double *p, size_t count, double level)
{
	double largest = -1;

	if (count) /* p may be NULL where there are no probabilities */
		qsort(p, count, sizeof(*p), ascending);
	for (size_t i = 0; i < count; i++) {
		if (p[i] <= level * (double)(i + 1) / (double)count)
			largest = p[i];
	}
	return largest;
}

struct judgement judge(const struct metric *metric, const struct change *change, bool repeats, double tolerance,
                       double largest_p)
{
	const double gain = metric->better == BETTER_MORE ? change->ratio : -change->ratio;
	/* Two values that are exactly the tolerance apart may not be so as doubles. */
	const bool within = fabs(gain) - change->rounding <= tolerance;
	/* Searches on the same device may end one step apart; a hair more than that is rounding. */
	const bool step = fabs(change->difference) <= change->step * (1 + 1e-9), alone = isnan(change->p);
	const bool elsewhere = alone && metric->at_answer && change->answer_differs;
	const double spread = metric->spread * (elsewhere ? AT_ANOTHER_LOAD : 1);
	const bool chance = alone ? change->factor <= spread : !(change->p <= largest_p);
	const bool unknown = alone && !chance && !repeats && change->factor <= UNKNOWN_SPREAD;
	struct judgement judgement = {.verdict = "same",
	                              .significant = change->difference != 0 && !step && !chance && !unknown};

	if (within)
		snprintf(judgement.why, sizeof(judgement.why), "within the tolerance");
	else if (step)
		snprintf(judgement.why, sizeof(judgement.why), "within a step of the search");
	else if (chance && alone)
		snprintf(judgement.why, sizeof(judgement.why), "one value each%s: up to %.4g%% may be chance",
		         elsewhere ? ", at different loads" : "", 100 * spread);
	else if (chance)
		snprintf(judgement.why, sizeof(judgement.why), "may be chance");
	else if (unknown)
		snprintf(judgement.why, sizeof(judgement.why),
		         "one value each, spread unknown: repeat the measurement");
	else if (alone)
		snprintf(judgement.why, sizeof(judgement.why), "more than chance usually explains; one value each");
	else
		snprintf(judgement.why, sizeof(judgement.why), "not chance, given the spread (95%%)");
	if (!within && judgement.significant)
		judgement.verdict = gain < 0 ? "worse" : "better";
	else if (!within && unknown && !step && gain < 0)
		judgement.verdict = "unclear";
	return judgement;
}
