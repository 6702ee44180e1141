/* SPDX-License-Identifier: Apache-2.0 */
/* Every limit of traffic: what is allowed, what is not, and what the message says of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/traffic/modifier.h"
#include "host/traffic/test_host.h"
#include "host/traffic/traffic_check.h"
#include "tests/c/traffic_walk.h"

static struct traffic traffic;
static struct error error;

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(traffic_check, .fini = tear_down);

/* ---------------------------------------------------------------- shapes */

static struct traffic_shape shape_of(enum traffic_pattern pattern, enum traffic_frame frame, uint32_t frame_octets)
{
	struct traffic_shape shape = traffic_shape_plain(frame_octets);

	shape.pattern = pattern;
	shape.frame = frame;
	return shape;
}

static void shape_is_fine(const struct traffic_shape *shape, unsigned ports)
{
	build(&traffic, shape, ports);
	traffic_free(&traffic);
}

static void shape_is_refused(const struct traffic_shape *shape, unsigned ports, const char *why)
{
	error.text[0] = 0;
	cr_assert_eq(traffic_build(shape, ports, &LIMITS, &traffic, &error), ERROR_PLAN, "%s", why);
	cr_expect(strstr(error.text, why), "\"%s\" does not say \"%s\"", error.text, why);
	cr_expect_eq(traffic.ports, 0);
}

Test(traffic_check, ports)
{
	struct traffic_shape shape = shape_of(TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 64);

	shape_is_fine(&shape, 2);
	shape_is_fine(&shape, 16);
	shape_is_refused(&shape, 1, "1 ports: traffic needs 2 to 16");
	shape_is_refused(&shape, 17, "17 ports: traffic needs 2 to 16");
	shape.pattern = TRAFFIC_UNIDIRECTIONAL_MESH;
	shape_is_fine(&shape, 6);
	shape_is_refused(
	        &shape, 5,
	        "\"unidirectional_mesh\" with 5 ports: one half sends to the other (RFC 2889 section 5.4.3), so "
	        "their number must be even");
}

/* Headers + signature 18 + FCS 4. */
Test(traffic_check, the_shortest_frame_of_each_kind)
{
	static const struct {
		enum traffic_frame frame;
		unsigned vlan;
		uint32_t least;
	} rows[] = {
	        {TRAFFIC_IPV4_UDP, TRAFFIC_NO_VLAN, 64},
	        {TRAFFIC_IPV4_UDP, 0, 68},
	        {TRAFFIC_IPV6_UDP, TRAFFIC_NO_VLAN, 84},
	        {TRAFFIC_IPV6_UDP, 4094, 88},
	        {TRAFFIC_ETHERNET, TRAFFIC_NO_VLAN, 64},
	        {TRAFFIC_ETHERNET, 1, 64},
	        {TRAFFIC_IPV6_HOP_BY_HOP, TRAFFIC_NO_VLAN, 92},
	        {TRAFFIC_IPV6_DESTINATION_OPTIONS, 5, 96},
	        {TRAFFIC_IPV6_FRAGMENT, TRAFFIC_NO_VLAN, 92},
	        {TRAFFIC_IPV6_ROUTING, 4094, 112},
	        {TRAFFIC_IPV6_AUTHENTICATION, TRAFFIC_NO_VLAN, 108},
	        {TRAFFIC_IPV6_CHAIN, TRAFFIC_NO_VLAN, 124},
	        {TRAFFIC_IPV6_CHAIN, 1, 128},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, rows[i].frame, rows[i].least);
		char why[128];

		shape.vlan = rows[i].vlan;
		shape_is_fine(&shape, 2);
		if (rows[i].least == MIN_FRAME_OCTETS)
			snprintf(why, sizeof(why), "must arrive, but its frames of 63 octets are shorter than 64");
		else
			snprintf(why, sizeof(why), "frames of %u octets: at least %u", rows[i].least - 1,
			         rows[i].least);
		shape.frame_octets--;
		shape_is_refused(&shape, 2, why);
		shape.sizes = (struct traffic_sizes){3, {1518, (uint16_t)(rows[i].least - 1), 1518}};
		shape.frame_octets = 0;
		shape_is_refused(&shape, 2, why);
		shape.sizes.octets[1]++;
		shape_is_fine(&shape, 2);
	}
	shape_is_refused(&(struct traffic_shape){.bidirectional = true,
	                                         .vlan = TRAFFIC_NO_VLAN,
	                                         .frame = TRAFFIC_IPV6_UDP,
	                                         .addresses = 1,
	                                         .frame_octets = 83},
	                 2, "at least 84 for 62 of headers, 18 of signature and 4 of FCS");
}

