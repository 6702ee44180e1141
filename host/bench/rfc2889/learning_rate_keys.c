/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the learning rate benchmark, RFC 2889 section 5.8, their checks, and how long it takes. */
#include "host/bench/rfc2889/learning_rate_keys.h"

#include <inttypes.h>

#include "host/bench/rfc2889/learning_extent.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct learning_rate_settings

#define RATE(key, member, value_by_default, text)                                                                      \
	{                                                                                                              \
		.name = key, .value = WHOLE(member), .ranges = {{"1", "1G"}}, .unit = "frames a second",               \
		.default_text = value_by_default, .doc = text                                                          \
	}

static const struct plan_key KEYS[] = {
        {.name = "addresses",
         .value = COUNT(addresses),
         .ranges = {{"1", "1048576"}},
         .unit = "addresses",
         .default_text = "1000",
         .doc = "How many addresses must be learned, the same in each iteration (RFC 2889 section 5.8.2): best as many "
                "as the capacity that rfc2889.address_caching finds, less that of the test port."},
        RATE("initial_rate", initial_fps, "1000",
             "With which rate the search begins (section 5.8.2). It doubles the rate until an iteration fails."),
        RATE("min_rate", min_fps, "50", "The lowest rate of the search (section 3: as low as 50 a second, or less)."),
        RATE("max_rate", max_fps, "1M", "The highest rate of the search."),
        RATE("rate_step", step_fps, "10",
             "Rates are min_rate and as many steps more; the result is exact to one step."),
};
const struct key_slice LEARNING_RATE_KEYS = {OWN_SLICE(KEYS)};

int learning_rate_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const struct learning_rate_settings *settings = test->settings;
	const struct node *initial = node_child(group, "initial_rate"), *most = node_child(group, "max_rate");

	if (settings->min_fps > settings->max_fps)
		return plan_complain(error, most ? most : node_child(group, "min_rate"), most ? "max_rate" : "min_rate",
		                     "min_rate = %" PRIu64 ": must be at most max_rate = %" PRIu64, settings->min_fps,
		                     settings->max_fps);
	if (settings->initial_fps < settings->min_fps || settings->initial_fps > settings->max_fps)
		return plan_complain(error, initial ? initial : node_child(group, "test"),
		                     initial ? "initial_rate" : "test",
		                     "initial_rate = %" PRIu64 ": must be min_rate = %" PRIu64 " to max_rate = %" PRIu64
		                     " (RFC 2889 section 5.8.2)",
		                     settings->initial_fps, settings->min_fps, settings->max_fps);
	return learning_finish(plan, test, group, "addresses", settings->addresses, settings->min_fps, error);
}

int learning_rate_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	const struct learning_rate_settings *settings = test->settings;
	const int status = learning_check_rate(test, frame_octets, link_bps, "max_rate", settings->max_fps, error);

	return status ? status
	              : learning_check_rate(test, frame_octets, link_bps, "test_rate", settings->learning.test_fps,
	                                    error);
}

static double sending_s(const struct plan_test *test, uint64_t learning_fps)
{
	return (double)learning_rate_settings(test)->addresses / (double)learning_fps;
}

double learning_rate_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return learning_longest_s(test, sending_s(test, learning_rate_settings(test)->min_fps));
}

struct extent learning_rate_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct learning_rate_settings *settings = test->settings;
	const double step = (double)settings->step_fps;

	(void)frame_octets;
	(void)link_bps;
	return learning_extent(test,
	                       &(struct learning_search){(double)(settings->initial_fps - settings->min_fps) / step + 1,
	                                                 (double)(settings->max_fps - settings->min_fps) / step + 1,
	                                                 sending_s(test, settings->max_fps),
	                                                 sending_s(test, settings->min_fps), settings->addresses});
}

void learning_rate_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	(void)link_bps;
	shorter_add(settings, "ageing", shorter_time_s(extent_seconds(learning_settings(test)->ageing_ns), factor));
}
