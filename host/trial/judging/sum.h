/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the counters of ports up to a trial result. Judges nothing; that is check.h. */
#ifndef FPGAUGE_TRIAL_JUDGING_SUM_H
#define FPGAUGE_TRIAL_JUDGING_SUM_H

#include "host/trial/judging/check.h"

/* The frames expected, of those that the ports sent. */
struct trial_expected {
	uint64_t all[TRIAL_MAX_PORTS];        /* frames that must have arrived at each port */
	uint64_t apart[TRIAL_MAX_PORTS];      /* part of `all` that is counted apart */
	uint64_t apart_sent[TRIAL_MAX_PORTS]; /* frames that each port sent and that are counted apart */
	uint64_t at_tag[TRIAL_MAX_PORTS];     /* none of the above: frames of rules at tags that must have arrived */
};

/* Fills everything in *result except valid, why_invalid, ports and intended_fps. If counters are impossible the sums
 * are meaningless too, but defined. */
void trial_sum(const struct trial_request *request, const struct pacing *pacing, uint64_t link_bps,
               const struct trial_counters *counters, const struct trial_expected *expected,
               struct trial_result *result);

/* The test frames among the frames that a port sent. Saturates at 0. */
uint64_t trial_test_frames(const struct trial_counters *counters, unsigned port);

/* Test frames of this trial that came back, each counted once. Saturates at 0. */
uint64_t trial_distinct_received(uint64_t received, uint64_t duplicated, uint64_t late);

/* Turns what a device counted of latencies into statistics; the sum has 128 bits. */
struct latency_stats trial_latency(uint64_t frames, uint64_t min_ot, uint64_t max_ot, uint64_t sum, uint64_t sum_high);

/* Latencies of more frames, to those of some. */
void trial_add_latency(struct latency_stats *sum, const struct latency_stats *latency);

/* Subtracts an offset; none becomes less than 0. */
void trial_shift_latency(struct latency_stats *latency, uint64_t offset_ot);

/* Subtracts an offset from the latencies of each receiving port and sums them up again. None becomes less than 0. */
void trial_subtract_latency(struct trial_result *result, const uint64_t offset_ot[TRIAL_MAX_PORTS]);

#endif
