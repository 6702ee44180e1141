/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what modifiers make of traffic. */
#include <string.h>

#include "host/base/internet_checksum.h"
#include "host/traffic/modifier.h"
#include "host/traffic/packet_checksum.h"
#include "host/traffic/traffic_check.h"
#include "tests/c/traffic_walk.h"

static struct traffic traffic;
static struct error error;

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(traffic_modifier, .fini = tear_down);

static void build_plain(enum traffic_pattern pattern, unsigned ports, unsigned addresses)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.pattern = pattern;
	shape.addresses = addresses;
	build(&traffic, &shape, ports);
}

static void expect_fine(void)
{
	cr_assert_eq(traffic_check(&traffic, &LIMITS, &error), 0, "%s", error.text);
}

Test(traffic_modifier, a_tag_moves_headers_and_not_lengths_of_frames)
{
	build_plain(TRAFFIC_PAIRS, 2, 1);
	traffic_add_tag(&traffic, TYPE_VLAN, 0x2064);
	traffic_fix(&traffic);
	expect_fine();
	for (unsigned port = 0; port < 2; port++) {
		const struct packet *packet = &traffic.port[port].flow[0].packet;

		cr_expect_eq(get_be16(packet->octets + 12), 0x8100);
		cr_expect_eq(get_be16(packet->octets + 14), 0x2064);
		cr_expect_eq(get_be16(packet->octets + 16), 0x0800);
		cr_expect_eq(get_be16(packet->octets + 20), 128 - 18 - 4, "total length");
		cr_expect_eq(packet->header_octets, 46);
	}
}

Test(traffic_modifier, a_mark_is_in_the_ipv4_header_under_its_checksum_and_in_the_tag)
{
	for (unsigned dscp = 0; dscp < 64; dscp++) {
		const unsigned cos = dscp % 8;
		const uint8_t *octets;

		build_plain(TRAFFIC_PAIRS, 2, 1);
		traffic_add_tag(&traffic, TYPE_VLAN, 0x0064);
		traffic_fix(&traffic);
		traffic_mark(&traffic, dscp, cos);
		expect_fine();
		octets = traffic.port[1].flow[0].packet.octets;
		cr_assert_eq(get_be16(octets + 14), cos << 13 | 0x64);
		cr_assert_eq(octets[19], dscp << 2, "ECN is 0");
		cr_assert_eq(internet_sum(octets + 18, 20, 0), 0xFFFF);
	}
}

Test(traffic_modifier, a_mark_without_a_tag_is_in_the_ip_header_alone)
{
	struct packet before;

	build_plain(TRAFFIC_PAIRS, 2, 1);
	before = traffic.port[0].flow[0].packet;
	traffic_mark(&traffic, 0, 7);
	cr_expect_arr_eq(traffic.port[0].flow[0].packet.octets, before.octets, sizeof(before.octets));
	traffic_mark(&traffic, 46, 7);
	cr_expect_eq(traffic.port[0].flow[0].packet.octets[15], 46 << 2);
	cr_expect_eq(internet_sum(traffic.port[0].flow[0].packet.octets + 14, 20, 0), 0xFFFF);
}

/* RFC 8200 section 3: four bits of version, eight of traffic class, of which six are the DSCP, 20 of flow label. */
Test(traffic_modifier, a_mark_is_across_two_octets_of_an_ipv6_header)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.frame = TRAFFIC_IPV6_UDP;
	for (unsigned dscp = 0; dscp < 64; dscp++) {
		const uint8_t *octets;
		uint8_t label[2];

		build(&traffic, &shape, 2);
		memcpy(label, traffic.port[0].flow[0].packet.octets + 16, sizeof(label));
		traffic_mark(&traffic, dscp, 0);
		octets = traffic.port[0].flow[0].packet.octets;
		cr_assert_eq(get_be16(octets + 14), 0x6000 | dscp << 6);
		cr_assert_arr_eq(octets + 16, label, sizeof(label));
	}
}

Test(traffic_modifier, a_tag_moves_the_fields_behind_it)
{
	const uint32_t seed = 1;

	build_plain(TRAFFIC_PAIRS, 2, 1);
	traffic_vary_hosts(&traffic, 1024, &seed);
	traffic_add_tag(&traffic, TYPE_VLAN, 1);
	expect_fine();
	cr_expect_eq(traffic.port[0].flow[0].field[0].octet, 2);
	cr_expect_eq(traffic.port[0].flow[0].field[1].octet, 8);
	cr_expect_eq(traffic.port[0].flow[0].field[2].octet, 18 + 16);
	cr_expect_eq(traffic.port[0].flow[0].field[3].octet, 18 + 12);
	traffic_fix(&traffic);
	cr_expect_eq(traffic.port[0].flow[0].packet.fixed_octets, 0, "what varies is in the header checksum");
}

