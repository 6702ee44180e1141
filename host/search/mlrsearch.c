/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch (RFC 9971): what is known so far, and the results. Where to look next is in mlrsearch_select.c. */
#include "host/search/mlrsearch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"
#include "host/search/mlrsearch_state.h"

enum { MAX_RUNGS = 1 << 22 };

static uint32_t narrowest_width_ppm(const struct mlrsearch_config *config)
{
	uint32_t narrowest = MLRSEARCH_PPM;

	for (size_t i = 0; i < config->goal_count; i++)
		if (config->goals[i].width_ppm < narrowest)
			narrowest = config->goals[i].width_ppm;
	return narrowest;
}

/* The next rung down: the lowest grid point within the width, but at least one grid point lower. */
static uint64_t rung_below(const struct search_config *config, uint64_t rung, uint32_t width_ppm)
{
	uint64_t width = (uint64_t)((uint128)rung * width_ppm / MLRSEARCH_PPM);
	uint64_t lowest = rung - config->low > width ? rung - width : config->low;
	uint64_t steps = (lowest - config->low) / config->step + ((lowest - config->low) % config->step != 0);
	uint64_t point = config->low + steps * config->step;

	if (point < rung)
		return point;
	return config->low + (rung - config->low - 1) / config->step * config->step;
}

/* 0 or a negative error. Counts first, then fills, so that the array has exactly the size needed. */
static int make_rungs(struct mlrsearch *search, const struct search_config *config, struct error *error)
{
	uint32_t width_ppm = narrowest_width_ppm(config->mlrsearch);
	uint64_t point = config->high;
	size_t count = 1;

	for (; point > config->low; count++) {
		if (count >= MAX_RUNGS)
			return error_set(error, ERROR_PLAN,
			                 "goal width = %" PRIu32 " ppm: must be wider: there are more than %d loads "
			                 "at that distance from %" PRIu64 " to %" PRIu64,
			                 width_ppm, MAX_RUNGS, config->low, config->high);
		point = rung_below(config, point, width_ppm);
	}
	search->rungs = malloc(count * sizeof(*search->rungs));
	if (search->rungs == NULL)
		return error_set(error, ERROR_INTERNAL, "search: out of memory");
	search->rung_count = count;
	point = config->high;
	while (count--) {
		search->rungs[count] = point;
		point = count ? rung_below(config, point, width_ppm) : 0;
	}
	return 0;
}

/* The smallest load among all goals goes first, because a failure there rules out all loads above it; at one load
 * the longest trial, because it also counts for goals that want a shorter one. */
static void mlrsearch_plan(struct search *base, struct search_request *request)
{
	struct mlrsearch *search = (struct mlrsearch *)base;
	struct nomination best = {0}, nomination;
	bool wanted = false;

	if (search->warm_up_ns) {
		*request = (struct search_request){
		        .point = base->config.high, .duration_ns = search->warm_up_ns, .warm_up = true};
		return;
	}
	for (size_t goal = 0; goal < search->goal_count; goal++) {
		if (!nominate(search, goal, &nomination))
			continue;
		if (wanted && (nomination.rung > best.rung ||
		               (nomination.rung == best.rung && nomination.duration_ns <= best.duration_ns)))
			continue;
		wanted = true;
		best = nomination;
		search->asked_by = goal;
		search->asked_why = nomination.purpose;
	}
	if (!wanted) {
		base->end = search->pursuits[0].end;
		return;
	}
	*request = (struct search_request){.point = search->rungs[best.rung], .duration_ns = best.duration_ns};
}

