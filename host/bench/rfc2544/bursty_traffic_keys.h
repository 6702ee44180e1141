/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the bursty traffic benchmark only. */
#ifndef FPGAUGE_BENCH_RFC2544_BURSTY_TRAFFIC_KEYS_H
#define FPGAUGE_BENCH_RFC2544_BURSTY_TRAFFIC_KEYS_H

#include "host/plan/plan_keys.h"

/* The settings in a plan for this benchmark only. */
struct bursty_traffic_settings {
	struct plan_counts bursts;  /* frames of a burst, one search each (RFC 2544 section 21) */
	uint64_t trial_duration_ns; /* RFC 2544 section 24: 60 s */
	uint64_t search_trial_duration_ns;
	struct quantity
	        max_gap; /* time or octets; 0 / 1: as long as the average load is not below LEAST_LOAD_PERCENT */
	struct quantity resolution; /* percent of the time of a burst at line rate, or octets */
};

extern const struct key_slice BURSTY_TRAFFIC_KEYS;

static inline const struct bursty_traffic_settings *bursty_traffic_settings(const struct plan_test *test)
{
	return test->settings;
}

#endif
