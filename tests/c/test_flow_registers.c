/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that make traffic: against the registers of a plain flow, and against words put together by hand from
 * docs/registers.md. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/traffic/modifier.h"
#include "host/trial/flow_registers.h"
#include "host/trial/plain_flow.h"
#include "tests/c/traffic_walk.h"

static struct traffic traffic;
static struct register_write writes[TABLE_MAX_WRITES];
static unsigned count;

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(flow_registers, .fini = tear_down);

static struct traffic_shape shape_of(enum traffic_pattern pattern, enum traffic_frame frame, uint32_t frame_octets)
{
	struct traffic_shape shape = traffic_shape_plain(frame_octets);

	shape.pattern = pattern;
	shape.frame = frame;
	return shape;
}

/* The value of write number `nth` (from 0) to an address. */
static uint32_t nth_value(uint32_t address, unsigned nth)
{
	for (unsigned i = 0; i < count; i++)
		if (writes[i].address == address && nth-- == 0)
			return writes[i].value;
	cr_assert(false, "0x%x is not written so often", (unsigned)address);
	return 0;
}

static uint32_t value(uint32_t address)
{
	return nth_value(address, 0);
}

static unsigned times(uint32_t address)
{
	unsigned found = 0;

	for (unsigned i = 0; i < count; i++)
		found += writes[i].address == address;
	return found;
}

Test(flow_registers, the_flows_of_pairs_are_plain)
{
	struct traffic_shape shape = traffic_shape_plain(1518);

	shape.addresses = 256;
	build(&traffic, &shape, 4);
	for (unsigned port = 0; port < 4; port++)
		for (unsigned flow = 0; flow < 256; flow += 51) {
			struct register_write plain[PLAIN_FLOW_WRITES];
			uint8_t octets[TEMPLATE_OCTETS];

			frame_template(octets, port, port ^ 1, flow, 1518);
			plain_flow(plain, port, flow, octets);
			count = flow_registers(&traffic, port, flow, writes);
			cr_assert_eq(count, PLAIN_FLOW_WRITES);
			cr_assert_arr_eq(writes, plain, sizeof(plain));
		}
}

/* Headers of 62 octets: l3 is 14, l4 is 54. */
Test(flow_registers, udp_over_ipv6_has_lengths_and_a_checksum)
{
	const struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV6_UDP, 128);

	build(&traffic, &shape, 2);
	count = flow_registers(&traffic, 1, 0, writes);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_LENGTH1(1)), 1u << 31 | 58u << 16 | 18);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_LENGTH2(1)), 1u << 31 | 58u << 16 | 58);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_CHECKSUM1(1)), 0);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_CHECKSUM2(1)) & 0xFFFF, 1u << 15 | 1u << 14 | 2u << 12 | 60);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_PAYLOAD(1)), 62);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_BODY(1)), 0);
	cr_expect_eq(times(FPGAUGE_PORT_TX_BODY_INDEX(1)), 0);
	cr_expect_eq(value(FPGAUGE_PORT_TX_HEADER(1) + 60), 0x01000000, "checksum 0, then the payload 00 01");
}

/* Headers with a tag are 66 octets, so the last two are in the body, which begins at the entry with twice the number of
 * the flow. */
Test(flow_registers, long_headers_have_a_body)
{
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV6_UDP, 128);

	shape.vlan = 0x123;
	shape.addresses = 8;
	build(&traffic, &shape, 2);
	count = flow_registers(&traffic, 0, 5, writes);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_BODY(0)), 1u << 16 | 10);
	cr_expect_eq(value(FPGAUGE_PORT_TX_BODY_INDEX(0)), 10);
	cr_expect_eq(value(FPGAUGE_PORT_TX_HEADER(0) + 12), 0x23010081, "81 00 01 23");
	cr_expect_eq(value(FPGAUGE_PORT_TX_HEADER(0) + 60), 0x00000700, "port 7, no length");
	cr_expect_eq(value(FPGAUGE_PORT_TX_BODY(0)), 0x01000000);
	cr_expect_eq(value(FPGAUGE_PORT_TX_BODY(0) + 4), 0x05040302);
	cr_expect_eq(value(FPGAUGE_PORT_TX_BODY(0) + 60), 0x3d3c3b3a);
	cr_expect_eq(count, 9 + 2 * 4 + 16 + 1 + 16);
}

