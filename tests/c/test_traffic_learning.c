/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which learning frames traffic needs: checked frame by frame against the test frames, whose addresses are worked
 * out from packets and fields here. */
#include <string.h>

#include "host/traffic/learning.h"
#include "host/traffic/modifier.h"
#include "host/traffic/traffic_check.h"
#include "tests/c/traffic_walk.h"

enum { DESTINATION = 0, SOURCE = 6, MANY = 4096, HOSTS = 65536 };

static struct traffic traffic;
static struct traffic_learning learning;
static struct error error;

static void tear_down(void)
{
	traffic_learning_free(&learning);
	traffic_free(&traffic);
}

TestSuite(traffic_learning, .fini = tear_down);

static void build_shape(enum traffic_pattern pattern, bool bidirectional, unsigned ports, unsigned addresses)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.pattern = pattern;
	shape.bidirectional = bidirectional;
	shape.addresses = addresses;
	build(&traffic, &shape, ports);
}

static void learn(void)
{
	cr_assert_eq(traffic_learning(&traffic, &learning, &error), 0, "%s", error.text);
	cr_assert_eq(traffic_check(&learning.traffic, &LIMITS, &error), 0, "%s", error.text);
}

/* The address at an octet of frame `number` of a flow: 02 'F' 'G' port, and a host. */
static unsigned address_of(const struct traffic_flow *flow, unsigned octet, uint64_t number, unsigned *port)
{
	uint8_t frame[PACKET_MAX_OCTETS + 4] = {0};

	memcpy(frame, flow->packet.octets, PACKET_MAX_OCTETS);
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++) {
		const struct traffic_field *field = &flow->field[i];
		const uint32_t value =
		        field->count ? (field->start + (uint32_t)(number % field->count) * field->step) & field->mask
		                     : 0;

		for (unsigned at = 0; at < 4; at++)
			frame[field->octet + at] |= (uint8_t)(value >> (24 - 8 * at));
	}
	cr_assert_arr_eq(frame + octet, "\2FG", 3);
	*port = frame[octet + 3];
	return (unsigned)frame[octet + 4] << 8 | frame[octet + 5];
}

/* Counts of how often each address is learned, and whether test frames go to it. */
static unsigned learned[TRAFFIC_MAX_PORTS][HOSTS];
static bool needed[TRAFFIC_MAX_PORTS][HOSTS];

static void walk_traffic(void)
{
	for (unsigned from = 0; from < traffic.ports; from++) {
		struct walk walk = {.port = &traffic.port[from]};

		for (unsigned i = 0; traffic_sends(&traffic, from) && i < 16 * MANY; i++) {
			const struct walked frame = walk_next(&walk);
			unsigned port;
			const unsigned host =
			        address_of(&walk.port->flow[frame.flow], DESTINATION, frame.number, &port);

			needed[port][host] = true;
		}
	}
}

static void walk_learning(void)
{
	for (unsigned from = 0; from < traffic.ports; from++) {
		struct walk walk = {.port = &learning.traffic.port[from]};

		for (uint64_t i = 0; traffic_sends(&learning.traffic, from) && i < learning.frames; i++) {
			const struct walked frame = walk_next(&walk);
			const struct traffic_flow *flow = &walk.port->flow[frame.flow];
			unsigned port;
			const unsigned host = address_of(flow, SOURCE, frame.number, &port);

			cr_assert_eq(port, from, "learned behind another port");
			cr_assert(!memcmp(flow->packet.octets, "\377\377\377\377\377\377", 6));
			cr_assert(!flow->measured && flow->arrives == 0, "counted somewhere");
			learned[port][host]++;
		}
	}
}

/* Each address to which test frames go is learned once, and no other. */
static void expect_each_once(void)
{
	learn();
	walk_traffic();
	walk_learning();
	for (unsigned port = 0; port < traffic.ports; port++)
		for (unsigned host = 0; host < HOSTS; host++)
			cr_assert_eq(learned[port][host], needed[port][host], "port %u host %u: learned %u times", port,
			             host, learned[port][host]);
}

Test(traffic_learning, each_address_is_learned_once_where_it_is)
{
	static const unsigned ADDRESSES[] = {1, 7, 64, 1024};
	static const bool DIRECTIONS[] = {false, true};

	for (enum traffic_pattern pattern = TRAFFIC_PAIRS; pattern <= TRAFFIC_SNAKE; pattern++)
		for (unsigned way = 0; way < 2; way++)
			for (unsigned i = 0; i < 4; i++) {
				memset(learned, 0, sizeof(learned));
				memset(needed, 0, sizeof(needed));
				build_shape(pattern, DIRECTIONS[way], 4, ADDRESSES[i]);
				expect_each_once();
				tear_down();
			}
}

/* All of them leave, however many there are at other ports. */
Test(traffic_learning, the_port_with_most_addresses_says_how_many_frames)
{
	build_shape(TRAFFIC_PAIRS, false, 4, 20);
	traffic.port[2].flows = traffic.port[2].ordered = 3;
	learn();
	cr_expect_eq(learning.traffic.port[1].flows, 20);
	cr_expect_eq(learning.traffic.port[3].flows, 3);
	cr_expect_eq(learning.frames, 20);
	cr_expect_not(traffic_sends(&learning.traffic, 0));
	cr_expect_not(traffic_sends(&learning.traffic, 2));
}

