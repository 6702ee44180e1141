/* SPDX-License-Identifier: Apache-2.0 */
/* Latency in five files: latency_keys.c has its keys in a plan; latency_extent.c tells before the first trial how long
 * it may take; latency.c runs the streams; latency_report.c reports what they measured; latency_description.c describes
 * the report. */
#ifndef FPGAUGE_BENCH_RFC2544_LATENCY_H
#define FPGAUGE_BENCH_RFC2544_LATENCY_H

#include <jansson.h>

#include "host/bench/benchmark.h"
#include "host/bench/latency_spread.h"
#include "host/bench/result.h"
#include "host/bench/rfc2544/latency_keys.h"

extern const struct benchmark LATENCY;
extern const struct result_description LATENCY_RESULTS;

/* The load of the streams. */
struct stream_load {
	bool known;
	struct rate load;    /* frames a second, a sending port */
	const char *source;  /* "throughput" or "plan" */
	bool to_new_network; /* the tagged frame of the stream that is sent goes to a new network */
};

/* The destination of the tagged frame. */
enum tag_destination { TAG_SAME, TAG_NEW_NETWORK, TAG_DESTINATIONS };

/* The measurements so far of the tagged frames to one of them. */
struct latency_tags {
	unsigned count;     /* streams */
	json_t *tags;       /* rows of the result: every tagged frame */
	json_t *values;     /* tagged_latency_ns of the result */
	double *tagged_ns;  /* known latencies of the tagged frames */
	unsigned tagged;    /* how many they are */
	struct rate sum_ot; /* sum of the known latencies, in octet times */
};

/* The measurements of the streams so far. */
struct latency_measurements {
	struct latency_tags to[TAG_DESTINATIONS];
	unsigned lossy; /* streams */
	/* Latency of every frame of the streams whose tag goes to the same destination as all others. */
	struct latency_stats all;
	struct latency_spread spread;
	struct counter_sums sums; /* sums over all streams */
};

void latency_note(const struct session *session, const struct trial_result *trial, enum tag_destination destination,
                  struct latency_measurements *measured);
void latency_report(const struct session *session, const struct stream_load *load,
                    const struct latency_measurements *measured, json_t *result);

/* Functions for struct benchmark. */
struct extent latency_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double latency_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
bool latency_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                          const struct known_queue *queue, struct needed_trial *needed);
void latency_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
