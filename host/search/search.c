/* SPDX-License-Identifier: Apache-2.0 */
/* Binary Search and Binary Search with Loss Verification (ETSI GS NFV-TST 009 12.3.2 and 12.3.3) as one stepper.
 *
 *     pass(i): for r = 1..max_trials { lost <= goal: true; lost >= z: false }; false
 *     L = -1; R = n + 1; i = first; while R - L > 1 { pass(i) ? L = i : R = i; i = next }
 *
 * TST 009 begins at the last point n: when it passes there is no upper bound and the search is over. With
 * config.first the search begins there instead and doubles the value of the point until one fails (or n passes);
 * from then on both are the same bisection. */
#include "host/search/search.h"

static uint64_t point_of(const struct search *search, uint64_t index)
{
	/* The last step may be shorter than the others, so the last point is not low + n x step. */
	return index == search->last_index ? search->config.high : search->config.low + index * search->config.step;
}

static uint64_t index_below(const struct search *search, uint64_t point)
{
	return point >= search->config.high ? search->last_index : (point - search->config.low) / search->config.step;
}

int search_begin(struct search *search, const struct search_config *config)
{
	uint64_t span, last_index;

	if (config->step == 0 || config->high < config->low || config->max_trials == 0)
		return -1;
	if (config->first && (config->first < config->low || config->first > config->high))
		return -1;
	span = config->high - config->low;
	last_index = span / config->step + (span % config->step != 0);
	if (last_index >= INT64_MAX)
		return -1;

	*search = (struct search){
	        .config = *config,
	        .last_index = last_index,
	        .lower = -1,
	        .upper = last_index + 1,
	        .bracketing = true,
	};
	search->current = config->first ? index_below(search, config->first) : last_index;
	return 0;
}

bool search_next(const struct search *search, uint64_t *point)
{
	if (search->done)
		return false;
	*point = point_of(search, search->current);
	return true;
}

void search_set_z(struct search *search, uint64_t z_frames)
{
	search->config.z_frames = z_frames;
}

/* The next point of the doubling: the grid point at or below twice the value, but always one further on. */
static uint64_t doubled(const struct search *search)
{
	uint64_t point = point_of(search, search->current);
	uint64_t next = point > search->config.high / 2 ? search->last_index : index_below(search, point * 2);

	return next > search->current ? next : search->current + 1;
}

static void point_decided(struct search *search, bool passed)
{
	search->trials_here = 0;
	if (passed) {
		search->lower = (int64_t)search->current;
	} else {
		search->upper = search->current;
		search->bracketing = false;
	}

	if ((int64_t)search->upper - search->lower <= 1) {
		search->done = true;
	} else if (search->bracketing) {
		search->current = doubled(search);
	} else {
		/* L may be -1; R - L >= 2, so the middle is at least 0 and strictly between. */
		search->current = (uint64_t)(search->lower + ((int64_t)search->upper - search->lower) / 2);
	}
}

void search_observe(struct search *search, uint64_t lost_frames)
{
	if (search->done)
		return;
	search->trials++;
	search->trials_here++;
	if (lost_frames <= search->config.goal_frames)
		point_decided(search, true);
	else if (lost_frames >= search->config.z_frames || search->trials_here >= search->config.max_trials)
		point_decided(search, false);
	/* else: loss verification asks for the same point again */
}

unsigned search_trials_bound(const struct search *search)
{
	uint64_t width = search->upper - (uint64_t)(search->lower + 1); /* points that are undecided */
	unsigned points = 0;

	if (search->done)
		return search->trials;
	/* Bisection of w undecided points takes ceil(log2(w + 1)) = the bits of w; a doubling takes no more before it.
	 */
	for (; width; width >>= 1)
		points++;
	if (search->bracketing && search->current != search->last_index)
		points *= 2;
	else if (search->bracketing)
		points += 1;
	return search->trials + points * search->config.max_trials;
}

struct search_result search_result(const struct search *search)
{
	bool has_lower = search->lower >= 0;
	bool has_upper = search->upper <= search->last_index;
	uint64_t first = search->config.first ? index_below(search, search->config.first) : search->last_index;

	return (struct search_result){
	        .has_lower = has_lower,
	        .has_upper = has_upper,
	        .lower = has_lower ? point_of(search, (uint64_t)search->lower) : 0,
	        .upper = has_upper ? point_of(search, search->upper) : 0,
	        .trials = search->trials,
	        .bracket_by_doubling = first != search->last_index,
	};
}
