/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the address caching benchmark, RFC 2889 section 5.7, their checks, and how long it takes. */
#include "host/bench/rfc2889/address_caching_keys.h"

#include "host/bench/rfc2889/learning_extent.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct address_caching_settings

static const struct plan_key KEYS[] = {
        {.name = "learning_rate",
         .value = WHOLE(learning_fps),
         .ranges = {{"1", "1G"}},
         .unit = "frames a second",
         .default_text = "1000",
         .doc = "At which rate new addresses are offered (RFC 2889 section 5.7.2: it may have to be as low as 50 a "
                "second)."},
        {.name = "initial_addresses",
         .value = COUNT(initial_addresses),
         .ranges = {{"1", "1048576"}},
         .unit = "addresses",
         .default_text = "1024",
         .doc = "With how many addresses the search begins (section 5.7.2). It doubles them until an iteration fails."},
        {.name = "max_addresses",
         .value = COUNT(max_addresses),
         .ranges = {{"1", "1048576"}},
         .unit = "addresses",
         .default_text = "65536",
         .doc = "Up to how many addresses the search goes; the test port has one more."},
};
const struct key_slice ADDRESS_CACHING_KEYS = {OWN_SLICE(KEYS)};

int address_caching_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error)
{
	const struct address_caching_settings *settings = test->settings;
	const struct node *initial = node_child(group, "initial_addresses");

	if (settings->initial_addresses > settings->max_addresses)
		return plan_complain(
		        error, initial ? initial : node_child(group, "max_addresses"),
		        initial ? "initial_addresses" : "max_addresses",
		        "initial_addresses = %u: must be at most max_addresses = %u (RFC 2889 section 5.7.2)",
		        settings->initial_addresses, settings->max_addresses);
	return learning_finish(plan, test, group, "max_addresses", settings->max_addresses, settings->learning_fps,
	                       error);
}

int address_caching_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	const struct address_caching_settings *settings = test->settings;
	const int status =
	        learning_check_rate(test, frame_octets, link_bps, "learning_rate", settings->learning_fps, error);

	return status ? status
	              : learning_check_rate(test, frame_octets, link_bps, "test_rate", settings->learning.test_fps,
	                                    error);
}

static double sending_s(const struct plan_test *test, unsigned addresses)
{
	return (double)addresses / (double)address_caching_settings(test)->learning_fps;
}

double address_caching_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return learning_longest_s(test, sending_s(test, address_caching_settings(test)->max_addresses));
}

struct extent address_caching_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct address_caching_settings *settings = test->settings;

	(void)frame_octets;
	(void)link_bps;
	return learning_extent(test, &(struct learning_search){
	                                     settings->initial_addresses, settings->max_addresses, sending_s(test, 1),
	                                     sending_s(test, settings->max_addresses), settings->max_addresses});
}

void address_caching_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	(void)link_bps;
	shorter_add(settings, "ageing", shorter_time_s(extent_seconds(learning_settings(test)->ageing_ns), factor));
}
