/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a series, and the split that divides high ranks from low ones best. */
#include "host/trend/rank_split.h"

#include <stdlib.h>

#include "host/trend/change_point.h"

struct placed {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const double x = ((const struct placed *)a)->value, y = ((const struct placed *)b)->value;

	return x < y ? -1 : x > y;
}

/* The mean of the ranks first + 1 to last is (first + 1 + last) / 2, and that of all (count + 1) / 2. */
static void score(const struct placed *sorted, size_t count, int64_t *scores)
{
	for (size_t first = 0, last; first < count; first = last) {
		for (last = first + 1; last < count && !(sorted[last].value > sorted[first].value); last++)
			;
		for (size_t i = first; i < last; i++)
			scores[sorted[i].at] = (int64_t)(first + last) - (int64_t)count;
	}
}

/* A sum of k scores with the mean 0, drawn without replacement, has the variance k (n - k) / (n (n - 1)) times the sum
 * of squares. */
static void weigh(struct ranks *ranks)
{
	const double n = (double)ranks->count;
	double squares = 0;

	for (size_t i = 0; i < ranks->count; i++)
		squares += (double)ranks->scores[i] * (double)ranks->scores[i];
	for (size_t i = 0; i < ranks->count && squares > 0; i++) {
		const double k = (double)i;

		if (i >= CHANGE_LEAST_SIDE && i + CHANGE_LEAST_SIDE <= ranks->count)
			ranks->weights[i] = n * (n - 1) / (k * (n - k) * squares);
	}
}

bool ranks_of(const double *values, size_t count, struct ranks *ranks)
{
	struct placed *sorted = calloc(count + 1, sizeof(*sorted));

	*ranks = (struct ranks){calloc(count + 1, sizeof(*ranks->scores)), calloc(count + 1, sizeof(*ranks->weights)),
	                        count};
	if (!sorted || !ranks->scores || !ranks->weights) {
		free(sorted);
		ranks_free(ranks);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct placed){values[i], i};
	qsort(sorted, count, sizeof(*sorted), by_value);
	score(sorted, count, ranks->scores);
	weigh(ranks);
	free(sorted);
	return true;
}

void ranks_free(struct ranks *ranks)
{
	free(ranks->scores);
	free(ranks->weights);
	*ranks = (struct ranks){0};
}

double ranks_best_split(const struct ranks *ranks, size_t *at)
{
	double best = 0;
	int64_t sum = 0;

	if (at)
		*at = 0;
	for (size_t i = 0; i < ranks->count; i++) {
		const double square = (double)sum * (double)sum * ranks->weights[i];

		if (square > best) {
			best = square;
			if (at)
				*at = i;
		}
		sum += ranks->scores[i];
	}
	return best;
}