Test(traffic_check, the_longest_frame)
{
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 16383);

	shape_is_fine(&shape, 2);
	shape.frame_octets++;
	shape_is_refused(&shape, 2, "frames of 16384 octets: must be 54 to 16383");
}

Test(traffic_check, lengths_are_one_or_a_list)
{
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 64);

	shape.sizes = (struct traffic_sizes){1, {64}};
	shape_is_refused(&shape, 2, "either a frame size or traffic.sizes");
	shape.frame_octets = 0;
	shape_is_fine(&shape, 2);
	shape.sizes.count = 0;
	shape_is_refused(&shape, 2, "either a frame size or traffic.sizes");
	shape.sizes.count = 65;
	shape_is_refused(&shape, 2, "65 frame sizes: at most 64");
}

Test(traffic_check, vlan)
{
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 128);

	shape.vlan = 4095;
	shape_is_refused(&shape, 2, "traffic.vlan = 4095: must be 0 to 4094 (IEEE 802.1Q)");
}

Test(traffic_check, traffic_through_a_router)
{
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 64);

	shape.routed = true;
	shape.addresses = 253;
	shape_is_fine(&shape, 2);
	shape.addresses = 254;
	shape_is_refused(&shape, 2, "traffic.addresses = 254 with traffic.routed: must be at most 253, in one network");
	shape.pattern = TRAFFIC_MESH;
	shape.addresses = 63;
	shape_is_fine(&shape, 5);
	shape.addresses = 64;
	shape_is_refused(&shape, 5,
	                 "traffic.addresses = 64 for each of 4 ports with traffic.routed: must be at most 63");
	shape.addresses = 1;
	shape.frame = TRAFFIC_ETHERNET;
	shape_is_refused(&shape, 2,
	                 "traffic.routed = true: frames of \"ethernet\" have no network address for a router");
}

/* Addresses are those of RFC 2544 C.2.2; the MAC address of the router at port 1 comes into what port 1 sends. */
Test(traffic_check, frames_through_a_router_go_to_its_mac_and_to_the_host_beyond)
{
	static const uint8_t ROUTER[6] = {2, 0x50, 0xAA, 0, 0, 1}, NOBODY[6] = {0}, TO[4] = {198, 18, 1, 2};
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 64);
	const struct test_host gateway = test_gateway(1);

	shape.routed = true;
	build(&traffic, &shape, 2);
	traffic_send_to(&traffic, 1, ROUTER);
	cr_expect_arr_eq(traffic.port[0].flow[0].packet.octets, NOBODY, 6);
	cr_expect_arr_eq(traffic.port[1].flow[0].packet.octets, ROUTER, 6);
	cr_expect_arr_eq(traffic.port[1].flow[0].packet.octets + 14 + 16, TO, 4);
	cr_expect_arr_eq(gateway.ipv4, ((const uint8_t[]){198, 19, 1, 1}), 4);
	cr_expect_arr_eq(gateway.ipv6, ((const uint8_t[]){0x20, 1, 0, 2, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 1}), 16);
}

