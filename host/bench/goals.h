/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch as a plan configures it: goals and the range of loads, and both in the parameters of a result. */
#ifndef FPGAUGE_BENCH_GOALS_H
#define FPGAUGE_BENCH_GOALS_H

#include <jansson.h>

#include "host/bench/known_queue.h"
#include "host/bench/load_grid.h"
#include "host/bench/load_range.h"
#include "host/bench/session.h"
#include "host/search/mlrsearch.h"

/* A search configuration and what its pointers point to. Not to be copied. */
struct goal_search {
	struct load_grid grid;
	struct load_range range;
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	struct mlrsearch_config mlrsearch;
	struct search_config config;
};

void goals_configure(const struct plan_test *test, struct rate line, struct goal_search *search);

/* True if the tester, which offered too little, is why there is this bound above a goal's result, or none. */
bool goals_end_at_tester(const struct goal_search *goals, const struct search *search, size_t goal,
                         const struct mlrsearch_goal_result *found);

/* Puts all attributes of a goal (RFC 9971 4.7.7) and of the search into the parameters of a result. */
void goals_report(const struct plan_test *test, const struct goal_search *search, size_t goal, json_t *parameters);

/* Functions for any test that uses MLRsearch, as struct benchmark declares them (goals_extent.c, goals_needed.c). */
int goals_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent goals_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double goals_longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void goals_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);
bool goals_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                        const struct known_queue *queue, struct needed_trial *needed);

#endif
