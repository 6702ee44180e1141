/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the learning rate benchmark, RFC 2889 section 5.8, their checks, and how long it takes. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_RATE_KEYS_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_RATE_KEYS_H

#include "host/bench/extent.h"
#include "host/bench/rfc2889/learning_keys.h"
#include "host/bench/shorter.h"

struct learning_rate_settings {
	struct learning_settings learning;
	unsigned addresses;
	uint64_t initial_fps, min_fps, max_fps, step_fps;
};

extern const struct key_slice LEARNING_RATE_KEYS;

static inline const struct learning_rate_settings *learning_rate_settings(const struct plan_test *test)
{
	return test->settings;
}

/* Functions for struct benchmark. */
int learning_rate_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                         struct error *error);
int learning_rate_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent learning_rate_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double learning_rate_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void learning_rate_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
