// SPDX-License-Identifier: Apache-2.0
/* Everything else is the least and the most of sums once the rate is given; over the rate, these are convex or
 * concave. So each bound is found by dividing an interval, and every octet time that the machine may have rounded
 * away is given back. */
#include "host/commands/clock/pair.h"

#include <math.h>
#include <stdbool.h>

/* More than all rounding in here: times are below 2^50 octet times (a day) apart, rates below 2^-9. */
static const double ROUNDING_OT = 1.0 / 256;

enum { DIVISIONS = 100 }; /* an interval of 10^-3 becomes smaller than two doubles in it are apart */

/* y - rate x of a sight. */
static double residue(const struct clock_pair *pair, const struct clock_sight *sight, double rate)
{
	const double x = (double)(int64_t)(sight->a_ot - pair->a_ot);

	return (double)((int64_t)(sight->b_ot - sight->a_ot) - pair->base_ot) - rate * x;
}

/* Least and most of that over the frames of a way. */
static struct clock_bound residues(const struct clock_pair *pair, enum clock_way way, double rate)
{
	struct clock_bound bound = {INFINITY, -INFINITY};

	for (size_t i = 0; i < pair->count; i++) {
		double y;

		if (pair->sights[i].way != way)
			continue;
		y = residue(pair, &pair->sights[i], rate);
		bound.low = fmin(bound.low, y);
		bound.high = fmax(bound.high, y);
	}
	return bound;
}

/* A line of one rate: its height where it begins is above + below, halved, less half of what the ways differ by. */
struct line {
	struct clock_bound above; /* height + delay from A to B */
	struct clock_bound below; /* height - delay from B to A */
};

static struct line line_of(const struct clock_pair *pair, double rate)
{
	const struct clock_bound there = residues(pair, CLOCK_A_TO_B, rate), back = residues(pair, CLOCK_B_TO_A, rate);
	const double *error_ot = pair->limits.error_ot;

	return (struct line){.above = {there.high - error_ot[CLOCK_A_TO_B], there.low},
	                     .below = {back.high, back.low + error_ot[CLOCK_B_TO_A]}};
}

/* -- of a rate: what is above 0 forbids it, or how high or low the line may be ------------------------------------- */

struct question {
	const struct clock_pair *pair;
	double x, asymmetry_ot;
};

typedef double question_of(const struct question *question, double rate);

/* Convex. A line is allowed if frames of both ways have room between their limits, and no delay is below 0. */
static double excess(const struct question *question, double rate)
{
	const struct line line = line_of(question->pair, rate);
	const double early = line.below.low - line.above.high - 2 * (question->pair->limits.wander_ot + ROUNDING_OT);

	return fmax(fmax(line.above.low - line.above.high, line.below.low - line.below.high), early);
}

/* Concave: the highest line of this rate, at x. */
static double highest(const struct question *question, double rate)
{
	const struct line line = line_of(question->pair, rate);
	const double even = (line.above.high + line.below.high + question->asymmetry_ot) / 2;

	return fmin(even, line.above.high + question->pair->limits.wander_ot) + rate * question->x;
}

/* Concave: the lowest one, upside down. */
static double lowest(const struct question *question, double rate)
{
	const struct line line = line_of(question->pair, rate);
	const double even = (line.above.low + line.below.low - question->asymmetry_ot) / 2;

	return -(fmax(even, line.below.low - question->pair->limits.wander_ot) + rate * question->x);
}

/* Concave: the sum of both delays at most, and at least, upside down. */
static double longest(const struct question *question, double rate)
{
	const struct line line = line_of(question->pair, rate);

	return line.above.high - line.below.low;
}

static double shortest(const struct question *question, double rate)
{
	const struct line line = line_of(question->pair, rate);

	return -(line.above.low - line.below.high);
}

static double forbidden(const struct question *question, double rate)
{
	return -excess(question, rate);
}

/* -- over all rates ----------------------------------------------------------------------------------------------- */

/* The most of a concave function between two rates, and where it is. */
static double most_of(question_of *of, const struct question *question, struct clock_bound between, double *rate)
{
	double low = between.low, high = between.high, most;

	for (unsigned i = 0; i < DIVISIONS; i++) {
		const double a = low + (high - low) / 3, b = high - (high - low) / 3;

		if (of(question, a) < of(question, b))
			low = a;
		else
			high = b;
	}
	*rate = low + (high - low) / 2;
	most = of(question, *rate);
	return fmax(most, fmax(of(question, between.low), of(question, between.high)));
}

/* The last rate from `allowed` towards `end` that is not forbidden, or one beyond it. */
static double edge(const struct question *question, double allowed, double end)
{
	for (unsigned i = 0; i < DIVISIONS; i++) {
		const double middle = allowed + (end - allowed) / 2;

		if (excess(question, middle) <= 0)
			allowed = middle;
		else
			end = middle;
	}
	return end;
}

/* Begins in the middle of what was measured, where rounding is least. */
static void begin_line(struct clock_pair *pair)
{
	const struct clock_sight *middle = &pair->sights[pair->count / 2];

	pair->a_ot = middle->a_ot;
	pair->base_ot = (int64_t)(middle->b_ot - middle->a_ot);
}

/* True if some other sight of the way is at least as low (sign 1) or high (-1) at the least and at the most rate, and
 * so at all between. Of equal ones the first counts. */