/* The index of the first load at or above the point; load_count if all are below. */
static size_t find_load(const struct mlrsearch *search, uint64_t point)
{
	size_t low = 0, high = search->load_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (search->rungs[search->loads[middle]->rung] < point)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The load on the rung; NULL if it has not been tried. */
static const struct load *load_on(const struct mlrsearch *search, size_t rung)
{
	size_t at = find_load(search, search->rungs[rung]);

	return at < search->load_count && search->loads[at]->rung == rung ? search->loads[at] : NULL;
}

/* Makes room for one more item in an array; 0 or ERROR_INTERNAL. */
static int make_room(void **items, size_t count, size_t *room, size_t item_size)
{
	size_t more = *room ? 2 * *room : 64;
	void *moved;

	if (count < *room)
		return 0;
	moved = realloc(*items, more * item_size);
	if (moved == NULL)
		return ERROR_INTERNAL;
	*items = moved;
	*room = more;
	return 0;
}

/* The load at the point, created if new; NULL when out of memory. */
static struct load *load_at(struct mlrsearch *search, uint64_t point)
{
	size_t at = find_load(search, point);
	struct load *load;

	if (at < search->load_count && search->rungs[search->loads[at]->rung] == point)
		return search->loads[at];
	if (make_room((void **)&search->loads, search->load_count, &search->load_room, sizeof(*search->loads)))
		return NULL;
	load = calloc(1, sizeof(*load) + search->goal_count * sizeof(*load->standing));
	if (load == NULL)
		return NULL;
	load->rung = rung_at_or_below(search, point);
	memmove(search->loads + at + 1, search->loads + at, (search->load_count - at) * sizeof(*search->loads));
	search->loads[at] = load;
	search->load_count++;
	return load;
}

/* A load whose class is not certain yet leans to the side of most of its trials, weighted by the exceed ratio. */
static enum lean lean_of(const struct mlrsearch_goal *goal, const struct standing *standing)
{
	const struct mlrsearch_sums *sums = &standing->sums;

	if (standing->class != MLRSEARCH_UNDECIDED)
		return standing->class == MLRSEARCH_LOWER ? LEAN_LOW : LEAN_HIGH;
	if (((uint128)sums->full_high_ns + sums->short_high_ns) * (MLRSEARCH_PPM - goal->exceed_ppm) >
	    ((uint128)sums->full_low_ns + sums->short_low_ns) * goal->exceed_ppm)
		return LEAN_HIGH;
	return LEAN_LOW;
}

static int mlrsearch_observe(struct search *base, const struct search_observation *observed)
{
	struct mlrsearch *search = (struct mlrsearch *)base;
	const struct mlrsearch_trial trial = {.point = base->request.point,
	                                      .duration_ns = base->request.duration_ns,
	                                      .effective_ns = observed->effective_ns,
	                                      .expected_frames = observed->expected_frames,
	                                      .lost_frames = observed->lost_frames,
	                                      .unoffered_frames = observed->unoffered_frames};
	uint64_t passed_before_ns[MLRSEARCH_MAX_GOALS];
	struct load *load;

	if (base->request.warm_up) {
		search->warm_up_ns = 0;
		return 0;
	}
	if (make_room((void **)&search->trials, search->trial_count, &search->trial_room, sizeof(trial)))
		return ERROR_INTERNAL;
	load = load_at(search, trial.point);
	if (load == NULL)
		return ERROR_INTERNAL;
	search->trials[search->trial_count++] = trial;
	for (size_t i = 0; i < search->goal_count; i++) {
		const struct mlrsearch_goal *goal = &search->pursuits[i].goal;
		struct standing *standing = &load->standing[i];

		passed_before_ns[i] = standing->longest_pass_ns;
		mlrsearch_add(goal, &standing->sums, &trial);
		standing->class = mlrsearch_classify(goal, &standing->sums);
		standing->lean = lean_of(goal, standing);
		if (!mlrsearch_is_high_loss(goal, &trial) && trial.duration_ns > standing->longest_pass_ns)
			standing->longest_pass_ns = trial.duration_ns;
	}
	if (trial.duration_ns > load->longest_ns)
		load->longest_ns = trial.duration_ns;
	learn(search, load, &trial, passed_before_ns);
	return 0;
}

static void mlrsearch_bounds(const struct search *base, struct search_result *result)
{
	const struct mlrsearch *search = (const struct mlrsearch *)base;
	struct bracket bracket = bracket_of_classes(search, 0);

	result->has_lower = bracket.lower != NULL;
	result->has_upper = bracket.upper != NULL;
	result->lower = bracket.lower ? search->rungs[bracket.lower->rung] : 0;
	result->upper = bracket.upper ? search->rungs[bracket.upper->rung] : 0;
}

/* Trials that halve the bracket, then those that make both its bounds certain. */
static unsigned mlrsearch_trials_estimate(const struct search *base)
{
	const struct mlrsearch *search = (const struct mlrsearch *)base;
	unsigned most = 1;

	for (size_t i = 0; i < search->goal_count; i++) {
		const struct pursuit *pursuit = &search->pursuits[i];
		struct bracket bracket = bracket_of_leans(search, i);
		size_t lower = bracket.lower ? bracket.lower->rung : 0;
		size_t upper = bracket.upper ? bracket.upper->rung : search->rung_count - 1;
		unsigned left = (unsigned)(pursuit->goal.sum_ns / pursuit->goal.final_ns) + 1;

		if (pursuit->end != SEARCH_RUNNING)
			continue;
		for (size_t gap = (upper - lower) / pursuit->stride; gap > 1; gap /= 2)
			left++;
		if (left > most)
			most = left;
	}
	return base->trials + most;
}

static void *copy_of(const void *items, size_t count, size_t room, size_t item_size)
{
	void *copy = calloc(room ? room : 1, item_size);

	if (copy && count)
		memcpy(copy, items, count * item_size);
	return copy;
}

static bool copy_loads(const struct mlrsearch *search, struct mlrsearch *copy)
{
	const size_t size = sizeof(struct load) + search->goal_count * sizeof(struct standing);

	for (; copy->load_count < search->load_count; copy->load_count++) {
		struct load *load = copy_of(search->loads[copy->load_count], 1, 1, size);

		if (!load)
			return false;
		copy->loads[copy->load_count] = load;
	}
	return true;
}

static void mlrsearch_destroy(struct search *base)
{
	struct mlrsearch *search = (struct mlrsearch *)base;

	for (size_t i = 0; i < search->load_count; i++)
		free(search->loads[i]);
	free(search->loads);
	free(search->trials);
	free(search->rungs);
	free(search);
}

static struct search *mlrsearch_copy(const struct search *base)
{
	const struct mlrsearch *search = (const struct mlrsearch *)base;
	struct mlrsearch *copy = copy_of(search, 1, 1, sizeof(*search));

	if (!copy)
		return NULL;
	copy->rungs = copy_of(search->rungs, search->rung_count, search->rung_count, sizeof(*copy->rungs));
	copy->trials = copy_of(search->trials, search->trial_count, search->trial_room, sizeof(*copy->trials));
	copy->loads = copy_of(NULL, 0, search->load_room, sizeof(struct load *));
	copy->load_count = 0;
	if (copy->rungs && copy->trials && copy->loads && copy_loads(search, copy))
		return &copy->base;
	mlrsearch_destroy(&copy->base);
	return NULL;
}

static const struct search_ops mlrsearch_ops = {
        .plan = mlrsearch_plan,
        .observe = mlrsearch_observe,
        .bounds = mlrsearch_bounds,
        .trials_estimate = mlrsearch_trials_estimate,
        .copy = mlrsearch_copy,
        .destroy = mlrsearch_destroy,
};

static int check_mlrsearch(const struct search_config *config, struct error *error)
{
	const struct mlrsearch_config *mlrsearch = config->mlrsearch;

	if (mlrsearch == NULL || mlrsearch->goal_count == 0 || mlrsearch->goal_count > MLRSEARCH_MAX_GOALS)
		return error_set(error, ERROR_PLAN, "search: %zu goals: must be 1 to %d",
		                 mlrsearch ? mlrsearch->goal_count : 0, MLRSEARCH_MAX_GOALS);
	for (size_t i = 0; i < mlrsearch->goal_count; i++)
		if (mlrsearch_check_goal(&mlrsearch->goals[i], error)) {
			error_prefix(error, "goal %zu: ", i + 1);
			return error->code;
		}
	/* A load of 0 has no loss ratio, and a width relative to it is undefined. */
	if (config->low == 0)
		return error_set(error, ERROR_PLAN, "search: low = 0: must be above 0 for MLRsearch");
	return 0;
}

struct search *mlrsearch_create(const struct search_config *config, struct error *error)
{
	struct mlrsearch *search;

	if (check_mlrsearch(config, error))
		return NULL;
	search = calloc(1, sizeof(*search));
	if (search == NULL) {
		error_set(error, ERROR_INTERNAL, "search: out of memory");
		return NULL;
	}
	search->base.ops = &mlrsearch_ops;
	if (make_rungs(search, config, error)) {
		mlrsearch_destroy(&search->base);
		return NULL;
	}
	search->warm_up_ns = config->mlrsearch->warm_up_ns;
	search->goal_count = config->mlrsearch->goal_count;
	for (size_t i = 0; i < search->goal_count; i++) {
		struct pursuit *pursuit = &search->pursuits[i];
		size_t top = search->rung_count - 1;

		pursuit->goal = config->mlrsearch->goals[i];
		pursuit->explore_ns = pursuit->goal.initial_ns;
		pursuit->stride = 1;
		while (pursuit->stride < top && bounds_fit(search, i, top - pursuit->stride - 1, top))
			pursuit->stride++;
	}
	return &search->base;
}

size_t mlrsearch_goal_count(const struct search *search)
{
	return ((const struct mlrsearch *)search)->goal_count;
}

const struct mlrsearch_goal *mlrsearch_goal(const struct search *search, size_t goal)
{
	return &((const struct mlrsearch *)search)->pursuits[goal].goal;
}

const struct mlrsearch_trial *mlrsearch_trials(const struct search *search, size_t *count)
{
	const struct mlrsearch *state = (const struct mlrsearch *)search;

	*count = state->trial_count;
	return state->trials;
}

enum mlrsearch_class mlrsearch_class_of(const struct search *base, size_t goal, uint64_t point)
{
	const struct mlrsearch *search = (const struct mlrsearch *)base;
	size_t rung = rung_at_or_below(search, point);
	const struct load *load = load_on(search, rung);

	return load && search->rungs[rung] == point ? load->standing[goal].class : MLRSEARCH_UNDECIDED;
}

bool mlrsearch_is_tester_limit(const struct search *base, size_t goal, uint64_t point)
{
	const struct mlrsearch *search = (const struct mlrsearch *)base;
	bool tried = false;

	for (size_t i = 0; i < search->trial_count; i++) {
		struct mlrsearch_trial trial = search->trials[i];

		if (trial.point != point)
			continue;
		tried = true;
		trial.expected_frames -= trial.unoffered_frames;
		trial.lost_frames -= trial.unoffered_frames;
		if (mlrsearch_is_high_loss(&search->pursuits[goal].goal, &trial))
			return false;
	}
	return tried;
}

struct mlrsearch_goal_result mlrsearch_result(const struct search *base, size_t goal)
{
	const struct mlrsearch *search = (const struct mlrsearch *)base;
	struct bracket bracket = bracket_of_classes(search, goal);
	struct mlrsearch_goal_result result = {.end = search->pursuits[goal].end};

	if (result.end == SEARCH_RUNNING)
		result.end = base->end; /* a limit of the whole search, or still running */
	result.has_lower = bracket.lower != NULL;
	result.has_upper = bracket.upper != NULL;
	if (bracket.upper) {
		result.upper = search->rungs[bracket.upper->rung];
		result.upper_sums = bracket.upper->standing[goal].sums;
	}
	if (bracket.lower) {
		result.lower = search->rungs[bracket.lower->rung];
		result.lower_sums = bracket.lower->standing[goal].sums;
		mlrsearch_quantile(&search->pursuits[goal].goal, search->trials, search->trial_count, &result);
	}
	return result;
}
