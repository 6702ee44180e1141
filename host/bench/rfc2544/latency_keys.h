/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the latency benchmark only. */
#ifndef FPGAUGE_BENCH_RFC2544_LATENCY_KEYS_H
#define FPGAUGE_BENCH_RFC2544_LATENCY_KEYS_H

#include "host/plan/plan_keys.h"

/* The settings in a plan for this benchmark only. RFC 2544 section 26.2: a stream of 120 s, a tag after 60 s, 20
 * times. */
struct latency_settings {
	uint64_t trial_duration_ns;
	uint64_t tag_after_ns; /* less than trial_duration_ns; default half of it */
	unsigned repetitions;
	bool to_new_network; /* so many streams more, of which the tagged frame goes to a new network */
	bool has_load;
	struct quantity load; /* replaces the throughput; percent of line rate, or frames per second */
};

extern const struct key_slice LATENCY_KEYS;

static inline const struct latency_settings *latency_settings(const struct plan_test *test)
{
	return test->settings;
}

/* Functions for struct plan_benchmark and struct benchmark. */
int latency_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
int latency_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);

#endif
