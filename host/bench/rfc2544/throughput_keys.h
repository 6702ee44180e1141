/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the throughput benchmark only. */
#ifndef FPGAUGE_BENCH_RFC2544_THROUGHPUT_KEYS_H
#define FPGAUGE_BENCH_RFC2544_THROUGHPUT_KEYS_H

#include "host/plan/plan_keys.h"

/* Settings that a plan has for this benchmark only. */
struct throughput_settings {
	uint64_t trial_duration_ns;        /* trials of the final determination (RFC 2544 section 24: 60 s) */
	uint64_t search_trial_duration_ns; /* while searching; default trial_duration */
	struct quantity resolution;        /* percent of line rate, or frames per second */
};

extern const struct key_slice THROUGHPUT_KEYS;

static inline const struct throughput_settings *throughput_settings(const struct plan_test *test)
{
	return test->settings;
}

#endif
