/* SPDX-License-Identifier: Apache-2.0 */
/* Counts how often a step is found, and one that is not there: bench_trend SEEDS. One line a case: runs, edge, step,
 * noise, tolerance, memory, and the counts of struct trend_rates. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/c/trend_rates.h"

static const struct rates_case CASES[] = {
        {50, 5, 0.03, 0.01, 0.01, 0},    {50, 10, 0.03, 0.01, 0.01, 0},   {50, 5, 0.03, 0.01, 0, 0},
        {50, 10, 0.02, 0.01, 0.01, 0},   {20, 5, 0.03, 0.01, 0.01, 0},    {200, 5, 0.03, 0.01, 0.01, 0},
        {500, 20, 0.02, 0.01, 0.01, 0},  {50, 5, 0.03, 0.01, 0.01, 0.3},  {20, 5, 0.03, 0.01, 0.01, 0.6},
        {50, 5, 0.03, 0.01, 0.01, 0.6},  {50, 10, 0.05, 0.01, 0.01, 0.6}, {200, 5, 0.03, 0.01, 0.01, 0.6},
        {200, 5, 0.05, 0.01, 0.01, 0.6}, {50, 5, 0.03, 0.01, 0.01, 0.9},
};

int main(int argc, char **argv)
{
	const long seeds = argc == 2 ? atol(argv[1]) : 0;

	if (seeds < 1) {
		fprintf(stderr, "usage: bench_trend SEEDS\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		const struct rates_case *one = &CASES[i];
		struct trend_rates rates = {0};

		for (long seed = 1; seed <= seeds; seed++)
			rates_one(one, seed, &rates);
		printf("%zu %zu %g %g %g %g %u %u %u %u %u %u\n", one->runs, one->edge, one->step, one->noise,
		       one->tolerance, one->memory, rates.seeds, rates.found, rates.within_2, rates.within_5,
		       rates.more_than_one, rates.by_chance);
	}
	return 0;
}