static bool is_beaten(const struct clock_pair *pair, size_t i, double sign)
{
	const struct clock_sight *sights = pair->sights;
	const double low = sign * residue(pair, &sights[i], pair->rate.low),
	             high = sign * residue(pair, &sights[i], pair->rate.high);

	for (size_t j = 0; j < pair->count; j++) {
		const double other_low = sign * residue(pair, &sights[j], pair->rate.low);
		const double other_high = sign * residue(pair, &sights[j], pair->rate.high);
		const bool equal = other_low == low && other_high == high;

		if (sights[j].way == sights[i].way && other_low <= low && other_high <= high && (!equal || j < i))
			return true;
	}
	return false;
}

/* Only a few of hundreds of sights decide. */
static void keep_decisive(struct clock_pair *pair, struct clock_sight *sights)
{
	size_t kept = 0;

	/* A beaten one that has moved back still beats what it did. */
	for (size_t i = 0; i < pair->count; i++) {
		const struct clock_sight sight = sights[i];

		if (is_beaten(pair, i, 1) && is_beaten(pair, i, -1))
			continue;
		sights[i] = sights[kept];
		sights[kept++] = sight;
	}
	pair->count = kept;
}

int clock_pair_fit(struct clock_pair *pair, struct clock_sight *sights, size_t count, const struct clock_limits *limits,
                   struct error *error)
{
	const struct clock_bound any = {-CLOCK_MOST_RATE, CLOCK_MOST_RATE};
	const struct question question = {.pair = pair};
	size_t of_way[CLOCK_WAYS] = {0};
	double rate, over_ot;

	for (size_t i = 0; i < count; i++)
		of_way[sights[i].way]++;
	if (of_way[CLOCK_A_TO_B] == 0 || of_way[CLOCK_B_TO_A] == 0)
		return error_set(error, ERROR_DEVICE, "no frame came over the cable from %s",
		                 of_way[CLOCK_A_TO_B] == 0 ? "the first card to the second"
		                                           : "the second card to the first");
	*pair = (struct clock_pair){.sights = sights, .count = count, .limits = *limits};
	begin_line(pair);
	/* An error on the way to A is one by the clock of A. */
	for (unsigned way = 0; way < CLOCK_WAYS; way++)
		pair->limits.error_ot[way] =
		        limits->error_ot[way] * (1 + 2 * CLOCK_MOST_RATE) + 2 * limits->wander_ot + ROUNDING_OT;
	over_ot = -most_of(forbidden, &question, any, &rate);
	if (over_ot > 0)
		return error_set(
		        error, ERROR_DEVICE,
		        "no two clocks of constant rate could have seen these frames so: one came %.1f octet times "
		        "too late or too early",
		        over_ot);
	if (excess(&question, any.low) <= 0 || excess(&question, any.high) <= 0)
		return error_set(error, ERROR_DEVICE,
		                 "the frames came in too short a time to tell a rate of clocks to 0.1%%");
	pair->rate = (struct clock_bound){edge(&question, rate, any.low), edge(&question, rate, any.high)};
	keep_decisive(pair, sights);
	return 0;
}

struct clock_offset clock_pair_offset(const struct clock_pair *pair, uint64_t a_ot, double asymmetry_ot)
{
	const struct question question = {pair, (double)(int64_t)(a_ot - pair->a_ot), asymmetry_ot};
	const double more_ot = pair->limits.wander_ot + ROUNDING_OT;
	struct clock_offset offset = {.base_ot = pair->base_ot};
	double rate;

	offset.ot.low = -most_of(lowest, &question, pair->rate, &rate) - more_ot;
	offset.ot.high = most_of(highest, &question, pair->rate, &rate) + more_ot;
	return offset;
}

/* The bound only grows after what was measured. */
uint64_t clock_pair_lasts(const struct clock_pair *pair, uint64_t a_ot, double asymmetry_ot, double bound_ot,
                          uint64_t most_ot)
{
	uint64_t lasts_ot = 0;

	for (uint64_t step_ot = most_ot; step_ot > 0; step_ot /= 2) {
		const struct clock_offset offset = clock_pair_offset(pair, a_ot + lasts_ot + step_ot, asymmetry_ot);

		if (lasts_ot + step_ot <= most_ot && offset.ot.high - offset.ot.low <= 2 * bound_ot)
			lasts_ot += step_ot;
	}
	return lasts_ot;
}

struct clock_bound clock_pair_delay(const struct clock_pair *pair)
{
	const struct question question = {.pair = pair};
	double rate;
	const double low_ot = -most_of(shortest, &question, pair->rate, &rate);
	const double high_ot = most_of(longest, &question, pair->rate, &rate);

	return (struct clock_bound){fmax(0, low_ot / 2 + pair->limits.wander_ot - ROUNDING_OT),
	                            high_ot / 2 + pair->limits.wander_ot + ROUNDING_OT};
}

struct clock_bound clock_pair_latency(const struct clock_pair *pair, const struct clock_sight *sight,
                                      double asymmetry_ot)
{
	const struct clock_offset offset = clock_pair_offset(pair, sight->a_ot, asymmetry_ot);
	const double seen_ot = (double)((int64_t)(sight->b_ot - sight->a_ot) - offset.base_ot);

	if (sight->way == CLOCK_A_TO_B)
		return (struct clock_bound){seen_ot - offset.ot.high, seen_ot - offset.ot.low};
	return (struct clock_bound){offset.ot.low - seen_ot, offset.ot.high - seen_ot};
}
