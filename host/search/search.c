/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that all searches share: the check of the grid, the limits of the whole search, and the choice of the kind. */
#include "host/search/search.h"

#include <inttypes.h>

#include "host/search/stepper.h"

static int check_grid(const struct search_config *config, struct error *error)
{
	if (config->step == 0)
		return error_set(error, ERROR_PLAN, "search: step = 0: must be above 0");
	if (config->high < config->low)
		return error_set(error, ERROR_PLAN, "search: high = %" PRIu64 ": must be at least low, %" PRIu64,
		                 config->high, config->low);
	/* Indices are int64_t, including one before the first and one after the last. */
	if ((config->high - config->low) / config->step >= INT64_MAX - 1)
		return error_set(error, ERROR_PLAN,
		                 "search: step = %" PRIu64 ": must make fewer than 2^63 points from %" PRIu64
		                 " to %" PRIu64,
		                 config->step, config->low, config->high);
	return 0;
}

/* Plans the next trial, unless a limit of the whole search forbids it. */
static void plan_next(struct search *search)
{
	const struct search_config *config = &search->config;

	if (search->end != SEARCH_RUNNING)
		return;
	search->ops->plan(search, &search->request);
	if (search->end != SEARCH_RUNNING || search->request.warm_up)
		return;
	if (config->trials_limit && search->trials >= config->trials_limit)
		search->end = SEARCH_TRIALS_LIMIT;
	else if (config->traffic_limit_ns &&
	         (search->traffic_ns >= config->traffic_limit_ns ||
	          search->request.duration_ns > config->traffic_limit_ns - search->traffic_ns))
		search->end = SEARCH_TRAFFIC_LIMIT;
}

static struct search *create(const struct search_config *config, struct error *error)
{
	switch (config->kind) {
	case SEARCH_MLRSEARCH:
		return mlrsearch_create(config, error);
	case SEARCH_DESCENT:
		return descent_create(error);
	default:
		return binary_create(config, error);
	}
}

struct search *search_create(const struct search_config *config, struct error *error)
{
	struct search *search;
	uint64_t span = config->high - config->low;

	if (check_grid(config, error))
		return NULL;
	search = create(config, error);
	if (search == NULL)
		return NULL;
	search->config = *config;
	search->config.mlrsearch = NULL; /* borrowed; what is needed was copied */
	search->last_index = span / config->step + (span % config->step != 0);
	search->end = SEARCH_RUNNING;
	plan_next(search);
	return search;
}

void search_free(struct search *search)
{
	if (search)
		search->ops->destroy(search);
}

struct search *search_copy(const struct search *search)
{
	return search->ops->copy(search);
}

bool search_next(const struct search *search, struct search_request *request)
{
	if (search->end != SEARCH_RUNNING)
		return false;
	*request = search->request;
	return true;
}

int search_observe(struct search *search, const struct search_observation *observation)
{
	struct search_observation observed = *observation;
	int status;

	if (search->end != SEARCH_RUNNING)
		return 0;
	if (observed.effective_ns == 0)
		observed.effective_ns = search->request.duration_ns;
	status = search->ops->observe(search, &observed);
	if (status)
		return status;
	if (!search->request.warm_up) {
		search->trials++;
		search->traffic_ns += observed.effective_ns;
	}
	plan_next(search);
	return 0;
}

struct search_result search_result(const struct search *search)
{
	struct search_result result = {.end = search->end, .trials = search->trials, .traffic_ns = search->traffic_ns};

	search->ops->bounds(search, &result);
	return result;
}

unsigned search_trials_estimate(const struct search *search)
{
	return search->end == SEARCH_RUNNING ? search->ops->trials_estimate(search) : search->trials;
}

const char *search_end_text(enum search_end end)
{
	static const char *const texts[] = {
	        [SEARCH_RUNNING] = "not finished",
	        [SEARCH_FOUND] = "found",
	        [SEARCH_NO_UPPER] = "no upper bound: the highest load passes",
	        [SEARCH_NO_LOWER] = "no lower bound: the lowest load fails",
	        [SEARCH_GRID_TOO_WIDE] = "the loads that can be offered are further apart than the width asked for",
	        [SEARCH_TRIALS_LIMIT] = "the limit on trials was reached",
	        [SEARCH_TRAFFIC_LIMIT] = "the limit on traffic time was reached",
	};

	return texts[end];
}
