/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns against the tables of the RFCs, written out by hand; counts and lengths against a walk through the
 * frames one by one. */
#include <math.h>
#include <string.h>

#include "host/traffic/frame_template.h"
#include "tests/c/traffic_walk.h"

static struct traffic traffic;
static uint64_t state = 7;

static unsigned below(unsigned count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33) % count;
}

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

TestSuite(traffic, .fini = tear_down);

/* ---------------------------------------------------------------- who sends to whom */

enum { SHOWN = 7 };

/* Rows of destinations, as the RFC prints them: ports from 1; 0 ends a row, an idle port has an empty one. */
static void expect_table(const struct traffic_shape *shape, unsigned ports, const unsigned table[][SHOWN])
{
	unsigned senders = 0;

	build(&traffic, shape, ports);
	for (unsigned port = 0; port < ports; port++) {
		struct walk walk = {.port = &traffic.port[port]};

		senders += table[port][0] != 0;
		cr_assert_eq(traffic_sends(&traffic, port), table[port][0] != 0, "port #%u", port + 1);
		for (unsigned i = 0; i < SHOWN && table[port][i]; i++) {
			const struct traffic_flow *flow = &walk.port->flow[walk_next(&walk).flow];

			cr_expect_eq(walk_destination(flow) + 1, table[port][i], "port #%u, frame %u", port + 1, i);
			cr_expect_eq(flow->arrives, 1u << (table[port][i] - 1), "port #%u, frame %u", port + 1, i);
			cr_expect_eq(flow->packet.octets[9], port, "source address");
		}
	}
	cr_expect_eq(pattern_senders(shape->pattern, shape->bidirectional, ports), senders);
	traffic_free(&traffic);
}

Test(traffic, a_mesh_of_six_ports_is_the_table_of_rfc_2889)
{
	static const unsigned TABLE[][SHOWN] = {{2, 3, 4, 5, 6, 2}, {3, 4, 5, 6, 1, 3}, {4, 5, 6, 1, 2, 4},
	                                        {5, 6, 1, 2, 3, 5}, {6, 1, 2, 3, 4, 6}, {1, 2, 3, 4, 5, 1}};
	const struct traffic_shape shape = shape_of(TRAFFIC_MESH);

	expect_table(&shape, 6, TABLE);
}

Test(traffic, a_mesh_of_four_ports_follows_the_same_rule)
{
	static const unsigned TABLE[][SHOWN] = {
	        {2, 3, 4, 2, 3, 4, 2}, {3, 4, 1, 3, 4, 1, 3}, {4, 1, 2, 4, 1, 2, 4}, {1, 2, 3, 1, 2, 3, 1}};
	struct traffic_shape shape = shape_of(TRAFFIC_MESH);

	expect_table(&shape, 4, TABLE);
	shape.bidirectional = false; /* says nothing of a mesh */
	expect_table(&shape, 4, TABLE);
}

Test(traffic, more_addresses_leave_the_ports_of_a_mesh_in_their_order)
{
	static const unsigned TABLE[][SHOWN] = {
	        {2, 3, 4, 2, 3, 4, 2}, {3, 4, 1, 3, 4, 1, 3}, {4, 1, 2, 4, 1, 2, 4}, {1, 2, 3, 1, 2, 3, 1}};
	struct traffic_shape shape = shape_of(TRAFFIC_MESH);

	for (shape.addresses = 2; shape.addresses <= 512; shape.addresses *= 2)
		expect_table(&shape, 4, TABLE);
}

Test(traffic, a_unidirectional_mesh_of_eight_ports_is_the_table_of_rfc_2889)
{
	static const unsigned TABLE[][SHOWN] = {
	        {5, 6, 7, 8, 5, 6}, {6, 7, 8, 5, 6, 7}, {7, 8, 5, 6, 7, 8}, {8, 5, 6, 7, 8, 5}, {0}, {0}, {0}, {0}};
	struct traffic_shape shape = shape_of(TRAFFIC_UNIDIRECTIONAL_MESH);

	shape.bidirectional = false;
	expect_table(&shape, 8, TABLE);
}

