/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that the tests of an address table share, and their checks. */
#include "host/bench/rfc2889/learning_keys.h"

#include <inttypes.h>

#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct learning_settings

const char *const ADDRESS_ORDER_NAMES[] = {
        [ADDRESSES_SEQUENTIAL] = "sequential", [ADDRESSES_SCATTERED] = "scattered", NULL};

static const struct plan_key KEYS[] = {
        {.name = "ageing",
         .value = TIME(ageing_ns),
         .ranges = {{"100us", "1000000s"}},
         .default_text = "300s",
         .doc = "The ageing time for which the device is configured (RFC 2889 section 5.7.3: it must be known, and be "
                "longer than the learning takes). So long each iteration waits, until all addresses are forgotten: "
                "configure the device for a short one."},
        {.name = "measure_ageing",
         .value = BOOL(measure_ageing),
         .default_text = "true",
         .doc = "First measure the ageing time, up to twice that, and wait as long as was measured. It takes two to "
                "three times `ageing`. With false, `ageing` is believed."},
        {.name = "test_rate",
         .value = WHOLE(test_fps),
         .ranges = {{"1", "1G"}},
         .unit = "frames a second",
         .default_text = "10k",
         .doc = "At which rate the test port sends a frame to each address, to see whether it was learned."},
        {.name = "address_order",
         .value = CHOICE(order),
         .choices = ADDRESS_ORDER_NAMES,
         .default_text = "sequential",
         .doc = "How addresses follow one another: one by one, or scattered over 2^24 of them, by `traffic.seed`. "
                "Another order, or seed, gives a device that hashes addresses another mapping (RFC 2889 section 3)."},
};
const struct key_slice LEARNING_KEYS = {OWN_SLICE(KEYS)};

const struct plan_pattern LEARNING_PATTERN = {
        .pattern = TRAFFIC_PAIRS, .clause = "RFC 2889 section 5.7.3", .least_ports = LEARNING_LEAST_PORTS};

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_S;
}

double learning_takes_s(const struct plan_test *test, uint64_t addresses, uint64_t learning_fps)
{
	return (double)addresses / (double)learning_fps +
	       (double)addresses / (double)learning_settings(test)->test_fps +
	       2 * seconds(test->drain_ns + test->settle_ns);
}

static int refuse_shape(const struct plan_test *test, const struct node *group, struct error *error)
{
	const struct traffic_shape *shape = &test->shape;

	if (shape->routed)
		return plan_complain(error, node_child(group, "test"), "test",
		                     "must not be \"%s\" with traffic.routed: a router has no table of the addresses "
		                     "that it sees (RFC 2889 section 1)",
		                     plan_test_name(test));
	if (shape->addresses != 1)
		return plan_complain(error, node_child(group, "test"), "test",
		                     "must not be \"%s\" with traffic.addresses = %u: the test itself says how many "
		                     "addresses there are (RFC 2889 section 5.7.3)",
		                     plan_test_name(test), shape->addresses);
	return 0;
}

static void take_smallest(struct plan_test *test)
{
	for (size_t i = 1; i < test->frame_size_count; i++)
		if (test->frame_sizes[i] < test->frame_sizes[0])
			test->frame_sizes[0] = test->frame_sizes[i];
	test->frame_size_count = 1;
}

int learning_finish(const struct plan *plan, struct plan_test *test, const struct node *group, const char *key,
                    uint64_t addresses, uint64_t learning_fps, struct error *error)
{
	const struct learning_settings *settings = learning_settings(test);
	const struct node *set = node_child(group, key);
	const double takes_s = learning_takes_s(test, addresses, learning_fps);

	if (rfc2889_refuse_program(plan, test, group, error) || refuse_shape(test, group, error))
		return error->code;
	if (takes_s >= seconds(settings->ageing_ns))
		return plan_complain(error, set ? set : node_child(group, "test"), set ? key : "test",
		                     "%" PRIu64 " addresses at %" PRIu64 " a second, then at test_rate, with drain and "
		                     "settle twice, take up to %.6g s, but ageing = %.6g s: must be longer (RFC 2889 "
		                     "section 5.7.3)",
		                     addresses, learning_fps, takes_s, seconds(settings->ageing_ns));
	if (!node_child(group, "frame_sizes"))
		take_smallest(test);
	return 0;
}

int learning_check_rate(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, const char *key,
                        uint64_t fps, struct error *error)
{
	const struct rate line = plan_max_rate(test, frame_octets, link_bps);

	if ((double)fps <= rate_fps(line))
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "%s = %" PRIu64 ": must be at most line rate, %.0f frames a second of %u octets", key, fps,
	                 rate_fps(line), frame_octets);
}

int learning_ports(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	struct traffic_shape shape = test->shape;
	const unsigned ports = traffic->ports;

	shape.frame_octets = traffic->port[LEARNING_PORT].frame_octets;
	traffic_free(traffic);
	return learning_traffic(&shape, ports, LEARNING_ASK, 1, ADDRESSES_SEQUENTIAL, traffic, error);
}