Test(traffic_check, addresses)
{
	struct traffic_shape shape = shape_of(TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 128);

	shape.addresses = 0;
	shape_is_refused(&shape, 4, "traffic.addresses = 0: must be at least 1");
	shape.addresses = 85; /* 3 x 85 = 255 flows */
	shape_is_fine(&shape, 4);
	shape.addresses = 86;
	shape_is_refused(&shape, 4,
	                 "traffic.addresses = 86 for each of 3 ports: must be at most 85, as a port has 256 flows, or "
	                 "a power of two (RFC 2889 section 5.1.2)");
	shape.addresses = 2048;
	shape_is_fine(&shape, 4);
	shape.addresses = 4096;
	shape_is_refused(&shape, 4, "traffic.addresses = 4096: at most 2048 with frames of \"ipv4_udp\"");
	shape.frame = TRAFFIC_IPV6_UDP;
	shape.addresses = 65536;
	shape_is_fine(&shape, 4);
	shape.addresses = 131072;
	shape_is_refused(&shape, 4, "at most 65536 with frames of \"ipv6_udp\"");
}

/* ---------------------------------------------------------------- traffic, however made */

static struct traffic_flow *flow;
static struct traffic_port *port;

static void build_mesh(void)
{
	const struct traffic_shape shape = shape_of(TRAFFIC_MESH, TRAFFIC_IPV6_UDP, 128);

	build(&traffic, &shape, 4);
	port = &traffic.port[2];
	flow = &port->flow[1]; /* the flow to port 0 */
}

static void is_refused(const char *why)
{
	error.text[0] = 0;
	cr_assert_eq(traffic_check(&traffic, &LIMITS, &error), ERROR_PLAN, "%s", why);
	cr_expect_str_eq(error.text, why);
	traffic_free(&traffic);
	build_mesh();
}

static void is_fine(void)
{
	cr_assert_eq(traffic_check(&traffic, &LIMITS, &error), 0, "%s", error.text);
}

Test(traffic_check, where_frames_arrive, .init = build_mesh)
{
	is_fine();
	flow->arrives = 1 << 4;
	is_refused("port 2 flow 1: must arrive at ports 0x10, but there are 4 ports");
	flow->arrives = 1 << 2 | 1;
	is_refused("port 2 flow 1: must arrive at port 2, which sent it");
	flow->measured = false;
	is_refused("port 2 flow 1: must arrive at ports 0x1, but has no signature by which it is known there");
	flow->wrong = TRAFFIC_WRONG_CODE;
	is_refused("port 2 flow 1: must arrive at ports 0x1, but its frames are wrong (RFC 2889 section 5.9)");
	flow->arrives = 0;
	flow->measured = false;
	is_fine();
}

Test(traffic_check, headers, .init = build_mesh)
{
	flow->packet.full = true;
	is_refused("port 2 flow 1: headers of more than 192 octets");
	flow->packet.header_octets++;
	is_refused("port 2 flow 1: payload at octet 63: an odd number behind the transport header, whose checksum "
	           "covers it");
	flow->packet.fixed_octets = 129;
	is_refused("port 2 flow 1: frames of 128 octets: must be 129, which their headers say");
}

Test(traffic_check, lists_of_lengths, .init = build_mesh)
{
	port->lengths = 3;
	port->length = calloc(3, sizeof(*port->length));
	port->length[0] = port->length[1] = port->length[2] = 100;
	flow->first_length = 1;
	flow->lengths = 2;
	is_fine();
	flow->lengths = 3;
	is_refused("port 2 flow 1: lengths 1 to 3: the table has only 3");
	port->lengths = 1025;
	is_refused("port 2: a table of 1025 lengths: at most 1024");
}