Test(traffic, one_to_many_goes_round_and_comes_back_if_it_is_to)
{
	static const unsigned THERE[][SHOWN] = {{2, 3, 4, 2, 3, 4, 2}, {0}, {0}, {0}};
	static const unsigned BOTH[][SHOWN] = {{2, 3, 4, 2, 3, 4, 2}, {1, 1}, {1, 1}, {1, 1}};
	static const unsigned BACK[][SHOWN] = {{0}, {1, 1}, {1, 1}, {1, 1}};
	struct traffic_shape shape = shape_of(TRAFFIC_ONE_TO_MANY);

	expect_table(&shape, 4, BOTH);
	shape.bidirectional = false;
	expect_table(&shape, 4, THERE);
	shape.pattern = TRAFFIC_MANY_TO_ONE;
	expect_table(&shape, 4, BACK);
	shape.bidirectional = true;
	expect_table(&shape, 4, BOTH);
}

Test(traffic, a_snake_is_two_ports_with_the_others_idle)
{
	static const unsigned BOTH[][SHOWN] = {{5, 5}, {0}, {0}, {0}, {1, 1}},
	                      THERE[][SHOWN] = {{5, 5}, {0}, {0}, {0}, {0}};
	struct traffic_shape shape = shape_of(TRAFFIC_SNAKE);

	expect_table(&shape, 5, BOTH);
	shape.bidirectional = false;
	expect_table(&shape, 5, THERE);
}

Test(traffic, pairs_leave_a_last_odd_port_idle)
{
	static const unsigned BOTH[][SHOWN] = {{2, 2}, {1, 1}, {4, 4}, {3, 3}, {0}};
	static const unsigned THERE[][SHOWN] = {{2, 2}, {0}, {4, 4}, {0}, {0}};
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS);

	expect_table(&shape, 5, BOTH);
	shape.bidirectional = false;
	expect_table(&shape, 5, THERE);
}

Test(traffic, frames_of_pairs_are_those_of_rfc_2544)
{
	static const unsigned SIZES[] = {64, 65, 128, 1518, 9216};
	struct traffic_shape shape = traffic_shape_plain(64);

	for (unsigned round = 0; round < 60; round++) {
		const unsigned ports = 2 + below(15);

		shape.frame_octets = SIZES[below(5)];
		shape.addresses = round % 3 ? 1 + below(256) : 256;
		build(&traffic, &shape, ports);
		for (unsigned port = 0; port < ports / 2 * 2; port++) {
			cr_assert_eq(traffic.port[port].flows, shape.addresses);
			for (unsigned flow = 0; flow < shape.addresses; flow++) {
				const struct packet *packet = &traffic.port[port].flow[flow].packet;
				uint8_t want[TEMPLATE_OCTETS];

				frame_template(want, port, port ^ 1, flow, shape.frame_octets);
				for (unsigned i = 0; i < TEMPLATE_OCTETS; i++)
					cr_assert_eq(packet_octet(packet, i), want[i]);
				cr_assert_eq(packet->fixed_octets, shape.frame_octets);
			}
		}
		traffic_free(&traffic);
	}
}

/* ---------------------------------------------------------------- counts */

static struct traffic_shape random_shape(unsigned *ports)
{
	struct traffic_shape shape = shape_of((enum traffic_pattern)below(6));
	const unsigned hosts[] = {1, 1, 2, 5, 8, 16};

	*ports = 2 + below(15);
	if (shape.pattern == TRAFFIC_UNIDIRECTIONAL_MESH)
		*ports = 2 * (1 + below(8));
	shape.bidirectional = below(2);
	shape.frame = (enum traffic_frame)below(TRAFFIC_IPV6_CHAIN + 1);
	shape.vlan = below(2) ? TRAFFIC_NO_VLAN : below(4095);
	shape.addresses = hosts[below(6)];
	shape.seed = 1 + below(1000);
	shape.frame_octets = 150 + below(1400);
	if (below(2)) {
		shape.frame_octets = 0;
		shape.sizes.count = 1 + below(below(2) ? 64 : 13);
		for (unsigned i = 0; i < shape.sizes.count; i++)
			shape.sizes.octets[i] = (uint16_t)(150 + below(1400));
	}
	return shape;
}

