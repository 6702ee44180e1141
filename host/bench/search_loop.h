/* SPDX-License-Identifier: Apache-2.0 */
/* The one loop between a search and the tester: the search names a point, the benchmark says which trial looks at it,
 * the tester runs it, and the search hears what came of it, until it ends. Whichever search the plan names stands
 * behind it: what comes back is the bounds and the trials that decided them. */
#ifndef FPGAUGE_BENCH_SEARCH_LOOP_H
#define FPGAUGE_BENCH_SEARCH_LOOP_H

#include "host/bench/session.h"
#include "host/search/search.h"

struct findings {
	struct search *search;       /* for what only its kind knows; NULL when the configuration made none */
	struct search_result bounds; /* of several goals: of the first */
	/* The trials that decided the lower and the upper bound; all 0 without that bound. */
	struct trial_result passed, failed;
	unsigned trials, lossy_trials; /* at the lower bound */
};

/* Runs the search that `config` makes to its end. 0; SESSION_INVALID when a trial stayed invalid or the search ended
 * before it knew; or a negative error. *findings has what is known so far, and is to be freed, whatever comes back. */
int search_loop(struct session *session, const struct search_config *config, const struct search_points *points,
                struct findings *findings, struct error *error);

void findings_free(struct findings *findings);

#endif
