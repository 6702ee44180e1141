/* SPDX-License-Identifier: Apache-2.0 */
/* Searches as pure steppers over an integer grid: search_next() names the point it wants, search_observe() takes what
 * came of it. No clock, no device, no file. The grid means whatever the caller likes: a load, a burst length.
 *
 * Binary Search and Binary Search with Loss Verification: ETSI GS NFV-TST 009 12.3.2 and 12.3.3 (RFC 9004 6.2). */
#ifndef FPGAUGE_SEARCH_SEARCH_H
#define FPGAUGE_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

struct search_config {
	uint64_t low;         /* first grid point, index 0 */
	uint64_t high;        /* last grid point; high - low is a multiple of step or the last step is shorter */
	uint64_t step;        /* > 0 */
	uint64_t goal_frames; /* a trial with at most this loss passes */
	unsigned max_trials;  /* at one point; 1 is plain Binary Search */
	uint64_t z_frames;    /* a loss of at least this needs no second look (loss verification) */
	uint64_t first;       /* 0: begin at high, as TST 009 does. Else begin here and double until a point fails */
};

struct search {
	struct search_config config;
	/* private */
	uint64_t last_index;
	uint64_t current;
	int64_t lower;  /* index of the largest point that passed, -1 none */
	uint64_t upper; /* index of the smallest point that failed, last_index + 1 none */
	unsigned trials_here;
	unsigned trials;
	bool bracketing;
	bool done;
};

struct search_result {
	bool has_lower, has_upper; /* no lower: even low fails; no upper: high passes */
	uint64_t lower, upper;     /* grid points */
	unsigned trials;
	bool bracket_by_doubling; /* the upper side was found by doubling from config.first */
};

/* Returns 0, or -1 when the configuration makes no grid (step 0, high < low, max_trials 0, first outside). */
int search_begin(struct search *search, const struct search_config *config);

/* True with *point set while a trial is wanted. */
bool search_next(const struct search *search, uint64_t *point);

/* Where z is a ratio of the frames offered it differs from point to point: set it before observing (loss verification).
 */
void search_set_z(struct search *search, uint64_t z_frames);

/* The loss seen at the point that search_next() named. An invalid trial is never observed: it is repeated. */
void search_observe(struct search *search, uint64_t lost_frames);

/* No more trials than this in all, counted from search_begin(); for estimates of time left. */
unsigned search_trials_bound(const struct search *search);

struct search_result search_result(const struct search *search);

#endif