/* The order is another at most every second time: a table of turns instead of the flows in turn, and every n-th frame
 * of another flow. */
static void make_other_order(void)
{
	for (unsigned p = 0; p < traffic.ports; p++) {
		struct traffic_port *port = &traffic.port[p];

		if (port->ordered == 0 || below(2))
			continue;
		if (below(2)) {
			port->order = TRAFFIC_BY_TABLE;
			port->turns = 1 + below(40);
			port->turn = malloc(port->turns);
			for (unsigned i = 0; i < port->turns; i++)
				port->turn[i] = (uint8_t)below(port->ordered);
		}
		port->every = below(3) ? 1 + below(9) : 0;
		port->every_flow = below(port->flows);
	}
}

static void expect_counts(const struct traffic_shape *shape)
{
	uint64_t offered[TRAFFIC_MAX_PORTS] = {0}, want[TRAFFIC_MAX_PORTS] = {0}, got[TRAFFIC_MAX_PORTS];

	for (unsigned p = 0; p < traffic.ports; p++) {
		struct walk walk = {.port = &traffic.port[p]};
		uint64_t octets = 0;

		if (!traffic_sends(&traffic, p))
			continue;
		offered[p] = below(3000);
		for (uint64_t i = 0; i < offered[p]; i++) {
			const struct walked frame = walk_next(&walk);
			const unsigned to = walk_destination(&walk.port->flow[frame.flow]);

			cr_assert_neq(to, p, "nobody sends to itself");
			cr_assert_lt(to, traffic.ports);
			want[to]++;
			octets += frame.octets;
		}
		for (unsigned flow = 0; flow < walk.port->flows; flow++)
			cr_assert_eq(traffic_frames_of_flow(&traffic, p, flow, offered[p]), walk.sent[flow]);
		cr_assert_eq(traffic_octets(&traffic, p, offered[p]), octets);
	}
	traffic_expected(&traffic, offered, got);
	for (unsigned p = 0; p < TRAFFIC_MAX_PORTS; p++)
		cr_assert_eq(got[p], want[p], "pattern %u: port %u of %u expects %lu, %lu were sent to it",
		             shape->pattern, p, traffic.ports, (unsigned long)got[p], (unsigned long)want[p]);
}

Test(traffic, every_pattern_on_any_number_of_ports_counts_as_a_walk_through_its_frames)
{
	for (unsigned round = 0; round < 400; round++) {
		unsigned ports;
		const struct traffic_shape shape = random_shape(&ports);

		build(&traffic, &shape, ports);
		expect_counts(&shape);
		make_other_order();
		expect_counts(&shape);
		traffic_free(&traffic);
	}
}

/* Every receiver of a full mesh gets as much as it sends, and so does every flow: at any multiple of the cycle. */
Test(traffic, shares_are_exact)
{
	for (unsigned round = 0; round < 200; round++) {
		unsigned ports;
		const struct traffic_shape shape = random_shape(&ports);

		build(&traffic, &shape, ports);
		for (unsigned p = 0; p < ports; p++) {
			const uint64_t cycle = traffic_cycle(&traffic, p), many = cycle * UINT64_C(1000000007);
			const struct traffic_mean mean = traffic_mean_octets(&traffic, p);
			uint64_t octets = 0, of_port[TRAFFIC_MAX_PORTS] = {0}, least = UINT64_MAX, most = 0;
			struct walk walk = {.port = &traffic.port[p]};

			if (!traffic_sends(&traffic, p))
				continue;
			for (uint64_t i = 0; i < cycle; i++) {
				const struct walked frame = walk_next(&walk);

				octets += frame.octets;
				of_port[walk_destination(&walk.port->flow[frame.flow])]++;
			}
			for (unsigned to = 0; to < ports; to++)
				if (of_port[to]) {
					least = of_port[to] < least ? of_port[to] : least;
					most = of_port[to] > most ? of_port[to] : most;
				}
			cr_assert_eq(least, most, "all receivers have the same share");
			cr_assert_eq(octets * mean.frames, cycle * mean.octets, "average length");
			cr_assert_eq(traffic_octets(&traffic, p, many), octets * UINT64_C(1000000007));
			cr_assert_eq(walk.turn, 0);
			for (unsigned flow = 0; flow < walk.port->flows; flow++) {
				cr_assert_eq(walk.position[flow], 0);
				cr_assert_eq(traffic_frames_of_flow(&traffic, p, flow, many),
				             walk.sent[flow] * UINT64_C(1000000007));
			}
		}
		traffic_free(&traffic);
	}
}

