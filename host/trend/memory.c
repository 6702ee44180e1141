/* SPDX-License-Identifier: Apache-2.0 */
/* Noise with a memory: how much of it there is, and which splits it has. A step looks like memory, and memory like
 * steps, so the best split is taken out of the series before its memory is measured, and so is every other one that is
 * too large for noise. */
#include "host/trend/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/trend/change_point.h"
#include "host/trend/draw.h"
#include "host/trend/median.h"

static const double MOST = 0.95;

/* A step this large, in standard deviations of the noise from one run to the next, is not part of the noise. */
static const double LARGE_STEP = 5;

/* An outlier weighs no more than this, in standard deviations too. */
static const double OUTLIER = 3;

/* The median of the distances from the median, scaled to the standard deviation of normal noise. NAN when out of
 * memory. */
static double spread_of(const double *values, size_t count)
{
	const double middle = trend_median(values, count);
	double *distances = calloc(count + 1, sizeof(*distances)), spread = NAN;

	for (size_t i = 0; distances && i < count; i++)
		distances[i] = fabs(values[i] - middle);
	if (distances)
		spread = 1.4826 * trend_median(distances, count);
	free(distances);
	return spread;
}

/* Takes its level off each value. top: the best split counts, however small. */
static void level_out(double *values, size_t count, double noise, bool top)
{
	struct ranks ranks;
	double level;
	size_t at = 0;

	if (count >= 2 * CHANGE_LEAST_SIDE && ranks_of(values, count, &ranks)) {
		ranks_best_split(&ranks, &at);
		ranks_free(&ranks);
	}
	if (at &&
	    (top || fabs(trend_median(values, at) - trend_median(values + at, count - at)) > LARGE_STEP * noise)) {
		level_out(values, at, noise, false);
		level_out(values + at, count - at, noise, false);
		return;
	}
	level = trend_median(values, count);
	for (size_t i = 0; i < count; i++)
		values[i] -= level;
}

/* Autocorrelation of the first order, without its bias: each level that is taken off takes about (1 + 3 r) / count off
 * it (Kendall, Biometrika 41, 1954, pages 403 to 404), and there are two. */
static double correlation(const double *values, size_t count, double most)
{
	const double n = (double)count;
	double squares = 0, products = 0, last = 0, r;

	for (size_t i = 0; i < count; i++) {
		const double value = fmax(-most, fmin(most, values[i]));

		squares += value * value;
		products += value * last;
		last = value;
	}
	if (!(squares > 0))
		return 0;
	r = products / squares;
	return r + 2 * (1 + 3 * r) / n;
}

double memory_of(const double *values, size_t count)
{
	double *left = calloc(count + 1, sizeof(*left)), *changes = calloc(count + 1, sizeof(*changes)), memory = 0;

	if (left && changes && count >= CHANGE_LEAST_VALUES) {
		memcpy(left, values, count * sizeof(*left));
		for (size_t i = 1; i < count; i++)
			changes[i - 1] = values[i] - values[i - 1];
		level_out(left, count, spread_of(changes, count - 1) / sqrt(2), true);
		memory = correlation(left, count, OUTLIER * spread_of(left, count));
	}
	free(left);
	free(changes);
	/* the standard deviation of the correlation of independent values */
	return memory > 1 / sqrt((double)count) ? fmin(memory, MOST) : 0;
}

/* Innovations, of each value but the first: less what it has from the one before, and less their mean. */
static void news_of(const struct ranks *ranks, size_t at, double memory, double *news)
{
	double before = 0, after = 0, last = 0, mean = 0;

	for (size_t i = 0; i < ranks->count; i++)
		*(i < at ? &before : &after) += (double)ranks->scores[i];
	before /= (double)at;
	after /= (double)(ranks->count - at);
	for (size_t i = 0; i < ranks->count; i++) {
		const double value = (double)ranks->scores[i] - (i < at ? before : after);

		if (i)
			news[i - 1] = value - memory * last;
		last = value;
	}
	for (size_t i = 0; i + 1 < ranks->count; i++)
		mean += news[i] / (double)(ranks->count - 1);
	for (size_t i = 0; i + 1 < ranks->count; i++)
		news[i] -= mean;
}

/* A series of the same noise: what is new comes in another order. The first value has all that is before it. */
static void draw_series(double *news, size_t count, double memory, uint64_t *state, double *series)
{
	double mean = 0;

	series[0] = news[draw_below(count - 1, state)] / sqrt(1 - memory * memory);
	for (size_t i = count - 1; i > 1; i--) {
		const size_t other = draw_below(i, state);
		const double moved = news[i - 1];

		news[i - 1] = news[other];
		news[other] = moved;
	}
	for (size_t i = 1; i < count; i++)
		series[i] = memory * series[i - 1] + news[i - 1];
	for (size_t i = 0; i < count; i++)
		mean += series[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		series[i] -= mean;
}

/* The best split of values whose mean is 0, as ranks_best_split() has it. */
static double best_split(const double *values, size_t count)
{
	const double n = (double)count;
	double squares = 0, sum = 0, best = 0;

	for (size_t i = 0; i < count; i++)
		squares += values[i] * values[i];
	for (size_t i = 0; i + CHANGE_LEAST_SIDE <= count; i++) {
		if (i >= CHANGE_LEAST_SIDE)
			best = fmax(best, sum * sum / ((double)i * (n - (double)i)));
		sum += values[i];
	}
	return squares > 0 ? best * n * (n - 1) / squares : 0;
}

double memory_probability(const struct ranks *ranks, size_t at, double square, double memory)
{
	double *news = calloc(ranks->count, sizeof(*news)), *series = calloc(ranks->count, sizeof(*series));
	unsigned extreme = 0, orders = 0;
	uint64_t state = 0;

	if (news && series)
		news_of(ranks, at, memory, news);
	while (news && series && orders < CHANGE_ORDERS && extreme < CHANGE_EXTREME) {
		draw_series(news, ranks->count, memory, &state, series);
		extreme += best_split(series, ranks->count) >= square;
		orders++;
	}
	free(news);
	free(series);
	/* the series itself is one order, unless enough were as extreme */
	return !orders ? 1 : extreme == CHANGE_EXTREME ? (double)extreme / orders : (extreme + 1.0) / (orders + 1.0);
}
