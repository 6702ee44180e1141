/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch (RFC 9971): the rungs of the ladder, and those between which the answer lies. */
#include "host/base/uint128.h"
#include "host/search/mlrsearch_state.h"

size_t rung_at_or_below(const struct mlrsearch *search, uint64_t point)
{
	size_t low = 0, high = search->rung_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(search->rungs[middle] <= point ? &low : &high) = middle;
	}
	return low;
}

bool bounds_fit(const struct mlrsearch *search, size_t goal, size_t lower_rung, size_t upper_rung)
{
	uint64_t lower = search->rungs[lower_rung], upper = search->rungs[upper_rung];

	return (uint128)(upper - lower) * MLRSEARCH_PPM <= (uint128)upper * search->pursuits[goal].goal.width_ppm;
}

struct bracket bracket_of_leans(const struct mlrsearch *search, size_t goal)
{
	struct bracket bracket = {0};

	for (size_t i = 0; i < search->load_count && bracket.upper == NULL; i++) {
		const struct load *load = search->loads[i];

		if (load->standing[goal].lean == LEAN_HIGH)
			bracket.upper = load;
		else if (load->standing[goal].lean == LEAN_LOW)
			bracket.lower = load;
	}
	return bracket;
}

/* RFC 9971 4.8.1 and 4.8.2. If there is no upper bound, the lower bound is the largest one, an "effective" one. */
struct bracket bracket_of_classes(const struct mlrsearch *search, size_t goal)
{
	struct bracket bracket = {0};

	for (size_t i = 0; i < search->load_count && bracket.upper == NULL; i++) {
		const struct load *load = search->loads[i];

		if (load->standing[goal].class == MLRSEARCH_UPPER)
			bracket.upper = load;
		else if (load->standing[goal].class == MLRSEARCH_LOWER)
			bracket.lower = load;
	}
	return bracket;
}
