/* SPDX-License-Identifier: Apache-2.0 */
/* The one loop between a search and the tester: the search names a point, the benchmark turns it into a trial, the
 * tester runs it, and the search observes the outcome, until it ends. It works with whichever search the plan names,
 * and returns the bounds and the trials that decided them. */
#ifndef FPGAUGE_BENCH_SEARCH_LOOP_H
#define FPGAUGE_BENCH_SEARCH_LOOP_H

#include "host/bench/session.h"
#include "host/search/search.h"

struct findings {
	struct search *search; /* kept for what only this kind of search knows; NULL when it could not be created */
	struct search_result bounds; /* the first goal's where there are several */
	/* The trials that decided the lower and the upper bound; NULL without that bound. They live as long as the
	 * findings. */
	const struct trial_result *passed, *failed;
	struct trial_load passed_load, failed_load;
	unsigned trials, lossy_trials; /* trials at the lower bound */
	struct visited *visited;       /* read by findings_trial() */
	size_t visited_count;
};

/* Runs the search that `config` describes to its end. Returns 0; SESSION_INVALID when a trial stayed invalid or the
 * search ended undecided; or a negative error. In any case *findings holds what is known so far and must be freed. */
int search_loop(struct session *session, const struct search_config *config, const struct search_points *points,
                struct findings *findings, struct error *error);

/* A trial, and the load that it had. */
struct measurement {
	struct trial_result trial;
	struct trial_load load;
};

/* The trial that decided a point: the last of the longest there; without_loss: of those without loss. NULL: there is
 * none. It lives as long as the findings. */
const struct measurement *findings_trial(const struct findings *findings, uint64_t point, bool without_loss);

void findings_free(struct findings *findings);

#endif
