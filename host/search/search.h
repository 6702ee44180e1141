/* SPDX-License-Identifier: Apache-2.0 */
/* Searches as pure steppers over an integer grid: search_next() names the trial it wants, search_observe() takes what
 * came of it, search_result() says what is known. No clock, no device, no file. Every search answers to the same calls,
 * so that a benchmark runs whichever its plan names:
 *
 *     Binary Search                          ETSI GS NFV-TST 009 12.3.2 (RFC 9004 6.2)
 *     Binary Search with Loss Verification   ETSI GS NFV-TST 009 12.3.3 (RFC 9004 6.2)
 *     MLRsearch                              RFC 9971; its goals and their results are in mlrsearch.h
 *
 * The grid means what the caller likes: a load or a burst length in frames. MLRsearch takes widths and forwarding rates
 * from the points, so for it a point is proportional to the load (0 would be no load at all). A burst has no duration
 * of its own choice: the caller reports the duration that was asked for as the effective one, and sums of durations
 * then count trials. */
#ifndef FPGAUGE_SEARCH_SEARCH_H
#define FPGAUGE_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"

struct mlrsearch_config;

enum search_kind { SEARCH_BINARY, SEARCH_LOSS_VERIFICATION, SEARCH_MLRSEARCH };

/* Two readings of max(r) exist: at most r trials at a point (TST 009, RFC 9971 4.10), or one trial and r repeats. */
enum search_repeat_unit { SEARCH_MAX_TRIALS, SEARCH_MAX_REPEATS };

/* A loss of at least this needs no second look: frames, or numerator / denominator of the frames expected. Whole frames
 * have denominator 0, and UINT64_MAX of them (SEARCH_NO_Z) are never lost. */
struct search_z {
	uint64_t numerator;
	uint64_t denominator;
};
#define SEARCH_NO_Z ((struct search_z){UINT64_MAX, 0})

struct search_config {
	enum search_kind kind;
	uint64_t low;  /* first grid point */
	uint64_t high; /* last grid point, always on the grid: the last step is shorter when it must be */
	uint64_t step; /* > 0 */

	/* of Binary Search and Loss Verification */
	uint64_t duration_ns; /* of every trial; handed back in the request, else not looked at */
	uint64_t goal_frames; /* a trial with at most this loss passes */
	uint64_t first;       /* 0: begin at high, as TST 009 does. Else begin here and double until a point fails */

	/* of Loss Verification */
	unsigned max_repeat; /* max(r), in repeat_unit; trials: at least 1 */
	enum search_repeat_unit repeat_unit;
	struct search_z z;

	/* of MLRsearch; copied */
	const struct mlrsearch_config *mlrsearch;

	/* Limits of the whole search; 0 is none. A search that reaches one ends, and its result says which. */
	unsigned trials_limit;
	uint64_t traffic_limit_ns; /* of the sum of effective durations; no trial is asked for that would pass it */
};

struct search_request {
	uint64_t point;
	uint64_t duration_ns; /* Trial Duration, RFC 9971 4.5.1; what the configuration says for the binary searches */
	bool warm_up;         /* the result will not be looked at; off unless asked for */
};

/* A valid trial as the search sees it. An invalid trial is never observed: it is repeated. */
struct search_observation {
	uint64_t expected_frames; /* that should have come out: the frames offered, over all outputs; > 0 */
	uint64_t lost_frames;     /* of these; at most expected_frames */
	uint64_t effective_ns;    /* Trial Effective Duration, RFC 9971 4.5.8; 0: as long as asked for */
};

enum search_end {
	SEARCH_RUNNING,
	SEARCH_FOUND,         /* both bounds, as near as asked for */
	SEARCH_NO_UPPER,      /* the highest point passes: what is above is not known */
	SEARCH_NO_LOWER,      /* the lowest point fails */
	SEARCH_GRID_TOO_WIDE, /* neighbours on the grid are further apart than the width that is asked for */
	SEARCH_TRIALS_LIMIT,
	SEARCH_TRAFFIC_LIMIT,
};

/* Of MLRsearch with several goals: of the first. mlrsearch_result() has them all. */
struct search_result {
	enum search_end end;
	bool has_lower, has_upper;
	uint64_t lower, upper;    /* grid points */
	unsigned trials;          /* observed, without warm-up */
	uint64_t traffic_ns;      /* their effective durations */
	bool bracket_by_doubling; /* binary searches: the upper side was found by doubling from config.first */
};

struct search; /* opaque */

/* NULL with error (ERROR_PLAN, or ERROR_INTERNAL when there is no memory) when the configuration makes no search. */
struct search *search_create(const struct search_config *config, struct error *error);
void search_free(struct search *search); /* NULL is allowed */

/* True with *request set while a trial is wanted. The same answer until the next search_observe(). */
bool search_next(const struct search *search, struct search_request *request);

/* What came of the trial that search_next() named; after the end nothing happens. 0, or ERROR_INTERNAL without memory,
 * and then the trial was not taken. */
int search_observe(struct search *search, const struct search_observation *observation);

struct search_result search_result(const struct search *search);

/* Trials in all, counted from search_create(), for the time left. Never passed by the binary searches; of MLRsearch a
 * guess, because noise decides. */
unsigned search_trials_estimate(const struct search *search);

/* One text for each end: "found", "no upper bound: ...". */
const char *search_end_text(enum search_end end);

#endif
