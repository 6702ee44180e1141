/* SPDX-License-Identifier: Apache-2.0 */
/* A permutation test, and the steps that repeating it gives. */
#include "host/trend/change_point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/trend/draw.h"
#include "host/trend/median.h"
#include "host/trend/memory.h"
#include "host/trend/rank_split.h"

/* Fisher and Yates. */
static void shuffle(int64_t *scores, size_t count, uint64_t *state)
{
	for (size_t i = count; i > 1; i--) {
		const size_t other = draw_below(i, state);
		const int64_t moved = scores[i - 1];

		scores[i - 1] = scores[other];
		scores[other] = moved;
	}
}

/* Changes the order of the scores. */
static double probability(const struct ranks *ranks, double square)
{
	uint64_t state = 0;
	unsigned extreme = 0;

	for (unsigned orders = 1; orders <= CHANGE_ORDERS; orders++) {
		shuffle(ranks->scores, ranks->count, &state);
		extreme += ranks_best_split(ranks, NULL) >= square;
		if (extreme == CHANGE_EXTREME)
			return (double)extreme / orders;
	}
	return (extreme + 1.0) / (CHANGE_ORDERS + 1.0); /* the series itself is one order */
}

static struct change_test test_with(const double *values, size_t count, double memory)
{
	struct change_test test = {.p = 1, .memory = memory};
	struct ranks ranks;
	double square;

	if (count < CHANGE_LEAST_VALUES || !ranks_of(values, count, &ranks))
		return test;
	square = ranks_best_split(&ranks, &test.at);
	test.statistic = sqrt(square);
	if (square > 0)
		test.p = memory > 0 ? memory_probability(&ranks, test.at, square, memory) : probability(&ranks, square);
	ranks_free(&ranks);
	return test;
}

struct change_test change_test(const double *values, size_t count)
{
	return test_with(values, count, memory_of(values, count));
}

struct search {
	const double *values;
	size_t count;
	double largest_p, memory; /* memory: of the whole series, which a part is too short for */
	struct change_step *steps;
	size_t found;
};

/* Steps are added in order: those on the left, this one, those on the right. */
static void split(struct search *search, size_t from, size_t to)
{
	const struct change_test test = test_with(search->values + from, to - from, search->memory);

	if (test.statistic == 0 || !(test.p <= search->largest_p))
		return;
	split(search, from, from + test.at);
	search->steps[search->found++] = (struct change_step){.at = from + test.at, .p = test.p};
	split(search, from + test.at, to);
}

static size_t begin_of(const struct search *search, size_t step)
{
	return step ? search->steps[step - 1].at : 0;
}

static size_t end_of(const struct search *search, size_t step)
{
	return step + 1 < search->found ? search->steps[step + 1].at : search->count;
}

static void measure(struct search *search)
{
	for (size_t i = 0; i < search->found; i++) {
		struct change_step *step = &search->steps[i];
		const size_t from = begin_of(search, i);

		step->before = trend_median(search->values + from, step->at - from);
		step->after = trend_median(search->values + step->at, end_of(search, i) - step->at);
	}
}

/* The place between the neighbours of the step with the smallest sum of distances from the medians of both sides. */
static size_t best_place(const struct search *search, size_t number)
{
	const struct change_step *step = &search->steps[number];
	const size_t from = begin_of(search, number), to = end_of(search, number);
	double sum = 0, least = INFINITY; /* distances left of a place, less what they would be right of it */
	size_t best = step->at;

	for (size_t i = from; i + CHANGE_LEAST_SIDE <= to; i++) {
		if (i >= from + CHANGE_LEAST_SIDE && sum < least) {
			least = sum;
			best = i;
		}
		sum += fabs(search->values[i] - step->before) - fabs(search->values[i] - step->after);
	}
	return best;
}

/* Ranks do not see how far apart levels are, and a step that was found while others were unknown may stand beside its
 * place. Moving one changes the medians of its neighbours, hence twice. */
static void place_again(struct search *search)
{
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < search->found; i++) {
			measure(search);
			search->steps[i].at = best_place(search, i);
		}
	}
}

/* A step is too small below 1. A hair more than the resolution is rounding. */
static double size_of(const struct change_step *step, double ratio, double resolution)
{
	const double least = fmax(ratio * fabs(step->before), resolution * (1 + 1e-9));
	const double difference = fabs(step->after - step->before);

	return least > 0 ? difference / least : difference > 0 ? (double)INFINITY : 0;
}

static void take_out_small(struct search *search, double ratio, double resolution)
{
	while (search->found) {
		size_t smallest = 0;

		measure(search);
		for (size_t i = 1; i < search->found; i++) {
			if (size_of(&search->steps[i], ratio, resolution) <
			    size_of(&search->steps[smallest], ratio, resolution))
				smallest = i;
		}
		if (size_of(&search->steps[smallest], ratio, resolution) > 1)
			return;
		search->found--;
		memmove(&search->steps[smallest], &search->steps[smallest + 1],
		        (search->found - smallest) * sizeof(*search->steps));
	}
}

size_t change_steps(const double *values, size_t count, double largest_p, double ratio, double resolution,
                    struct change_step *steps)
{
	struct search search = {.values = values,
	                        .count = count,
	                        .largest_p = largest_p,
	                        .memory = memory_of(values, count),
	                        .steps = steps};

	split(&search, 0, count);
	/* again after small ones are out, which may have stood in the way of others */
	for (int round = 0; round < 2; round++) {
		place_again(&search);
		take_out_small(&search, ratio, resolution);
	}
	return search.found;
}
