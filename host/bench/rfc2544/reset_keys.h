/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the reset benchmark only. */
#ifndef FPGAUGE_BENCH_RFC2544_RESET_KEYS_H
#define FPGAUGE_BENCH_RFC2544_RESET_KEYS_H

#include "host/plan/plan_keys.h"

/* RFC 6201 section 4. */
enum reset_kind { RESET_HARDWARE, RESET_SOFTWARE, RESET_POWER };

extern const char *const RESET_KIND_NAMES[]; /* ends with NULL */

/* The settings in a plan for this benchmark only. */
struct reset_settings {
	unsigned kind;        /* enum reset_kind */
	const char **command; /* program and arguments, ends with NULL; NULL: the simulated device's own reset */
	uint64_t before_ns;   /* forwarding before the reset (RFC 6201 section 4: at least 15 s) */
	uint64_t after_ns;    /* longest wait for the device to come back */
	unsigned repetitions;
};

extern const struct key_slice RESET_KEYS;

static inline const struct reset_settings *reset_settings(const struct plan_test *test)
{
	return test->settings;
}

#endif
