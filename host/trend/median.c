/* SPDX-License-Identifier: Apache-2.0 */
/* The median of some numbers. */
#include "host/trend/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double trend_median(const double *values, size_t count)
{
	double *sorted = count ? malloc(count * sizeof(*sorted)) : NULL, median;

	if (!sorted)
		return NAN;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), ascending);
	median = count % 2 ? sorted[count / 2] : sorted[count / 2 - 1] / 2 + sorted[count / 2] / 2;
	free(sorted);
	return median;
}
