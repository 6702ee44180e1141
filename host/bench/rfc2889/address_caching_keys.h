/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the address caching benchmark, RFC 2889 section 5.7, their checks, and how long it takes. */
#ifndef FPGAUGE_BENCH_RFC2889_ADDRESS_CACHING_KEYS_H
#define FPGAUGE_BENCH_RFC2889_ADDRESS_CACHING_KEYS_H

#include "host/bench/extent.h"
#include "host/bench/rfc2889/learning_keys.h"
#include "host/bench/shorter.h"

struct address_caching_settings {
	struct learning_settings learning;
	uint64_t learning_fps;
	unsigned initial_addresses, max_addresses;
};

extern const struct key_slice ADDRESS_CACHING_KEYS;

static inline const struct address_caching_settings *address_caching_settings(const struct plan_test *test)
{
	return test->settings;
}

/* Functions for struct benchmark. */
int address_caching_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error);
int address_caching_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent address_caching_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double address_caching_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void address_caching_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
