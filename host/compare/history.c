/* SPDX-License-Identifier: Apache-2.0 */
/* The level and the spread of accepted runs. */
#include "host/compare/history.h"

#include <math.h>

#include "host/compare/match.h"

static bool is_better(const struct metric *metric, double a, double b)
{
	return metric->better == BETTER_MORE ? a > b : a < b;
}

static double mean_of(const struct evidence *runs, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += runs[i].sample.mean / (double)count;
	return sum;
}

struct evidence history_base(const struct evidence *runs, size_t count, const struct metric *metric)
{
	const size_t half = count / 2;
	struct evidence base = runs[count - 1];
	double older, newer, squares = 0;

	if (count < HISTORY_LEAST) {
		for (size_t i = 0; i < count; i++)
			if (is_better(metric, runs[i].sample.mean, base.sample.mean))
				base = runs[i];
		return base;
	}
	older = mean_of(runs, half);
	newer = mean_of(runs + half, count - half);
	for (size_t i = 0; i < count; i++) {
		if (i)
			squares += pow(runs[i].sample.mean - runs[i - 1].sample.mean, 2);
		base.step = fmax(base.step, runs[i].step);
		base.low = fmin(base.low, runs[i].low);
		base.high = fmax(base.high, runs[i].high);
	}
	base.sample = (struct sample){.count = count,
	                              .mean = is_better(metric, older, newer) ? older : newer,
	                              .stddev = sqrt(squares / (2 * (double)(count - 1)))};
	return base;
}

/* Degrees of freedom: as many as an independent estimate of the same variance would have. */
static size_t degrees_of(double count)
{
	return (size_t)(2 * (count - 1) * (count - 1) / (3 * count - 4));
}

struct change history_change(const struct evidence *base, const struct evidence *new)
{
	const double half = floor((double)base->sample.count / 2), from = base->sample.mean;
	struct change change = change_of(base, new);
	/* no value is known more precisely than to a step */
	const double spread = fmax(base->sample.stddev, fmin(base->step, new->step) / sqrt(12));
	const double error = spread * sqrt(1 + 1 / half);
	const size_t degrees = degrees_of((double)base->sample.count);
	const double margin = student_t_95(degrees) * error;

	/* the better of two halves: each may be the better one by chance */
	change.p = change.difference == 0 ? 1 : fmin(1, 2 * student_t_p(change.difference / error, degrees));
	change.low = (change.difference - margin) / fabs(from);
	change.high = (change.difference + margin) / fabs(from);
	return change;
}

struct evidence history_of(const json_t *runs, const json_t *result, const json_t *newest, const struct metric *metric,
                           bool *known)
{
	const size_t all = json_array_size(runs), first = all > HISTORY_MOST ? all - HISTORY_MOST : 0;
	struct evidence said[HISTORY_MOST];
	const struct evidence last = evidence_of(newest, metric);
	size_t count = 0;

	for (size_t i = first; i + 1 < all; i++) {
		json_t *results = match_all(json_object_get(json_array_get(runs, i), "results"), result);

		said[count] = evidence_of(results, metric);
		count += said[count].sample.count > 0;
		json_decref(results);
	}
	*known = count + 1 >= HISTORY_LEAST && last.sample.count > 0;
	if (!last.sample.count || !count)
		return last;
	said[count++] = last;
	return history_base(said, count, metric);
}
