/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the frame loss rate benchmark only. */
#ifndef FPGAUGE_BENCH_RFC2544_FRAME_LOSS_RATE_KEYS_H
#define FPGAUGE_BENCH_RFC2544_FRAME_LOSS_RATE_KEYS_H

#include "host/plan/plan_keys.h"

/* The settings in a plan for this benchmark only. */
struct frame_loss_rate_settings {
	uint64_t trial_duration_ns; /* RFC 2544 section 24: 60 s */
	struct quantity step;       /* percent of line rate, at most 10 (section 26.3) */
};

extern const struct key_slice FRAME_LOSS_RATE_KEYS;

static inline const struct frame_loss_rate_settings *frame_loss_rate_settings(const struct plan_test *test)
{
	return test->settings;
}

#endif
