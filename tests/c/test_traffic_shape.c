/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of traffic: names both ways, the default, equality. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/traffic/shape.h"

Test(traffic_shape, names_and_enumerators_belong_to_each_other)
{
	static const char *const PATTERNS[] = {"pairs", "one_to_many",         "many_to_one",
	                                       "mesh",  "unidirectional_mesh", "snake"};
	static const char *const FRAMES[] = {"ipv4_udp",
	                                     "ipv6_udp",
	                                     "ethernet",
	                                     "ipv6_hop_by_hop",
	                                     "ipv6_destination_options",
	                                     "ipv6_routing",
	                                     "ipv6_fragment",
	                                     "ipv6_authentication",
	                                     "ipv6_chain"};
	enum traffic_pattern pattern;
	enum traffic_frame frame;

	for (unsigned i = 0; i <= TRAFFIC_SNAKE; i++) {
		cr_expect_str_eq(TRAFFIC_PATTERN_NAMES[i], PATTERNS[i]);
		cr_expect(traffic_pattern_of(PATTERNS[i], &pattern) && pattern == i, "%s", PATTERNS[i]);
	}
	for (unsigned i = 0; i <= TRAFFIC_IPV6_CHAIN; i++) {
		cr_expect_str_eq(TRAFFIC_FRAME_NAMES[i], FRAMES[i]);
		cr_expect(traffic_frame_of(FRAMES[i], &frame) && frame == i, "%s", FRAMES[i]);
	}
	cr_expect_null(TRAFFIC_PATTERN_NAMES[TRAFFIC_SNAKE + 1]);
	cr_expect_null(TRAFFIC_FRAME_NAMES[TRAFFIC_IPV6_CHAIN + 1]);
}

Test(traffic_shape, a_name_that_does_not_exist_changes_nothing)
{
	static const char *const WRONG[] = {"", "pair", "pairs ", "Pairs", "ipv4"};
	enum traffic_pattern pattern = TRAFFIC_SNAKE;
	enum traffic_frame frame = TRAFFIC_ETHERNET;

	for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
		cr_expect_not(traffic_pattern_of(WRONG[i], &pattern), "%s", WRONG[i]);
		cr_expect_not(traffic_frame_of(WRONG[i], &frame), "%s", WRONG[i]);
	}
	cr_expect_eq(pattern, TRAFFIC_SNAKE);
	cr_expect_eq(frame, TRAFFIC_ETHERNET);
}

Test(traffic_shape, plain_traffic_is_untagged_ipv4_between_pairs_in_both_directions_to_one_address)
{
	struct traffic_shape shape = traffic_shape_plain(64);

	cr_expect_eq(shape.pattern, TRAFFIC_PAIRS);
	cr_expect(shape.bidirectional);
	cr_expect_eq(shape.frame, TRAFFIC_IPV4_UDP);
	cr_expect_eq(shape.vlan, TRAFFIC_NO_VLAN);
	cr_expect_eq(shape.addresses, 1);
	cr_expect_eq(shape.frame_octets, 64);
	cr_expect_eq(shape.sizes.count, 0);
	cr_expect_eq(shape.seed, 1);
}

/* Differs in one member. */
static struct traffic_shape changed(struct traffic_shape shape, unsigned member)
{
	switch (member) {
	case 0:
		shape.pattern = TRAFFIC_MESH;
		break;
	case 1:
		shape.bidirectional = false;
		break;
	case 2:
		shape.frame = TRAFFIC_IPV6_UDP;
		break;
	case 3:
		shape.vlan = 0;
		break;
	case 4:
		shape.addresses = 2;
		break;
	case 5:
		shape.frame_octets = 65;
		break;
	case 6:
		shape.sizes.count = 2;
		break;
	case 7:
		shape.sizes.octets[2] = 64;
		break;
	case 8:
		shape.seed = 2;
		break;
	case 9:
		shape.routed = true;
		break;
	case 10:
		shape.modifiers = traffic_modifier_bit(TRAFFIC_BROADCAST);
		break;
	}
	return shape;
}

Test(traffic_shape, shapes_are_equal_when_nothing_that_counts_differs)
{
	struct traffic_shape one = traffic_shape_plain(0), padded;

	one.sizes = (struct traffic_sizes){3, {64, 570, 1518}};
	memset(&padded, 0xff, sizeof(padded)); /* padding, and entries behind the last */
	padded.pattern = one.pattern;
	padded.bidirectional = one.bidirectional;
	padded.routed = one.routed;
	padded.frame = one.frame;
	padded.vlan = one.vlan;
	padded.addresses = one.addresses;
	padded.frame_octets = one.frame_octets;
	padded.sizes.count = 3;
	memcpy(padded.sizes.octets, one.sizes.octets, 3 * sizeof(one.sizes.octets[0]));
	padded.seed = one.seed;
	padded.modifiers = one.modifiers;
	cr_expect(traffic_shape_equal(&one, &padded));
	for (unsigned member = 0; member <= 10; member++) {
		struct traffic_shape other = changed(one, member);

		cr_expect_not(traffic_shape_equal(&one, &other), "member %u", member);
		cr_expect_not(traffic_shape_equal(&other, &one), "member %u", member);
	}
}