Test(traffic_modifier, mixed_lengths_are_the_devices_to_write)
{
	static const struct traffic_sizes SIZES = {3, {64, 1518, 570}};

	build_plain(TRAFFIC_MESH, 3, 2);
	cr_assert(traffic.port[0].flow[0].packet.fixed_octets);
	cr_assert_eq(traffic_mix_lengths(&traffic, &SIZES, &error), 0);
	expect_fine();
	for (unsigned port = 0; port < 3; port++) {
		/* Four flows in turn, each with the list from its own entry on. */
		static const unsigned WANT[] = {64, 1518, 570, 64, 1518, 570, 64, 1518, 570, 64, 1518, 570};
		struct walk walk = {.port = &traffic.port[port]};

		for (unsigned i = 0; i < 120; i++)
			cr_assert_eq(walk_next(&walk).octets, WANT[i % 12]);
		for (unsigned flow = 0; flow < 4; flow++) {
			const struct packet *packet = &traffic.port[port].flow[flow].packet;

			cr_assert_eq(packet->fixed_octets, 0);
			cr_assert_eq(get_be16(packet->octets + 16), 0);
			cr_assert_eq(get_be16(packet->octets + 24), 0);
			cr_assert_eq(get_be16(packet->octets + 38), 0);
			cr_assert(packet_checksum1(packet).used);
		}
	}
}

/* RFC 2544 11.1: frames 100, 200, 300 ... of each port, and none of the others is left out. */
Test(traffic_modifier, every_hundredth_frame_is_broadcast_to_all_others_in_use)
{
	const uint64_t offered[TRAFFIC_MAX_PORTS] = {1000, 250, 99, 100, 0};
	uint64_t want[TRAFFIC_MAX_PORTS] = {0}, got[TRAFFIC_MAX_PORTS];

	build_plain(TRAFFIC_PAIRS, 5, 3);
	cr_assert_eq(traffic_broadcast_every(&traffic, 100, &error), 0);
	expect_fine();
	cr_assert_not(traffic_sends(&traffic, 4));
	for (unsigned port = 0; port < 4; port++) {
		struct walk walk = {.port = &traffic.port[port]};
		unsigned next = 0;

		for (uint64_t i = 1; i <= offered[port]; i++) {
			const unsigned flow = walk_next(&walk).flow;
			const uint8_t *to = walk.port->flow[flow].packet.octets;

			if (i % 100) {
				cr_assert_eq(flow, next++ % 3);
				want[port ^ 1]++;
				continue;
			}
			cr_assert(!memcmp(to, "\377\377\377\377\377\377", 6));
			cr_assert_eq(get_be16(to + 12), 0x88B5);
			for (unsigned other = 0; other < 4; other++)
				want[other] += other != port;
		}
	}
	traffic_expected(&traffic, offered, got);
	cr_assert_arr_eq(got, want, sizeof(got), "port 0: %lu, not %lu", (unsigned long)got[0], (unsigned long)want[0]);
}

Test(traffic_modifier, broadcast_frames_have_the_lengths_of_the_others)
{
	static const struct traffic_sizes SIZES = {2, {100, 300}};
	struct walk walk = {.port = &traffic.port[0]};
	uint64_t octets = 0, cycle;

	build_plain(TRAFFIC_MESH, 4, 1);
	cr_assert_eq(traffic_mix_lengths(&traffic, &SIZES, &error), 0);
	cr_assert_eq(traffic_broadcast_every(&traffic, 10, &error), 0);
	expect_fine();
	cycle = traffic_cycle(&traffic, 0);
	for (uint64_t i = 0; i < cycle; i++)
		octets += walk_next(&walk).octets;
	cr_expect_eq(octets, 200 * cycle);
	cr_expect_eq(traffic_mean_octets(&traffic, 0).octets, 200 * traffic_mean_octets(&traffic, 0).frames);
}

Test(traffic_modifier, wrong_frames_arrive_nowhere)
{
	const uint64_t offered[TRAFFIC_MAX_PORTS] = {1000, 1000};
	uint64_t expected[TRAFFIC_MAX_PORTS];

	build_plain(TRAFFIC_PAIRS, 2, 1);
	traffic_make_wrong(&traffic, TRAFFIC_WRONG_FCS);
	expect_fine();
	cr_expect_eq(traffic.port[1].flow[0].wrong, TRAFFIC_WRONG_FCS);
	traffic_expected(&traffic, offered, expected);
	cr_expect_eq(expected[0] + expected[1], 0);
}

/* RFC 2889 5.9: "MUST filter frames less than 64 bytes"; 1522 octets MAY be forwarded. */
Test(traffic_modifier, short_and_long_frames_are_a_length_like_others)
{
	const uint64_t offered[TRAFFIC_MAX_PORTS] = {10, 10};
	uint64_t expected[TRAFFIC_MAX_PORTS];

	build_plain(TRAFFIC_PAIRS, 2, 1);
	traffic_make_length(&traffic, 1522, true);
	traffic_fix(&traffic);
	expect_fine();
	traffic_expected(&traffic, offered, expected);
	cr_expect_eq(expected[0], 10);
	traffic_make_length(&traffic, 63, true);
	cr_expect_neq(traffic_check(&traffic, &LIMITS, &error), 0);
	traffic_make_length(&traffic, 63, false);
	traffic_fix(&traffic);
	expect_fine();
	cr_expect_eq(traffic_octets(&traffic, 0, 10), 630);
	traffic_expected(&traffic, offered, expected);
	cr_expect_eq(expected[0], 0);
}