/* A bridge may learn for each VLAN by itself. */
Test(traffic_learning, frames_have_the_tags_of_the_flow_and_nothing_else)
{
	static const uint8_t TAGS[] = {0x88, 0xA8, 0x00, 0x05, 0x81, 0x00, 0x20, 0x64, 0x88, 0xB5};
	const struct packet *packet;

	build_shape(TRAFFIC_PAIRS, false, 2, 1);
	traffic_add_tag(&traffic, TYPE_VLAN, 0x2064);
	traffic_add_tag(&traffic, TYPE_SERVICE, 5);
	learn();
	packet = &learning.traffic.port[1].flow[0].packet;
	cr_expect_eq(packet->header_octets, 22);
	cr_expect_arr_eq(packet->octets + 12, TAGS, sizeof(TAGS));
}

/* The VID varies along with the flow's frames. */
Test(traffic_learning, an_address_is_learned_in_every_vlan_of_the_flow)
{
	struct traffic_flow *flow;

	build_shape(TRAFFIC_PAIRS, false, 2, 1);
	traffic_add_tag(&traffic, TYPE_VLAN, 0);
	flow = &traffic.port[0].flow[0];
	flow->field[0] = (struct traffic_field){.octet = 12, .start = 8, .step = 3, .mask = 0xFFF, .count = 5};
	learn();
	cr_assert_eq(learning.frames, 5);
	cr_expect_eq(learning.traffic.port[1].flow[0].field[0].octet, 12);
	cr_expect_eq(learning.traffic.port[1].flow[0].field[0].start, 8);
	cr_expect_eq(learning.traffic.port[1].flow[0].field[0].step, 3);
}

static enum traffic_learn when_of(enum traffic_pattern pattern, bool bidirectional, unsigned addresses)
{
	enum traffic_learn when;

	build_shape(pattern, bidirectional, 4, addresses);
	learn();
	when = learning.when;
	tear_down();
	return when;
}

Test(traffic_learning, addresses_that_only_receive_are_learned_before_each_trial)
{
	static const unsigned ADDRESSES[] = {1, 30, 1024};

	for (unsigned i = 0; i < 3; i++) {
		const unsigned addresses = ADDRESSES[i];

		cr_expect_eq(when_of(TRAFFIC_PAIRS, true, addresses), TRAFFIC_LEARN_ONCE);
		cr_expect_eq(when_of(TRAFFIC_SNAKE, true, addresses), TRAFFIC_LEARN_NOTHING);
		cr_expect_eq(when_of(TRAFFIC_MESH, true, addresses), TRAFFIC_LEARN_ONCE);
		cr_expect_eq(when_of(TRAFFIC_MANY_TO_ONE, true, addresses), TRAFFIC_LEARN_ONCE);
		cr_expect_eq(when_of(TRAFFIC_PAIRS, false, addresses), TRAFFIC_LEARN_EACH_TIME);
		cr_expect_eq(when_of(TRAFFIC_SNAKE, false, addresses), TRAFFIC_LEARN_EACH_TIME);
		cr_expect_eq(when_of(TRAFFIC_MANY_TO_ONE, false, addresses), TRAFFIC_LEARN_EACH_TIME);
		cr_expect_eq(when_of(TRAFFIC_ONE_TO_MANY, false, addresses), TRAFFIC_LEARN_EACH_TIME);
		cr_expect_eq(when_of(TRAFFIC_UNIDIRECTIONAL_MESH, false, addresses), TRAFFIC_LEARN_EACH_TIME);
	}
}

/* The first frame of each port would be flooded to the other pairs, into queues that are full at line rate. */
Test(traffic_learning, pairs_need_it_as_soon_as_there_is_more_than_one)
{
	for (unsigned ports = 2; ports <= TRAFFIC_MAX_PORTS; ports++) {
		build_shape(TRAFFIC_PAIRS, true, ports, 1);
		learn();
		cr_expect_eq(learning.when, ports < 4 ? TRAFFIC_LEARN_NOTHING : TRAFFIC_LEARN_ONCE, "%u ports", ports);
		tear_down();
	}
}

Test(traffic_learning, what_goes_to_everybody_or_nowhere_is_not_learned)
{
	build_shape(TRAFFIC_PAIRS, false, 4, 1);
	cr_assert_eq(traffic_broadcast_every(&traffic, 100, &error), 0);
	learn();
	for (unsigned port = 0; port < 4; port++)
		cr_expect_eq(learning.traffic.port[port].flows, port % 2);
	traffic_learning_free(&learning);
	traffic_make_wrong(&traffic, TRAFFIC_WRONG_FCS);
	learn();
	cr_expect_eq(learning.frames, 0);
	cr_expect_eq(learning.when, TRAFFIC_LEARN_NOTHING);
	tear_down();
	build_shape(TRAFFIC_MESH, true, 4, 1);
	traffic_make_wrong(&traffic, TRAFFIC_WRONG_FCS);
	learn();
	cr_expect_eq(learning.frames, 0);
	cr_expect_eq(learning.when, TRAFFIC_LEARN_NOTHING, "nor among many");
}
