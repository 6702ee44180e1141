/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the back_to_back benchmark only. */
#ifndef FPGAUGE_BENCH_RFC9004_BACK_TO_BACK_KEYS_H
#define FPGAUGE_BENCH_RFC9004_BACK_TO_BACK_KEYS_H

#include "host/plan/plan_keys.h"

/* The settings in a plan for this benchmark only. */
struct back_to_back_settings {
	unsigned repetitions;        /* N (RFC 9004 6.3) */
	struct quantity resolution;  /* frames: the step */
	struct quantity max_burst;   /* time or frames; default 30 s (RFC 9004 6.2) */
	uint64_t first_burst_frames; /* start of doubling; 0: begin at max_burst */
	bool test_all_sizes;         /* test sizes that reach line rate too, and mark them invalid */
	bool has_actual_rate;
	struct quantity actual_rate; /* frames per second, or percent of line rate (RFC 9004 section 7) */
};

extern const struct key_slice BACK_TO_BACK_KEYS;

static inline const struct back_to_back_settings *back_to_back_settings(const struct plan_test *test)
{
	return test->settings;
}

#endif
