/* SPDX-License-Identifier: Apache-2.0 */
/* Series of runs with noise, with a step or without one, and how often one is found. */
#ifndef FPGAUGE_TESTS_TREND_RATES_H
#define FPGAUGE_TESTS_TREND_RATES_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "host/trend/change_point.h"

struct trend_rates {
	unsigned seeds, found, within_2, within_5, more_than_one, by_chance; /* by_chance: without a step */
};

static inline double trend_uniform(void)
{
	return (drand48() * 0x1p48 + 0.5) * 0x1p-48;
}

static inline double trend_gauss(void)
{
	return sqrt(-2 * log(trend_uniform())) * cos(2 * acos(-1) * trend_uniform());
}

/* Makes noise whose level is other by the ratio `step` from `at` on. memory: the correlation of the noise of a run with
 * the next. */
static inline void trend_memory_noise(double *values, size_t count, double noise, double memory, size_t at, double step)
{
	double deviation = 0;

	for (size_t i = 0; i < count; i++) {
		const double new = trend_gauss();

		deviation = i ? memory * deviation + sqrt(1 - memory * memory) * new : new;
		values[i] = 1e6 * (1 + noise * deviation) * (i >= at ? 1 + step : 1);
	}
}

static inline void trend_noise(double *values, size_t count, double noise, size_t at, double step)
{
	trend_memory_noise(values, count, noise, 0, at, step);
}

enum { RATE_RUNS_MOST = 500 };

struct rates_case {
	size_t runs, edge;  /* the step has at least `edge` runs on each side */
	double step, noise; /* ratios; the step is up or down */
	double tolerance;
	double memory;
};

static inline void rates_one(const struct rates_case *one, long seed, struct trend_rates *rates)
{
	struct change_step steps[RATE_RUNS_MOST];
	double values[RATE_RUNS_MOST];
	size_t at, count, nearest = RATE_RUNS_MOST;

	srand48(seed);
	at = one->edge + (size_t)(trend_uniform() * (double)(one->runs - 2 * one->edge + 1));
	trend_memory_noise(values, one->runs, one->noise, one->memory, at, drand48() < 0.5 ? one->step : -one->step);
	count = change_steps(values, one->runs, 0.01, one->tolerance, 0, steps);
	for (size_t i = 0; i < count; i++) {
		const size_t off = steps[i].at > at ? steps[i].at - at : at - steps[i].at;

		nearest = off < nearest ? off : nearest;
	}
	rates->seeds++;
	rates->found += count > 0;
	rates->more_than_one += count > 1;
	rates->within_2 += nearest <= 2;
	rates->within_5 += nearest <= 5;
	trend_memory_noise(values, one->runs, one->noise, one->memory, 0, 0);
	rates->by_chance += change_steps(values, one->runs, 0.01, one->tolerance, 0, steps) > 0;
}

#endif