Test(traffic, each_flow_has_the_whole_list_of_lengths_one_entry_later_than_the_flow_before_it)
{
	for (unsigned round = 0; round < 300; round++) {
		unsigned ports;
		const struct traffic_shape shape = random_shape(&ports);

		build(&traffic, &shape, ports);
		for (unsigned p = 0; p < ports; p++) {
			struct walk walk = {.port = &traffic.port[p]};

			for (unsigned i = 0; i < 500 && traffic_sends(&traffic, p); i++) {
				const struct walked frame = walk_next(&walk);
				const uint64_t entry = frame.flow + frame.number;

				cr_assert_eq(frame.octets, shape.sizes.count
				                                   ? shape.sizes.octets[entry % shape.sizes.count]
				                                   : shape.frame_octets);
			}
		}
		traffic_free(&traffic);
	}
}

Test(traffic, a_mix_has_a_maximum_rate_of_its_own)
{
	struct traffic_shape shape = shape_of(TRAFFIC_MESH);
	struct rate rate;

	build(&traffic, &shape, 4);
	rate = traffic_max_rate(&traffic, 0, UINT64_C(100000000000));
	cr_assert_eq(rate_compare(rate, rate_max_theoretical(UINT64_C(100000000000), 64)), 0);
	traffic_free(&traffic);
	/* 7 x 64, 4 x 570, 1 x 1518: 4246 octets and 12 x 20 more in 12 frames, at 12.5 x 10^9 octets a second. */
	shape.frame_octets = 0;
	shape.sizes = (struct traffic_sizes){12, {64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 64, 570}};
	build(&traffic, &shape, 4);
	rate = traffic_max_rate(&traffic, 3, UINT64_C(100000000000));
	cr_assert_eq(rate_compare(rate, (struct rate){UINT64_C(150000000000), 4246 + 240}), 0);
	cr_assert_eq(traffic_longest(&traffic), 1518);
}

/* ---------------------------------------------------------------- hash */

Test(traffic, a_hash_changes_with_any_value_and_not_with_where_it_is_kept)
{
	struct traffic_shape shape = shape_of(TRAFFIC_MESH);
	uint16_t elsewhere[4], *length;
	struct traffic_port *port;
	uint64_t hash;

	shape.frame_octets = 0;
	shape.sizes = (struct traffic_sizes){2, {100, 200}};
	build(&traffic, &shape, 4);
	hash = traffic_hash(&traffic);
	port = &traffic.port[3];
#define CHANGED(member)                                                                                                \
	do {                                                                                                           \
		(member)++;                                                                                            \
		cr_expect_neq(traffic_hash(&traffic), hash, #member);                                                  \
		(member)--;                                                                                            \
		cr_assert_eq(traffic_hash(&traffic), hash);                                                            \
	} while (0)
	CHANGED(port->flow[2].packet.octets[3]);
	CHANGED(port->flow[2].packet.l4);
	CHANGED(port->flow[2].arrives);
	CHANGED(port->flow[2].wrong);
	CHANGED(port->flow[2].first_length);
	CHANGED(port->flow[2].field[3].step);
	CHANGED(port->flow[2].field[3].octet);
	CHANGED(port->length[1]);
	CHANGED(port->every);
	CHANGED(port->every_flow);
	CHANGED(port->frame_octets);
	CHANGED(port->ordered);
	CHANGED(port->seed);
#undef CHANGED
	length = port->length;
	port->length = memcpy(elsewhere, length, sizeof(elsewhere));
	cr_expect_eq(traffic_hash(&traffic), hash);
	port->length = length;
}
