/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput in two files: throughput.c searches by bisection and reports, throughput_goals.c searches by MLRsearch. */
#ifndef FPGAUGE_BENCH_THROUGHPUT_H
#define FPGAUGE_BENCH_THROUGHPUT_H

#include <jansson.h>

#include "host/bench/load_grid.h"
#include "host/bench/session.h"

/* What a search found. */
struct phase {
	struct search_result found;
	struct trial_result passed, failed; /* the trials that decided lower and upper */
	double resolution_fps;              /* throughput is found to this */
	double forwarded;                   /* of the load of the lower bound; 1 where the goal is no loss */
};

/* By the first goal of the test, on load_grid_of_parts(); throughput is then its conditional throughput, which for the
 * goal of RFC 2544 is its lower bound (RFC 9971 4.10.1). As throughput_run(). */
int throughput_by_goals(struct session *session, struct phase *phase, bool *has_upper, uint64_t *upper,
                        struct error *error);

json_t *throughput_goal_parameters(const struct session *session);

#endif
