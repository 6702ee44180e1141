/* SPDX-License-Identifier: Apache-2.0 */
/* Modifiers that a plan names: their texts, and what traffic with them is. */
#include <string.h>

#include "host/traffic/learning.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/test_host.h"
#include "tests/c/traffic_walk.h"
#include "tests/seed.h"

static const uint32_t BROADCAST = UINT32_C(1) << TRAFFIC_BROADCAST, RANDOM = UINT32_C(1) << TRAFFIC_RANDOM_DESTINATIONS;
static struct traffic traffic;
static struct error error;

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(traffic_modifiers, .fini = tear_down);

static void build_with(uint32_t modifiers, bool routed, enum traffic_frame frame, unsigned ports)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.modifiers = modifiers;
	shape.routed = routed;
	shape.frame = frame;
	traffic_free(&traffic);
	build(&traffic, &shape, ports);
}

static unsigned draw(unsigned count)
{
	static uint64_t state;

	if (state == 0)
		state = test_seed() | 1;
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((state >> 32) % count);
}

Test(traffic_modifiers, every_set_has_a_text_of_its_own_that_reads_back)
{
	char text[TRAFFIC_MODIFIERS_TEXT];
	uint32_t back;

	for (uint32_t set = 1; set < 128; set++) {
		traffic_modifiers_text(set, text, sizeof(text));
		cr_assert(traffic_modifiers_parse(text, &back), "%s", text);
		cr_expect_eq(back, set);
	}
	cr_expect_str_eq(traffic_modifiers_text(0, text, sizeof(text)), "");
	cr_expect_str_eq(traffic_modifiers_text(BROADCAST | RANDOM, text, sizeof(text)),
	                 "broadcast+random_destinations");
	cr_expect_str_eq(traffic_modifiers_text(127, text, sizeof(text)),
	                 "broadcast+random_destinations+management+routing+filters_1+filters_25+filter_check");
	for (const char *const *wrong =
	             (const char *const[]){"", "random_destinations+broadcast", "broadcast+", "filters",
	                                   "filters_25+filters_1", "routing+management", "broadcast+broadcast", NULL};
	     *wrong; wrong++)
		cr_expect_not(traffic_modifiers_parse(*wrong, &back), "%s", *wrong);
}

/* Counted by walking the frames one by one. */
Test(traffic_modifiers, of_any_number_of_frames_every_hundredth_is_broadcast_and_counted_apart)
{
	for (unsigned round = 0; round < 20; round++) {
		const unsigned ports = 2 * (1 + draw(3));
		const bool routed = draw(2);
		uint64_t offered[TRAFFIC_MAX_PORTS] = {0}, sent[TRAFFIC_MAX_PORTS], expected[TRAFFIC_MAX_PORTS];
		uint64_t all = 0;

		build_with(draw(2) ? BROADCAST : BROADCAST | RANDOM, routed, TRAFFIC_IPV4_UDP, ports);
		for (unsigned port = 0; port < ports; port++)
			offered[port] = draw(3) ? draw(5000) : 100 * draw(50);
		traffic_expected_apart(&traffic, offered, sent, expected);
		for (unsigned port = 0; port < ports; port++) {
			struct walk walk = {.port = &traffic.port[port]};
			uint64_t broadcasts = 0;

			for (uint64_t i = 1; i <= offered[port]; i++) {
				const struct traffic_flow *flow = &walk.port->flow[walk_next(&walk).flow];
				const bool is = memcmp(flow->packet.octets, "\xff\xff\xff\xff\xff\xff", 6) == 0;

				cr_assert_eq(is, i % 100 == 0);
				cr_assert_eq(flow->apart, is);
				broadcasts += is;
			}
			cr_expect_eq(sent[port], broadcasts);
			all += broadcasts;
		}
		for (unsigned port = 0; port < ports; port++)
			cr_expect_eq(expected[port], routed ? 0 : all - sent[port], "a router forwards none");
	}
}

Test(traffic_modifiers, random_destinations_are_256_addresses_all_of_which_are_learned_where_they_are)
{
	struct traffic_learning learning;

	build_with(RANDOM | BROADCAST, false, TRAFFIC_ETHERNET, 4);
	for (unsigned port = 0; port < 4; port++) {
		const struct traffic_flow *flow = &traffic.port[port].flow[0];

		cr_expect(flow->field[0].drawn);
		cr_expect(flow->field[0].octet + 3 == 5 && flow->field[0].mask == 0xFF && flow->field[0].count == 256);
		cr_expect_eq(walk_destination(flow), port ^ 1);
		cr_expect_eq(flow->packet.octets[4], 0);
		cr_expect_eq(flow->packet.octets[5], 0);
	}
	cr_assert_eq(traffic_learning(&traffic, &learning, &error), 0, "%s", error.text);
	cr_expect_eq(learning.frames, 256);
	cr_expect_eq(learning.when, TRAFFIC_LEARN_EACH_TIME, "most of them never send");
	for (unsigned port = 0; port < 4; port++) {
		const struct traffic_flow *flow = &learning.traffic.port[port].flow[0];

		cr_assert_eq(learning.traffic.port[port].flows, 1);
		cr_expect(!flow->field[0].drawn && flow->field[0].octet + 3 == 11 && flow->field[0].count == 256 &&
		          flow->field[0].step == 1);
		cr_expect_eq(flow->packet.octets[9], port);
	}
	traffic_learning_free(&learning);
}