Test(traffic_check, fields, .init = build_mesh)
{
	/* The destination address, 38 to 53, ends with 1 in octet 13 or a host number in the last. */
	struct traffic_field *field = &flow->field[0];

	*field = (struct traffic_field){.octet = 46, .mask = 0xFFFFFFFF, .count = 1 << 24};
	is_fine();
	field->octet = 50;
	is_refused("port 2 flow 1: a field at octet 50: octet 53 of the headers is not 0 there");
	field = &flow->field[0];
	*field = (struct traffic_field){.octet = 46, .mask = 1, .count = (1 << 24) + 1};
	is_refused("port 2 flow 1: a field of 16777217 values: at most 16777216");
	flow->field[3] = (struct traffic_field){.octet = 125, .mask = 1, .count = 1};
	is_refused("port 2 flow 1: a field at octet 125: at most 124");
	flow->field[3] = (struct traffic_field){.octet = 60, .mask = 1, .count = 1};
	is_refused("port 2 flow 1: a field at octet 60: octet 63 of the headers is not 0 there");
	memset(flow->packet.octets + 20, 0, 4);
	flow->field[3] = (struct traffic_field){.octet = 20, .mask = 0x00FFFF00, .count = 1};
	is_refused("port 2 flow 1: a field at octet 20: a checksum covers only a part of it");
	flow->field[3] = (struct traffic_field){.octet = 18, .mask = 0x0000FF00, .count = 1};
	memset(flow->packet.octets + 18, 0, 4);
	is_fine();
}

Test(traffic_check, order, .init = build_mesh)
{
	port->ordered = 4;
	is_refused("port 2: turns for 4 flows, but it has 3");
	port->every = 5;
	port->every_flow = 3;
	is_refused("port 2: one of every 5 frames is of flow 3, but it has only 3 flows");
	port->order = TRAFFIC_BY_TABLE;
	is_refused("port 2: a table of 0 turns: must be 1 to 4096");
	port->order = TRAFFIC_BY_TABLE;
	port->turns = 4097;
	is_refused("port 2: a table of 4097 turns: must be 1 to 4096");
	port->order = TRAFFIC_BY_TABLE;
	port->turns = 4096;
	port->turn = calloc(4096, 1);
	is_fine();
	port->turn[4095] = 3;
	is_refused("port 2 turn 4095: flow 3, but only 3 have turns");
}

Test(traffic_check, drawn_order, .init = build_mesh)
{
	port->order = TRAFFIC_DRAWN;
	is_refused(
	        "port 2: flows in a drawn order must arrive at the same ports, be equally right and have one length");
	port->order = TRAFFIC_DRAWN;
	for (unsigned i = 0; i < 3; i++)
		port->flow[i].arrives = 1;
	is_fine();
	port->lengths = 1;
	port->length = calloc(1, sizeof(*port->length));
	port->length[0] = 128;
	port->flow[0].lengths = 1;
	is_refused(
	        "port 2: flows in a drawn order must arrive at the same ports, be equally right and have one length");
}

/* Lists of 509, 512 and 513 lengths repeat together after 133 million rounds. */
Test(traffic_check, a_cycle_that_cannot_be_counted, .init = build_mesh)
{
	static const uint16_t LENGTHS[] = {509, 512, 513};

	port->lengths = 1024;
	port->length = calloc(1024, sizeof(*port->length));
	for (unsigned i = 0; i < 1024; i++)
		port->length[i] = 128;
	for (unsigned i = 0; i < 3; i++)
		port->flow[i].lengths = LENGTHS[i];
	is_fine();
	port->every = 1 << 20;
	is_refused("port 2: turns and lengths begin again only after more than 2^48 frames");
}

Test(traffic_check, what_a_device_has_no_room_for, .init = build_mesh)
{
	struct traffic_limits limits = LIMITS;

	limits.flows = 2;
	cr_assert_eq(traffic_check(&traffic, &limits, &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "port 0: 3 flows: at most 2");
	limits = LIMITS;
	limits.bodies = 2;
	is_fine();
	traffic_add_tag(&traffic, TYPE_VLAN, 1); /* 66 octets */
	cr_assert_eq(traffic_check(&traffic, &limits, &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "port 0: 3 flows with headers of more than 64 octets: at most 2");
	limits.bodies = 3;
	cr_assert_eq(traffic_check(&traffic, &limits, &error), 0);
}
