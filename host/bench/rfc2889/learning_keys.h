/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that the tests of an address table share, RFC 2889 sections 5.7 and 5.8. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_KEYS_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_KEYS_H

#include "host/bench/rfc2889/learning_traffic.h"
#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_keys.h"

/* The first member of the settings of each test. */
struct learning_settings {
	uint64_t ageing_ns;
	bool measure_ageing;
	uint64_t test_fps; /* frames of the test port */
	unsigned order;    /* enum address_order */
};

extern const struct key_slice LEARNING_KEYS;
extern const char *const ADDRESS_ORDER_NAMES[];

static inline const struct learning_settings *learning_settings(const struct plan_test *test)
{
	return test->settings;
}

/* The longest time from the first frame that teaches an address to the last one that asks for one. */
double learning_takes_s(const struct plan_test *test, uint64_t addresses, uint64_t learning_fps);

/* Refuses, for finish(), what the tests cannot do, and a learning phase that lasts longer than the ageing time (5.7.3).
 * key: what makes it long. The test takes the shortest frames only, unless the plan says which. */
int learning_finish(const struct plan *plan, struct plan_test *test, const struct node *group, const char *key,
                    uint64_t addresses, uint64_t learning_fps, struct error *error);

/* Refuses a rate above line rate, for check(). */
int learning_check_rate(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, const char *key,
                        uint64_t fps, struct error *error);

/* Function and pattern for struct benchmark. */
int learning_ports(const struct plan_test *test, struct traffic *traffic, struct error *error);
extern const struct plan_pattern LEARNING_PATTERN;

#endif
