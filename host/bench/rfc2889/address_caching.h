/* SPDX-License-Identifier: Apache-2.0 */
/* Address caching capacity (RFC 2889 5.7): how many addresses a device knows at the same time. address_caching_keys.c
 * has its keys and what is known before the first trial, address_caching_description.c what it reports. */
#ifndef FPGAUGE_BENCH_RFC2889_ADDRESS_CACHING_H
#define FPGAUGE_BENCH_RFC2889_ADDRESS_CACHING_H

#include "host/bench/benchmark.h"
#include "host/bench/rfc2889/learning_keys.h"

struct address_caching_settings {
	struct learning_settings learning;
	uint64_t learning_fps;
	unsigned initial_addresses, max_addresses;
};

extern const struct key_slice ADDRESS_CACHING_KEYS;
extern const struct result_description ADDRESS_CACHING_RESULTS;
extern const struct benchmark RFC2889_ADDRESS_CACHING;

static inline const struct address_caching_settings *address_caching_settings(const struct plan_test *test)
{
	return test->settings;
}

/* For struct benchmark. */
int address_caching_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error);
int address_caching_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent address_caching_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double address_caching_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
void address_caching_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
