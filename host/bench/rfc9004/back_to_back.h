/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 9004 in four files: back_to_back.c measures, back_to_back_result.c calculates and reports, self_check.c says what
 * the numbers cannot show; back_to_back_extent.c tells before the first trial how long it may take. */
#ifndef FPGAUGE_BENCH_RFC9004_BACK_TO_BACK_H
#define FPGAUGE_BENCH_RFC9004_BACK_TO_BACK_H

#include "host/bench/result.h"
#include "host/bench/rfc9004/back_to_back_keys.h"

extern const struct benchmark BACK_TO_BACK;
extern const struct result_description BACK_TO_BACK_RESULTS;

/* The knowledge about the rate at which the DUT empties its buffer. */
struct prerequisite {
	json_t *result;        /* the throughput result, borrowed; NULL when the forwarding rate stands in */
	bool is_at_least;      /* there is one, but no load above it was tried: it is not used */
	double throughput_fps; /* NAN while unknown */
	double resolution_fps;
	double trial_duration_s; /* length of the final determination; NAN without one */
};

enum { GAP_COUNTS = 65 };

struct burst_measurements {
	/* the grid: low, high = longest burst, step; config.first = where doubling begins */
	struct search_config config;
	uint64_t *values; /* one per finished search */
	unsigned count;
	double apart_frames; /* the most between a burst that passed and one that failed, if other bursts were offered
	                      */
	bool at_limit, below_grid; /* a value is at or near the longest burst; no burst was short enough */
	bool by_doubling;
	struct gap_stats gaps;           /* gaps of all valid bursts */
	uint64_t gap_counts[GAP_COUNTS]; /* counts of these gaps, by octets; the last one is for all longer ones */
	uint64_t bursts_proven, bursts_unproven; /* gaps measured to be as requested; gaps not measured */
	double weighted_rate, weight;            /* forwarding rates, weighted by frames received */
	uint64_t rate_frames;                    /* received in the longest of those trials, per port */
	double latency_buffer_sum;               /* sum over the longest lossless burst of every search */
	unsigned latency_buffer_count;
	struct counter_sums passed, failed; /* the trials that decided the lower and the upper bound */
};

/* RFC 9004 6.2: a result at or near the limit is invalid; near means this percentage of it. */
enum { NEAR_LIMIT_PERCENT = 99 };

/* The forwarding rate seen in the bursts so far, NAN when there is none (RFC 9004 6.4: stands in for throughput). */
double burst_forwarding_fps(const struct burst_measurements *measured);

/* Returns what was asked for, even where a size does not qualify. */
json_t *back_to_back_parameters(const struct session *session, const struct search_config *config);

/* Puts statistics, buffer times and parameters into the result. */
void back_to_back_report(const struct session *session, const struct prerequisite *before,
                         const struct burst_measurements *measured, json_t *result);

/* Works out what a throughput trial hides, and whether the two estimates of the buffer agree; flags both results. */
void self_check(const struct session *session, const struct prerequisite *before,
                const struct burst_measurements *measured, json_t *result);

/* Functions for struct plan_benchmark and struct benchmark. */
int back_to_back_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);
struct extent back_to_back_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
struct effort back_to_back_expected(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                                    double lossy_after_s);
double back_to_back_longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void back_to_back_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
