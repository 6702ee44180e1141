/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch as a plan asks for it: goals, the range of loads, and both in a result's parameters. */
#ifndef FPGAUGE_BENCH_GOALS_H
#define FPGAUGE_BENCH_GOALS_H

#include <jansson.h>

#include "host/bench/load_grid.h"
#include "host/bench/session.h"
#include "host/search/mlrsearch.h"

/* A search configuration and what its pointers point to. Not to be copied. */
struct goal_search {
	struct load_grid grid;
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	struct mlrsearch_config mlrsearch;
	struct search_config config;
};

void goals_configure(const struct plan_test *test, struct rate line, struct goal_search *search);

/* Told of every valid trial before the search is; nonzero is an error and ends it. */
typedef int (*goals_keep)(void *user, const struct search_request *request, const struct trial_result *result,
                          struct error *error);

/* Runs a search made of `goals` to its end. 0, SESSION_INVALID or a negative error. keep: may be NULL. */
int goals_run(struct session *session, const struct goal_search *goals, struct search *search, goals_keep keep,
              void *user, struct error *error);

/* All attributes of a goal (RFC 9971 4.7.7) and of the search, into the parameters of a result. */
void goals_report(const struct plan_test *test, const struct goal_search *search, size_t goal, json_t *parameters);

#endif
