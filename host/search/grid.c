/* SPDX-License-Identifier: Apache-2.0 */
/* The grid of points that a search may try. */
#include "host/search/stepper.h"

uint64_t grid_point(const struct search *search, uint64_t index)
{
	/* The last step may be shorter than the others, so the last point is not low + n x step. */
	return index >= search->last_index ? search->config.high : search->config.low + index * search->config.step;
}

uint64_t grid_index_below(const struct search *search, uint64_t point)
{
	return point >= search->config.high ? search->last_index : (point - search->config.low) / search->config.step;
}