/* The networks of all ports, as prefixes, and no host of a port is in one. */
Test(traffic_modifiers, random_destinations_through_a_router_are_in_256_networks_of_each_port)
{
	static bool taken[2][4096]; /* 198.18.0.0/16 and 198.19.0.0/16 in /28 */

	for (unsigned port = 0; port < 16; port++) {
		const struct test_host beyond = test_host_beyond(port);

		for (unsigned n = 0; n < 256; n++) {
			const unsigned address = ((unsigned)beyond.ipv4[2] << 8 | beyond.ipv4[3]) | n << 4,
			               network = address >> 4;

			cr_assert_eq(beyond.ipv4[1], 18 + port % 2);
			cr_assert_not(taken[port % 2][network], "port %u network %u", port, n);
			taken[port % 2][network] = true;
		}
	}
	for (unsigned port = 0; port < 16; port++)
		for (unsigned entry = 0; entry < TEST_HOSTS_ROUTED; entry++) {
			const struct test_host host = test_host(port, entry);

			cr_assert_not(taken[port % 2][((unsigned)host.ipv4[2] << 8 | host.ipv4[3]) >> 4]);
		}
	build_with(RANDOM, true, TRAFFIC_IPV4_UDP, 16);
	for (unsigned port = 0; port < 16; port++) {
		const struct traffic_flow *flow = &traffic.port[port].flow[0];

		cr_expect(flow->field[0].drawn && flow->field[0].octet == 30 && flow->field[0].mask == 0xFF0 &&
		          flow->field[0].step == 16 && flow->field[0].count == 256);
		cr_expect_eq(memcmp(flow->packet.octets + 30, test_host_beyond(port ^ 1).ipv4, 4), 0);
	}
	build_with(RANDOM, true, TRAFFIC_IPV6_UDP, 16);
	for (unsigned port = 0; port < 16; port++) {
		const struct traffic_flow *flow = &traffic.port[port].flow[0];

		/* octet 7 of the destination, the last one of its /64 */
		cr_expect(flow->field[0].drawn && flow->field[0].octet + 3 == 14 + 24 + 7 &&
		          flow->field[0].mask == 0xFF);
		cr_expect_eq(memcmp(flow->packet.octets + 38, test_host_beyond(port ^ 1).ipv6, 16), 0);
		for (unsigned other = 0; other < 16; other++)
			cr_expect(other == port ||
			          memcmp(test_host_beyond(port).ipv6, test_host_beyond(other).ipv6, 7) != 0);
	}
}

Test(traffic_modifiers, a_port_also_plays_the_router_before_networks_that_are_not_its_own)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.modifiers = RANDOM;
	cr_expect_eq(traffic_hosts(&shape), 1);
	shape.routed = true;
	cr_expect_eq(traffic_hosts(&shape), 9);
	cr_expect_eq(test_host(3, TEST_PHANTOM_ROUTER).ipv4[3], 10, "RFC 2544 C.2.2.2");
	shape.modifiers = BROADCAST;
	shape.addresses = 20;
	cr_expect_eq(traffic_hosts(&shape), 20);
}

Test(traffic_modifiers, random_destinations_have_no_other_number_of_addresses)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.modifiers = RANDOM;
	shape.addresses = 2 + draw(100);
	cr_expect_eq(traffic_build(&shape, 2, &LIMITS, &traffic, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "with modifier random_destinations: must be 1"), "%s", error.text);
	shape.modifiers = BROADCAST;
	cr_expect_eq(traffic_build(&shape, 2, &LIMITS, &traffic, &error), 0);
}

Test(traffic_modifiers, a_flow_of_broadcasts_has_room_beside_any_number_of_hosts)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.modifiers = BROADCAST;
	shape.addresses = 255;
	build(&traffic, &shape, 2);
	cr_expect_eq(traffic.port[0].flows, 256);
	traffic_free(&traffic);
	shape.addresses = 256; /* told apart by a field */
	build(&traffic, &shape, 2);
	cr_expect_eq(traffic.port[0].flows, 2);
	traffic_free(&traffic);
	shape.routed = true; /* and one for answers */
	shape.pattern = TRAFFIC_MESH;
	shape.addresses = 127;
	build(&traffic, &shape, 3);
	traffic_free(&traffic);
	shape.addresses = 128;
	cr_expect_eq(traffic_build(&shape, 3, &LIMITS, &traffic, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "must be at most 127"), "%s", error.text);
}

Test(traffic_modifiers, all_frames_have_the_tag_and_the_lengths_that_the_traffic_has)
{
	struct traffic_shape shape = traffic_shape_plain(0);

	shape.sizes = (struct traffic_sizes){3, {64, 570, 1518}};
	shape.frame = TRAFFIC_IPV6_UDP;
	shape.sizes.octets[0] = 100;
	shape.vlan = 7;
	shape.modifiers = BROADCAST | RANDOM;
	build(&traffic, &shape, 2);
	cr_assert_eq(traffic.port[0].flows, 2);
	for (unsigned f = 0; f < 2; f++) {
		const struct traffic_flow *flow = &traffic.port[0].flow[f];

		cr_expect_eq(memcmp(flow->packet.octets + 12, "\x81\x00\x00\x07", 4), 0);
		cr_expect_eq(flow->lengths, 3);
	}
}
