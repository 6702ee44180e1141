/* SPDX-License-Identifier: Apache-2.0 */
/* Frame loss rate in four files: frame_loss_rate_keys.c has its keys in a plan; frame_loss_rate_extent.c tells before
 * the first trial how long it may take; frame_loss_rate.c runs it; frame_loss_rate_description.c describes what it
 * reports. */
#ifndef FPGAUGE_BENCH_RFC2544_FRAME_LOSS_RATE_H
#define FPGAUGE_BENCH_RFC2544_FRAME_LOSS_RATE_H

#include "host/bench/benchmark.h"
#include "host/bench/rfc2544/frame_loss_rate_keys.h"

extern const struct benchmark FRAME_LOSS_RATE;
extern const struct result_description FRAME_LOSS_RATE_RESULTS;

/* Functions for struct benchmark. */
int frame_loss_rate_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent frame_loss_rate_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double frame_loss_rate_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
bool frame_loss_rate_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                                  const struct known_queue *queue, struct needed_trial *needed);
void frame_loss_rate_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
