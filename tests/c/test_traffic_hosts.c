/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which hosts the frames of a port are from, and to which they go: read off the addresses of frames, one by
 * one. */
#include <string.h>

#include "host/base/octets.h"
#include "tests/c/traffic_walk.h"

static struct traffic traffic;

static struct traffic_shape shape_of(enum traffic_pattern pattern)
{
	struct traffic_shape shape = traffic_shape_plain(64);

	shape.pattern = pattern;
	return shape;
}

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(traffic_hosts, .fini = tear_down);

static uint32_t value_of(const struct traffic_field *field, uint64_t number)
{
	return (uint32_t)(field->start + number % field->count * field->step) & field->mask;
}

/* Headers of a frame, with the values of its fields. */
static struct packet sent_packet(const struct traffic_flow *flow, uint64_t number)
{
	struct packet packet = flow->packet;

	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
		if (flow->field[i].count)
			for (unsigned o = 0; o < 4; o++)
				packet.octets[flow->field[i].octet + o] |=
				        (uint8_t)(value_of(&flow->field[i], number) >> (24 - 8 * o));
	return packet;
}

/* Each host of a port sends, and is sent to, once before one comes again; the same MAC address always has the same
 * network address. */
static void expect_each_host_once(unsigned from, unsigned to, unsigned hosts)
{
	static uint32_t ipv4_of[2][65536];
	struct walk walk = {.port = &traffic.port[from]};
	unsigned seen[2] = {0};

	memset(ipv4_of, 0, sizeof(ipv4_of));
	for (unsigned sent = 0; sent < 2 * hosts;) {
		const struct walked frame = walk_next(&walk);
		const struct packet packet = sent_packet(&walk.port->flow[frame.flow], frame.number);
		const unsigned number[2] = {get_be16(packet.octets + 4), get_be16(packet.octets + 10)};

		if (packet.octets[3] != to)
			continue;
		cr_assert_eq(packet.octets[9], from);
		sent++;
		for (unsigned i = 0; i < 2; i++) {
			const uint8_t *ip = packet.octets + packet.l3 + (i ? 12 : 16);
			const uint32_t address = (uint32_t)get_be(ip, 4);

			cr_assert_lt(number[i], hosts);
			cr_assert(packet.network != PACKET_IPV4 || (address >> 17 == (198u << 24 | 18u << 16) >> 17));
			if (ipv4_of[i][number[i]] == 0) {
				seen[i]++;
				cr_assert_leq(sent, hosts, "one comes again before all had their turn");
			} else if (packet.network == PACKET_IPV4) {
				cr_assert_eq(ipv4_of[i][number[i]], address);
			}
			ipv4_of[i][number[i]] = packet.network == PACKET_IPV4 ? address : 1;
		}
	}
	cr_assert(seen[0] == hosts && seen[1] == hosts, "%u and %u of %u hosts", seen[0], seen[1], hosts);
}

Test(traffic_hosts, each_host_has_its_turn_before_one_comes_again)
{
	static const struct {
		enum traffic_pattern pattern;
		enum traffic_frame frame;
		unsigned ports, hosts;
	} rows[] = {
	        {TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 2, 256},   {TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 2, 2048},
	        {TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 4, 85},     {TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 4, 128},
	        {TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 16, 17},    {TRAFFIC_MESH, TRAFFIC_IPV6_UDP, 16, 32},
	        {TRAFFIC_MESH, TRAFFIC_ETHERNET, 16, 65536}, {TRAFFIC_ONE_TO_MANY, TRAFFIC_IPV6_UDP, 5, 4096},
	        {TRAFFIC_SNAKE, TRAFFIC_ETHERNET, 3, 1024},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct traffic_shape shape = shape_of(rows[i].pattern);

		shape.frame = rows[i].frame;
		shape.frame_octets = 256;
		shape.addresses = rows[i].hosts;
		shape.vlan = i % 2 ? 5 : TRAFFIC_NO_VLAN;
		build(&traffic, &shape, rows[i].ports);
		for (unsigned from = 0; from < rows[i].ports; from++)
			for (unsigned to = 0; to < rows[i].ports; to++) {
				bool sends = false;

				for (unsigned f = 0; f < traffic.port[from].flows; f++)
					sends |= traffic.port[from].flow[f].arrives >> to & 1;
				if (sends && (rows[i].hosts < 1000 || from == 0))
					expect_each_host_once(from, to, rows[i].hosts);
			}
		traffic_free(&traffic);
	}
}

/* Pairs of hosts in which both have the same number. */
static unsigned same_numbers(const struct traffic_shape *shape, unsigned ports)
{
	unsigned same = 0;
	struct walk walk = {0};

	build(&traffic, shape, ports);
	walk.port = &traffic.port[0];
	for (unsigned i = 0; i < shape->addresses * (ports - 1); i++) {
		const struct walked frame = walk_next(&walk);
		const struct packet packet = sent_packet(&walk.port->flow[frame.flow], frame.number);

		same += packet.octets[4] == packet.octets[10] && packet.octets[5] == packet.octets[11];
	}
	traffic_free(&traffic);
	return same;
}

/* RFC 2889 5.1.3: "source/destination address pairs SHOULD be chosen randomly". Of n random pairs, one is the same. */
Test(traffic_hosts, hosts_of_a_mesh_are_paired_at_random_and_those_of_pairs_are_not)
{
	struct traffic_shape shape = shape_of(TRAFFIC_MESH);
	uint64_t hash;

	for (shape.addresses = 64; shape.addresses <= 1024; shape.addresses *= 16) {
		shape.pattern = TRAFFIC_MESH;
		cr_expect_leq(same_numbers(&shape, 4), 3 * 8, "%u hosts", shape.addresses);
		shape.pattern = TRAFFIC_PAIRS;
		cr_expect_eq(same_numbers(&shape, 2), shape.addresses);
	}
	shape.pattern = TRAFFIC_MESH;
	shape.addresses = 64;
	build(&traffic, &shape, 4);
	hash = traffic_hash(&traffic);
	traffic_free(&traffic);
	build(&traffic, &shape, 4);
	cr_expect_eq(traffic_hash(&traffic), hash, "the same seed, the same traffic");
	traffic_free(&traffic);
	shape.seed++;
	build(&traffic, &shape, 4);
	cr_expect_neq(traffic_hash(&traffic), hash);
}
