/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch (RFC 9971): goals, the exact classification of a load, conditional throughput, and results of a search of
 * kind SEARCH_MLRSEARCH. All arithmetic is on integers (ratios in parts per million, durations in nanoseconds, products
 * in 128 bits), so that a tie is a tie on every machine. */
#ifndef FPGAUGE_SEARCH_MLRSEARCH_H
#define FPGAUGE_SEARCH_MLRSEARCH_H

#include "host/search/search.h"

enum { MLRSEARCH_MAX_GOALS = 16, MLRSEARCH_PPM = 1000000 };

/* Search Goal, RFC 9971 4.6.7. */
struct mlrsearch_goal {
	uint32_t loss_ppm;   /* Goal Loss Ratio: a trial is high-loss when it loses more; below 10^6 */
	uint32_t exceed_ppm; /* Goal Exceed Ratio; below 10^6 */
	uint32_t width_ppm;  /* Goal Width, (upper - lower) / upper; above 0, below 10^6 */
	uint64_t final_ns;   /* Goal Final Trial Duration: trials requested to be this long are full-length */
	uint64_t sum_ns;     /* Goal Duration Sum; above 0 */
	uint64_t initial_ns; /* Goal Initial Trial Duration: no trial for this goal is shorter; at most final_ns */
};

struct mlrsearch_config {
	const struct mlrsearch_goal *goals;
	size_t goal_count;   /* 1 to MLRSEARCH_MAX_GOALS */
	uint64_t warm_up_ns; /* one trial at the highest load before all others, outcome ignored; 0: none */
};

/* Presets by name: "rfc2544" (RFC 9971 4.10.2), "tst009" (4.10.3), "ndrpdr" (two goals). Returns the number of goals
 * written to goals (room for MLRSEARCH_MAX_GOALS), 0 if there is no such preset. */
size_t mlrsearch_preset(const char *name, struct mlrsearch_goal *goals);

/* 0, or ERROR_PLAN with a message that names value and limit, but not the place. */
int mlrsearch_check_goal(const struct mlrsearch_goal *goal, struct error *error);

/* Load classes, RFC 9971 6.1. */
enum mlrsearch_class { MLRSEARCH_UNDECIDED, MLRSEARCH_LOWER, MLRSEARCH_UPPER };

/* A trial at some load, as observed. */
struct mlrsearch_trial {
	uint64_t point;
	uint64_t duration_ns; /* intended */
	uint64_t effective_ns;
	uint64_t expected_frames;
	uint64_t lost_frames;
	uint64_t unoffered_frames; /* the part of these that the tester did not offer */
};

/* Sums over all trials at one load, for one goal. */
struct mlrsearch_sums {
	uint64_t full_low_ns, full_high_ns;   /* full-length low-loss and high-loss */
	uint64_t short_low_ns, short_high_ns; /* shorter than final_ns */
};

bool mlrsearch_is_high_loss(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trial);
void mlrsearch_add(const struct mlrsearch_goal *goal, struct mlrsearch_sums *sums, const struct mlrsearch_trial *trial);
enum mlrsearch_class mlrsearch_classify(const struct mlrsearch_goal *goal, const struct mlrsearch_sums *sums);

/* Result of one goal, RFC 9971 4.8.4. Regular: end is SEARCH_FOUND. */
struct mlrsearch_goal_result {
	enum search_end end; /* SEARCH_RUNNING until the goal is settled */
	bool has_lower, has_upper;
	uint64_t lower, upper; /* relevant bounds, grid points */
	/* Conditional throughput (4.8.3) is lower x (expected - lost) / expected of the trial that decides it. */
	uint64_t quantile_lost_frames, quantile_expected_frames;
	struct mlrsearch_sums lower_sums, upper_sums; /* sums that prove the bounds */
};

/* Picks, from all trials of the search, the one that decides the conditional throughput at result->lower, and stores
 * its loss in the result. */
void mlrsearch_quantile(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials, size_t count,
                        struct mlrsearch_goal_result *result);

/* The following are only for a search of kind SEARCH_MLRSEARCH. */
size_t mlrsearch_goal_count(const struct search *search);
const struct mlrsearch_goal *mlrsearch_goal(const struct search *search, size_t goal);
struct mlrsearch_goal_result mlrsearch_result(const struct search *search, size_t goal);

/* The class of a load so far; UNDECIDED if no trial was run there. */
enum mlrsearch_class mlrsearch_class_of(const struct search *search, size_t goal, uint64_t point);

/* True if a load was tried and no trial there loses too much but for frames that were not offered: it then fails by a
 * limit of the tester, not of the device. */
bool mlrsearch_is_tester_limit(const struct search *search, size_t goal, uint64_t point);

/* All trials in the order they were run; valid until the next search_observe(). */
const struct mlrsearch_trial *mlrsearch_trials(const struct search *search, size_t *count);

#endif
