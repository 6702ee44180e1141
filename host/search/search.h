/* SPDX-License-Identifier: Apache-2.0 */
/* Searches as pure steppers over an integer grid: search_next() names the trial it wants, search_observe() takes the
 * outcome, search_result() says what is known. No clock, no device, no file. All searches have the same calls, so a
 * benchmark runs whichever one its plan names:
 *
 *     Binary Search                          ETSI GS NFV-TST 009 12.3.2 (RFC 9004 6.2)
 *     Binary Search with Loss Verification   ETSI GS NFV-TST 009 12.3.3 (RFC 9004 6.2)
 *     MLRsearch                              RFC 9971; its goals and their results are in mlrsearch.h
 *     Descent                                RFC 2544 section 26.3: down until two successive trials pass
 *
 * What a grid point means is up to the caller: a load, or a burst length in frames. MLRsearch derives widths and
 * forwarding rates from the points, so for it a point must be proportional to the load (0 would be no load at all). The
 * duration of a burst cannot be chosen: the caller reports the requested duration as the effective one, so that sums of
 * durations count trials. */
#ifndef FPGAUGE_SEARCH_SEARCH_H
#define FPGAUGE_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"

struct mlrsearch_config;

enum search_kind { SEARCH_BINARY, SEARCH_LOSS_VERIFICATION, SEARCH_MLRSEARCH, SEARCH_DESCENT };

/* max(r) has two readings: at most r trials at a point (TST 009, RFC 9971 4.10), or one trial and r repeats. */
enum search_repeat_unit { SEARCH_MAX_TRIALS, SEARCH_MAX_REPEATS };

/* A trial that loses at least this much is not repeated: frames, or numerator / denominator of the frames expected.
 * Denominator 0 means whole frames; UINT64_MAX frames (SEARCH_NO_Z) are never lost. */
struct search_z {
	uint64_t numerator;
	uint64_t denominator;
};
#define SEARCH_NO_Z ((struct search_z){UINT64_MAX, 0})

struct search_config {
	enum search_kind kind;
	uint64_t low;  /* first grid point */
	uint64_t high; /* last grid point, always on the grid: the last step may be shorter than the others */
	uint64_t step; /* > 0 */

	/* settings of Binary Search and Loss Verification; the first two for Descent as well */
	uint64_t duration_ns; /* duration of every trial; only passed on in the request */
	uint64_t goal_frames; /* a trial with at most this loss passes */
	uint64_t first;       /* 0: start at high, as TST 009 does. Else start here and double until a point fails */

	/* settings of Loss Verification */
	unsigned max_repeat; /* max(r), in repeat_unit; trials: at least 1 */
	enum search_repeat_unit repeat_unit;
	struct search_z z;

	/* settings of MLRsearch; copied */
	const struct mlrsearch_config *mlrsearch;

	/* Limits of the whole search; 0: none. A search that reaches one ends, and its result says which. */
	unsigned trials_limit;
	uint64_t traffic_limit_ns; /* limit of the sum of effective durations; no requested trial would exceed it */
};

struct search_request {
	uint64_t point;
	uint64_t duration_ns; /* Trial Duration, RFC 9971 4.5.1; for the binary searches, from the configuration */
	bool warm_up;         /* the outcome will be ignored; only if the configuration asks for a warm-up */
};

/* A valid trial as the search sees it. An invalid trial is never observed: it is repeated. */
struct search_observation {
	uint64_t expected_frames;  /* frames that should have come out: those offered, over all outputs; > 0 */
	uint64_t lost_frames;      /* lost ones of these; at most expected_frames */
	uint64_t unoffered_frames; /* lost frames that the tester did not offer, though they were intended */
	uint64_t effective_ns;     /* Trial Effective Duration, RFC 9971 4.5.8; 0: as requested */
};

enum search_end {
	SEARCH_RUNNING,
	SEARCH_FOUND,         /* both bounds, as close as requested */
	SEARCH_NO_UPPER,      /* the highest point passes: what lies above is not known */
	SEARCH_NO_LOWER,      /* the lowest point fails; for a descent: down to it, no two in a row passed */
	SEARCH_GRID_TOO_WIDE, /* neighbouring grid points are further apart than the requested width */
	SEARCH_TRIALS_LIMIT,
	SEARCH_TRAFFIC_LIMIT,
};

/* A search's result, which with several goals of MLRsearch is the result of the first goal. mlrsearch_result() has
 * them all. For a descent, lower is the higher of the two successive points that passed, and upper the lowest that
 * failed. */
struct search_result {
	enum search_end end;
	bool has_lower, has_upper;
	uint64_t lower, upper;    /* grid points */
	unsigned trials;          /* observed, without warm-up */
	uint64_t traffic_ns;      /* their effective durations */
	bool bracket_by_doubling; /* binary searches: the upper side was found by doubling from config.first */
};

struct search; /* opaque */

/* NULL with error set: ERROR_PLAN if the configuration is not valid, ERROR_INTERNAL when out of memory. */
struct search *search_create(const struct search_config *config, struct error *error);
void search_free(struct search *search); /* NULL is allowed */

/* Another search that has seen the same and goes on by itself: to try out what would follow from an outcome. NULL: out
 * of memory. */
struct search *search_copy(const struct search *search);

/* True, with *request set, while a trial is wanted. The answer is the same until the next search_observe(). */
bool search_next(const struct search *search, struct search_request *request);

/* Takes the outcome of the trial that search_next() named; ignored after the end. 0, or ERROR_INTERNAL when out of
 * memory, and then the trial was not taken. */
int search_observe(struct search *search, const struct search_observation *observation);

struct search_result search_result(const struct search *search);

/* Expected number of trials, counted from search_create(), to estimate the time left. Binary searches and descents
 * never exceed it; for MLRsearch it is a guess, because the number depends on noise. */
unsigned search_trials_estimate(const struct search *search);

/* One text for each end: "found", "no upper bound: ...". */
const char *search_end_text(enum search_end end);

#endif
