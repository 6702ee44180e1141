/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the system_recovery benchmark only. */
#ifndef FPGAUGE_BENCH_RFC2544_SYSTEM_RECOVERY_KEYS_H
#define FPGAUGE_BENCH_RFC2544_SYSTEM_RECOVERY_KEYS_H

#include "host/plan/plan_keys.h"

/* Settings that a plan has for this benchmark only. */
struct system_recovery_settings {
	uint64_t overload_duration_ns; /* time at 110% of the throughput (RFC 2544 26.5: at least 60 s) */
	uint64_t recovery_duration_ns; /* time at half of that rate */
	unsigned repetitions;
};

extern const struct key_slice SYSTEM_RECOVERY_KEYS;

static inline const struct system_recovery_settings *system_recovery_settings(const struct plan_test *test)
{
	return test->settings;
}

#endif