Test(flow_registers, lengths_of_a_mix_are_entries_in_turn)
{
	static const struct traffic_sizes SIZES = {3, {64, 570, 1518}};
	struct traffic_shape shape = shape_of(TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 0);

	shape.sizes = SIZES;
	build(&traffic, &shape, 3);
	for (unsigned flow = 0; flow < 2; flow++) {
		uint32_t size, first;

		count = flow_registers(&traffic, 2, flow, writes);
		size = value(FPGAUGE_PORT_TX_FLOW_SIZE(2));
		first = size >> 2 & 0x3FFF;
		cr_expect_eq(size & 3, 1, "in turn");
		cr_expect_eq(size >> 16, 3);
		cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_LENGTH1(2)), 1u << 31 | 18u << 16 | 16, "total length");
		cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_LENGTH2(2)), 1u << 31 | 38u << 16 | 38, "UDP length");
		cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_CHECKSUM1(2)) & 0xFFFF, 1u << 15 | 24);
		cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_CHECKSUM2(2)), 0);
		count = length_registers(&traffic, 2, writes);
		cr_assert_eq(count, 2 * 6);
		/* Each flow has the whole list, from one entry after the flow before it. */
		for (unsigned i = 0; i < 3; i++) {
			cr_expect_eq(nth_value(FPGAUGE_PORT_TX_SIZE_INDEX(2), first + i), first + i);
			cr_expect_eq(nth_value(FPGAUGE_PORT_TX_SIZE_OCTETS(2), first + i),
			             SIZES.octets[(flow + i) % 3]);
		}
	}
}

Test(flow_registers, hosts_as_fields_say_in_which_checksum_they_are)
{
	struct traffic_shape shape = shape_of(TRAFFIC_PAIRS, TRAFFIC_IPV4_UDP, 128);

	shape.addresses = 1024;
	build(&traffic, &shape, 2);
	count = flow_registers(&traffic, 0, 0, writes);
	for (unsigned i = 0; i < 4; i++) {
		static const uint32_t KINDS[] = {1 | 2 << 8, 1 | 8 << 8, 1 | 30 << 8 | 1 << 16, 1 | 26 << 8 | 1 << 16};

		cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_INDEX(0), i), i);
		cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_KIND(0), i), KINDS[i], "field %u", i);
		cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_MASK(0), i), 1023);
		cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_COUNT(0), i), 1024);
		cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_STEP(0), i), 1);
		cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_START(0), i), 0);
	}
	traffic_free(&traffic);
	shape.frame = TRAFFIC_IPV6_UDP;
	build(&traffic, &shape, 2);
	count = flow_registers(&traffic, 0, 0, writes);
	cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_KIND(0), 2), 1 | 50 << 8 | 1 << 17);
	cr_expect_eq(nth_value(FPGAUGE_PORT_TX_FIELD_KIND(0), 3), 1 | 34 << 8 | 1 << 17);
}

Test(flow_registers, what_is_wrong_with_frames_is_a_flag)
{
	const struct traffic_shape shape = traffic_shape_plain(128);

	build(&traffic, &shape, 2);
	traffic_make_wrong(&traffic, TRAFFIC_WRONG_FCS);
	traffic.port[1].flow[0].wrong = TRAFFIC_WRONG_CODE;
	traffic.port[1].flow[0].measured = false;
	count = flow_registers(&traffic, 0, 0, writes);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_FLAGS(0)), 2);
	count = flow_registers(&traffic, 1, 0, writes);
	cr_expect_eq(value(FPGAUGE_PORT_TX_FLOW_FLAGS(1)), 5);
}

/* RFC 2889 5.1.3: port 1 sends to 2, 3, 0 in turn, with three hosts each. */
Test(flow_registers, each_port_expects_the_streams_that_are_sent_to_it)
{
	struct traffic_shape shape = shape_of(TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 64);

	shape.addresses = 12;
	build(&traffic, &shape, 4);
	count = expected_registers(&traffic, 3, 1, writes);
	cr_assert_eq(count, 8);
	cr_expect_eq(value(FPGAUGE_PORT_RX_EXPECTED(3) + 4 * 8), 0x92492492, "flows 1, 4, 7 ... 31");
	cr_expect_eq(value(FPGAUGE_PORT_RX_EXPECTED(3) + 4 * 9), 4, "34");
	for (unsigned word = 2; word < 8; word++)
		cr_expect_eq(value(FPGAUGE_PORT_RX_EXPECTED(3) + 4 * (8 + word)), 0);
	count = expected_registers(&traffic, 3, 3, writes);
	for (unsigned word = 0; word < 8; word++)
		cr_expect_eq(value(FPGAUGE_PORT_RX_EXPECTED(3) + 4 * (24 + word)), 0, "none of its own");
}

Test(flow_registers, a_table_of_turns_is_written_if_the_order_is_one)
{
	const struct traffic_shape shape = shape_of(TRAFFIC_MESH, TRAFFIC_IPV4_UDP, 64);

	build(&traffic, &shape, 4);
	cr_expect_eq(turn_registers(&traffic, 0, writes), 0);
	traffic.port[0].order = TRAFFIC_BY_TABLE;
	traffic.port[0].turns = 3;
	traffic.port[0].turn = calloc(3, 1);
	traffic.port[0].turn[1] = 2;
	count = turn_registers(&traffic, 0, writes);
	cr_assert_eq(count, 6);
	cr_expect_eq(nth_value(FPGAUGE_PORT_TX_TURN_INDEX(0), 1), 1);
	cr_expect_eq(nth_value(FPGAUGE_PORT_TX_TURN_FLOW(0), 1), 2);
	cr_expect_eq(nth_value(FPGAUGE_PORT_TX_TURN_FLOW(0), 2), 0);
}
