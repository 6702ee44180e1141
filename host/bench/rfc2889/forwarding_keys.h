/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the tests of forwarding. */
#ifndef FPGAUGE_BENCH_RFC2889_FORWARDING_KEYS_H
#define FPGAUGE_BENCH_RFC2889_FORWARDING_KEYS_H

#include "host/bench/rfc2889/rfc2889_common.h"

struct forwarding_settings {
	struct rfc2889_settings common;
	uint64_t search_trial_duration_ns;
	struct quantity resolution;    /* resolution of the throughput */
	struct quantity intended_load; /* load at which the forwarding rate is reported; 0: none */
	struct quantity step;          /* step from one load to the next, above the throughput */
	bool frame_based;              /* appendix B.1; else time-based, B.2 */
	unsigned burst_frames;         /* 1: constant load */
};

static inline const struct forwarding_settings *forwarding_settings(const struct plan_test *test)
{
	return test->settings;
}

/* Keys of every one of these tests; of those with an intended load, and with bursts; the step, with its default in
 * each. */
extern const struct key_slice FORWARDING_KEYS, FORWARDING_LOAD_KEYS, FORWARDING_BURST_KEYS, FORWARDING_STEP_KEYS,
        FORWARDING_FINE_STEP_KEYS;

#endif
