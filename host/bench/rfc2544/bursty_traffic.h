/* SPDX-License-Identifier: Apache-2.0 */
/* Bursty traffic in five files: bursty_traffic_keys.c has its keys in a plan; bursty_traffic_extent.c tells before the
 * first trial how long it may take; burst_gaps.c has the arithmetic of bursts and gaps; bursty_traffic.c runs it;
 * bursty_traffic_description.c describes what it reports. */
#ifndef FPGAUGE_BENCH_RFC2544_BURSTY_TRAFFIC_H
#define FPGAUGE_BENCH_RFC2544_BURSTY_TRAFFIC_H

#include "host/bench/benchmark.h"
#include "host/bench/rfc2544/bursty_traffic_keys.h"

extern const struct benchmark BURSTY_TRAFFIC;
extern const struct result_description BURSTY_TRAFFIC_RESULTS;

/* Functions for struct plan_benchmark and struct benchmark. */
int bursty_traffic_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                          struct error *error);
struct extent bursty_traffic_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double bursty_traffic_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void bursty_traffic_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
