/* SPDX-License-Identifier: Apache-2.0 */
/* The loads that a plan lets a search try: those of its grid from min_load to max_load. A generator that cannot reach
 * line rate is told so by max_load. What passes at the highest load that was tried is then no limit of the device, and
 * the result says so: `at_least`. */
#ifndef FPGAUGE_BENCH_LOAD_RANGE_H
#define FPGAUGE_BENCH_LOAD_RANGE_H

#include <jansson.h>

#include "host/bench/load_grid.h"
#include "host/bench/session.h"
#include "host/plan/plan.h"

struct load_range {
	uint64_t low, high; /* points of the grid: the first at or above min_load, the last at or below max_load */
	bool has_min;       /* the plan says one */
	bool has_max;       /* the plan sets one below line rate */
};

/* False: no load of the grid is between them. */
bool load_range_of(const struct plan_test *test, const struct load_grid *grid, struct load_range *range);

/* 0, or ERROR_PLAN with the limits and the grid: no load is between them. */
int load_range_check(const struct plan_test *test, const struct load_grid *grid, struct error *error);

/* min_load_fps and max_load_fps in the parameters of a result, where the plan limits the loads. */
void load_range_parameters(const struct load_range *range, const struct load_grid *grid, json_t *parameters);

/* Says in a result that its answer is only a lower limit, if it is: everything passed, below line rate, since the plan
 * asks for no more or the tester offered less. what: "throughput". Returns whether it is. */
bool load_range_report(const struct session *session, const struct load_range *range, const struct load_grid *grid,
                       const struct search_result *bounds, const char *what, json_t *result);

/* The same where a load failed only because the tester did not offer it. */
void load_range_report_tester_limit(const char *what, json_t *result);

/* Makes a result INVALID, since not even the lowest load was offered as intended. */
void load_range_report_too_little(const struct load_grid *grid, uint64_t lowest, json_t *result);

#endif
