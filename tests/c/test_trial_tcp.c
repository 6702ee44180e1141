/* SPDX-License-Identifier: Apache-2.0 */
/* TCP connections of a trial without a device: what a request may ask for, what the registers are told, what makes a
 * trial invalid and what it says then, and the frames of the flows against packets made by hand. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/connection_flow.h"
#include "host/traffic/frame_template.h"
#include "host/traffic/packet_checksum.h"
#include "host/trial/flow_registers.h"
#include "host/trial/judging/tcp.h"
#include "host/trial/tcp_load.h"
#include "host/trial/tcp_registers.h"

enum { PORTS = 4, LINK_GBPS = 100 };

static struct device_identity identity;
static struct trial_request request;
static struct trial_counters counters;
static struct tcp_counters tcp;
static struct trial_result result;
static struct error error;

/* Two connections from each of ports 0 and 2 to port 1, all well. */
static void begin(void)
{
	identity = (struct device_identity){.name = "fake",
	                                    .ports = PORTS,
	                                    .groups = 8,
	                                    .tcp_connections = 64,
	                                    .link_bps = UINT64_C(1000000000) * LINK_GBPS};
	request = (struct trial_request){.tcp = {.senders = 5,
	                                         .receiver = 1,
	                                         .connections = 2,
	                                         .mss = 1460,
	                                         .window = 65535u << 7,
	                                         .window_scale = 7,
	                                         .ack_every = 2,
	                                         .ack_delay_ot = 12500,
	                                         .rto_min_ot = 12500000,
	                                         .lead_ot = 8000,
	                                         .duration_ot = 1000000}};
	counters = (struct trial_counters){.ports = PORTS};
	tcp = (struct tcp_counters){.count = 4, .begin_ot = 10000, .end_ot = 1010000};
	for (unsigned i = 0; i < tcp.count; i++)
		tcp.pair[i] = (struct tcp_pair){
		        .sender = {TCP_STATE_ESTABLISHED, TCP_STATE_ESTABLISHED, TCP_STATE_CLOSED},
		        .receiver = {TCP_STATE_ESTABLISHED, TCP_STATE_ESTABLISHED, TCP_STATE_TIME_WAIT},
		        .begin_octets = 1000 * i,
		        .end_octets = 1000 * i + 100000,
		        .octets = 200000 + i,
		        .acknowledged_octets = 200000 + i,
		        .segments = 150,
		        .again_segments = i};
	for (unsigned port = 0; port < 3; port++) {
		counters.tcp_frames[port] = counters.port[port].tx_frames = counters.port[port].tcp_sent_segments = 300;
		counters.port[port].rx_tcp_frames = 290;
	}
}

TestSuite(trial_tcp, .init = begin);

static void judge(void)
{
	result = (struct trial_result){.valid = true, .ports = PORTS};
	trial_tcp_judge(&request, &counters, &tcp, &result);
}

static void is_invalid(const char *why)
{
	judge();
	cr_assert_not(result.valid, "expected: %s", why);
	cr_expect(strstr(result.why_invalid, why), "\"%s\" says nothing of \"%s\"", result.why_invalid, why);
}

/* -- judgement ---------------------------------------------------------------------------------------------------- */

Test(trial_tcp, connections_that_were_all_well_are_in_the_result_in_the_order_of_the_receiver)
{
	judge();
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.connections, 4);
	cr_expect_eq(result.tcp_ot, 1000000);
	for (unsigned i = 0; i < 4; i++) {
		const struct trial_connection *one = &result.connection[i];

		cr_expect_eq(one->port, i < 2 ? 0 : 2);
		cr_expect_eq(one->connection, i % 2);
		cr_expect_eq(one->receiver, 1);
		cr_expect_eq(one->receiving_connection, i);
		cr_expect_eq(one->goodput_octets, 100000);
		cr_expect_eq(one->octets, 200000 + i);
		cr_expect_eq(one->segments, 150);
		cr_expect_eq(one->again_segments, i);
	}
	cr_expect_eq(result.port[0].tcp_offered_frames, 300);
	cr_expect_eq(result.port[1].tcp_received_frames, 290);
}

Test(trial_tcp, a_connection_that_did_not_open_is_named_before_all_that_follows_from_it)
{
	tcp.pair[3].sender.opened = TCP_STATE_SYN_SENT;
	tcp.pair[3].receiver.opened = TCP_STATE_LISTEN;
	for (unsigned i = 0; i < 4; i++) /* nothing else was looked at */
		tcp.pair[i].sender.measured = tcp.pair[i].receiver.measured = 0;
	is_invalid("TCP connection 1 of port 2 to port 1 did not open in 8000 octet times: it is in SYN-SENT, the "
	           "other end in "
	           "LISTEN");
	cr_expect_not(trial_tcp_is_open(&tcp));
}

Test(trial_tcp, an_end_that_still_waits_for_the_first_segment_is_open)
{
	tcp.pair[2].receiver.opened = tcp.pair[2].receiver.measured = TCP_STATE_SYN_RECEIVED;
	judge();
	cr_expect(result.valid, "%s", result.why_invalid);
	cr_expect(trial_tcp_is_open(&tcp));
	tcp.pair[2].sender.opened = TCP_STATE_SYN_RECEIVED;
	cr_expect_not(trial_tcp_is_open(&tcp));
}

Test(trial_tcp, a_connection_that_was_lost_is_named)
{
	tcp.pair[2].receiver.measured = TCP_STATE_CLOSED;
	is_invalid("TCP connection 0 of port 2 to port 1 was lost: it is in ESTABLISHED, the other end in CLOSED");
}

Test(trial_tcp, a_connection_that_did_not_close_is_named)
{
	tcp.pair[1].sender.closed = TCP_STATE_FIN_WAIT_1;
	is_invalid(
	        "TCP connection 1 of port 0 to port 1 did not close: it is in FIN-WAIT-1, the other end in TIME-WAIT");
}

Test(trial_tcp, segments_that_the_tester_lost_while_connections_were_closed_do_not_matter)
{
	counters.port[1].tcp_dropped_segments = 7;
	judge();
	cr_expect(result.valid, "%s", result.why_invalid);
}

Test(trial_tcp, segments_that_the_tester_lost_make_a_trial_invalid_at_any_port)
{
	tcp.dropped_segments[3] = 7;
	is_invalid("port 3: the tester lost 7 TCP segments that had arrived");
}

Test(trial_tcp, a_connection_that_ended_without_having_been_closed_makes_a_trial_invalid)
{
	counters.port[1].tcp_lost_connections = 1;
	is_invalid("port 1: 1 TCP connections ended without having been closed");
}

Test(trial_tcp, a_tester_that_was_late_makes_a_trial_invalid)
{
	counters.port[2].tx_late_frames = 1;
	is_invalid("port 2: the tester was late");
}

Test(trial_tcp, segments_that_were_made_are_the_frames_that_left_and_at_most_those_that_waited)
{
	counters.port[0].tcp_sent_segments = 320;
	judge();
	cr_expect(result.valid, "%s", result.why_invalid);
	counters.port[0].tcp_sent_segments = 321;
	is_invalid("port 0: 321 TCP segments made, but 300 frames");
	counters.port[0].tcp_sent_segments = 299;
	is_invalid("port 0: 299 TCP segments made, but 300 frames");
}

Test(trial_tcp, more_bad_segments_than_segments_make_a_trial_invalid)
{
	counters.port[0].rx_tcp_bad_frames = 291;
	is_invalid("port 0: 291 of 290 TCP segments");
}

Test(trial_tcp, octets_that_were_acknowledged_but_did_not_arrive_make_a_trial_invalid)
{
	tcp.pair[0].acknowledged_octets++;
	is_invalid("TCP connection 0 of port 0 to port 1: 200001 octets were acknowledged, but 200000 arrived");
}

Test(trial_tcp, octets_beyond_2_to_the_32_are_compared_modulo_that)
{
	tcp.pair[0].octets += UINT64_C(3) << 32;
	judge();
	cr_expect(result.valid, "%s", result.why_invalid);
}

Test(trial_tcp, a_connection_that_has_octets_to_send_sends_them_all)
{
	request.tcp.octets = 200000;
	for (unsigned i = 0; i < 4; i++)
		tcp.pair[i].octets = tcp.pair[i].acknowledged_octets = 200000;
	judge();
	cr_expect(result.valid, "%s", result.why_invalid);
	tcp.pair[3].octets = tcp.pair[3].acknowledged_octets = 199999;
	is_invalid("TCP connection 1 of port 2 to port 1: 199999 octets arrived, not the 200000");
}

Test(trial_tcp, more_than_the_line_carries_makes_a_trial_invalid)
{
	for (unsigned i = 0; i < 4; i++) {
		tcp.pair[i].end_octets = tcp.pair[i].begin_octets + 100000000;
		tcp.pair[i].octets = tcp.pair[i].end_octets;
		tcp.pair[i].acknowledged_octets = (uint32_t)tcp.pair[i].octets;
	}
	is_invalid("port 1: 400000000 octets of TCP in order in 1000000 octet times: more than its line carries");
}

Test(trial_tcp, counts_that_go_back_make_a_trial_invalid)
{
	tcp.pair[1].octets = tcp.pair[1].end_octets - 1;
	tcp.pair[1].acknowledged_octets = (uint32_t)tcp.pair[1].octets;
	is_invalid(
	        "TCP connection 1 of port 0 to port 1: 1000 octets delivered, then 101000, at last 100999: impossible");
}

Test(trial_tcp, a_trial_without_connections_is_left_as_it_is)
{
	request.tcp.senders = 0;
	tcp.dropped_segments[0] = 1;
	judge();
	cr_expect(result.valid);
	cr_expect_eq(result.connections, 0);
}

/* -- requests ----------------------------------------------------------------------------------------------------- */

static void is_refused(const char *why)
{
	cr_assert_neq(tcp_check(&request.tcp, &identity, &error), 0, "expected: %s", why);
	cr_expect(strstr(error.text, why), "\"%s\" says nothing of \"%s\"", error.text, why);
}

Test(trial_tcp, requests_are_checked_against_the_device_and_the_registers)
{
	cr_expect_eq(tcp_check(&request.tcp, &identity, &error), 0, "%s", error.text);
	request.tcp.connections = 32;
	cr_expect_eq(tcp_check(&request.tcp, &identity, &error), 0, "%s", error.text);
	request.tcp.connections = 33;
	is_refused("connections = 33 of each of 2 ports to the same one: must be 1 to 32");
	begin();
	request.tcp.mss = 87;
	is_refused("mss = 87: must be 88 to 9000");
	begin();
	request.tcp.window = 65536u << 7;
	is_refused("must be a multiple of 128, at most 8388480");
	begin();
	request.tcp.window = 1000;
	is_refused("must be a multiple of 128");
	begin();
	request.tcp.window_scale = 15;
	is_refused("window_scale = 15");
	begin();
	request.tcp.senders = 7;
	is_refused("TCP from ports 0x7 to port 1");
	begin();
	request.tcp.senders = 1u << PORTS;
	is_refused("TCP from ports 0x10");
	begin();
	request.tcp.lead_ot = 12;
	is_refused("out of range");
	begin();
	identity.tcp_connections = 0;
	is_refused("fake has no TCP connections: it was built without them");
}

static uint32_t written(const struct register_write *writes, unsigned count, uint32_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (writes[i].address == address)
			return writes[i].value;
	cr_assert_fail("register %#x was not written", address);
	return 0;
}

/* A tick is 256 words of 64 octets here. */
Test(trial_tcp, times_are_rounded_up_to_ticks)
{
	struct register_write writes[TCP_SETTINGS_WRITES];
	unsigned count;

	request.tcp.rto_min_ot = 16384 * 10 + 1;
	request.tcp.ack_delay_ot = 16384;
	count = tcp_settings(&request.tcp, 2, 54, &identity, writes);
	cr_assert_leq(count, TCP_SETTINGS_WRITES);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_MIN(2)), 11);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_INITIAL(2)), 11); /* no less than the least one */
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_AFTER_SYN(2)), 31);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_ACK_DELAY(2)), 1);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_MAX(2)), 45776368); /* 60 s, rounded up */
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_MSS(2)), 1460);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_WINDOW(2)), 8388480);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_HEADER_OCTETS(2)), 54);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_ENABLE(2)), 1);
	request.tcp.rto_min_ot = UINT64_MAX;
	count = tcp_settings(&request.tcp, 2, 54, &identity, writes);
	cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_MIN(2)), (1u << 30) - 1);
}

/* RFC 6298: 1 s (section 2.1), and 3 s after a SYN that was sent again (section 5.7). 1 s are 762939.45 ticks. */
Test(trial_tcp, the_first_timeouts_are_those_of_rfc_6298_and_shorter_or_longer_ones_in_proportion)
{
	static const struct {
		uint64_t initial_ot, least_ot;
		uint32_t initial, after_syn; /* ticks */
	} CASES[] = {
	        {UINT64_C(12500000000), 12500000, 762940, 2288819},      /* 1 s: 3 s */
	        {UINT64_C(25000000000), 12500000, 1525879, 2288819},     /* 2 s: 3 s */
	        {UINT64_C(50000000000), 12500000, 3051758, 3051758},     /* 4 s: 4 s */
	        {125000000, 12500000, 7630, 22889},                      /* 10 ms: 30 ms */
	        {12500000, UINT64_C(50000000000), 3051758, 3051758},     /* the least one is longer */
	        {UINT64_C(1250000000000), 12500000, 76293946, 76293946}, /* 100 s */
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct register_write writes[TCP_SETTINGS_WRITES];
		unsigned count;
		uint32_t most;

		request.tcp.rto_initial_ot = CASES[i].initial_ot;
		request.tcp.rto_min_ot = CASES[i].least_ot;
		count = tcp_settings(&request.tcp, 1, 54, &identity, writes);
		cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_INITIAL(1)), CASES[i].initial);
		cr_expect_eq(written(writes, count, FPGAUGE_PORT_TCP_RTO_AFTER_SYN(1)), CASES[i].after_syn);
		most = written(writes, count, FPGAUGE_PORT_TCP_RTO_MAX(1));
		cr_expect(most >= 45776368 && most >= CASES[i].initial, "most %u", most);
	}
}

static void check_load(unsigned header_octets, unsigned fits, unsigned depends)
{
	cr_expect_eq(tcp_load_least_mss(TCP_LOAD_FITS, header_octets, &identity), fits);
	cr_expect_eq(tcp_load_least_mss(TCP_LOAD_DEPENDS, header_octets, &identity), depends);
	cr_expect_eq(tcp_load_of(fits, header_octets, &identity), TCP_LOAD_FITS);
	cr_expect_eq(tcp_load_of(fits - 1, header_octets, &identity), TCP_LOAD_DEPENDS);
	cr_expect_eq(tcp_load_of(depends, header_octets, &identity), TCP_LOAD_DEPENDS);
	cr_expect_eq(tcp_load_of(depends - 1, header_octets, &identity), TCP_LOAD_TOO_MUCH);
}

/* A segment has FCS, preamble and gap too on the line: 24 octets. 19 words of 64 octets are 1216, and 12 are 768. */
Test(trial_tcp, segments_must_be_as_long_as_what_the_engine_takes_for_them)
{
	check_load(54, 1138, 690);
	check_load(58, 1134, 686);
	check_load(78, 1114, 666);
	identity.groups = 4;
	check_load(54, 530, 306);
	identity.groups = 1; /* 152 octets are less than the least MSS of a plan makes */
	cr_expect_eq(tcp_load_of(88, 54, &identity), TCP_LOAD_FITS);
}

Test(trial_tcp, tcp_ports_of_tester_ports_do_not_meet)
{
	for (unsigned port = 1; port < TRIAL_MAX_PORTS; port++)
		cr_expect_geq(tcp_first_port(port), tcp_first_port(port - 1) + TRIAL_MAX_CONNECTIONS);
	cr_expect_leq(tcp_first_port(TRIAL_MAX_PORTS - 1) + TRIAL_MAX_CONNECTIONS, 65536);
}

Test(trial_tcp, an_end_listens_or_begins_and_sends_octets_or_without_end)
{
	struct register_write writes[TCP_OPEN_WRITES];

	tcp_open(&request.tcp, 1, 5, true, 77, writes);
	cr_expect_eq(writes[0].value, 77);
	cr_expect_eq(writes[1].value, 0);
	cr_expect_eq(writes[2].value, 5 | 1 << 8 | 1 << 9);
	tcp_open(&request.tcp, 0, 5, false, 77, writes);
	cr_expect_eq(writes[2].value, 5 | 1 << 8 | 1 << 10);
	request.tcp.octets = 1000;
	tcp_open(&request.tcp, 0, 5, false, 77, writes);
	cr_expect_eq(writes[1].value, 1000);
	cr_expect_eq(writes[2].value, 5 | 1 << 8);
}

/* -- flows -------------------------------------------------------------------------------------------------------- */

/* All that docs/registers.md says at tcp_header_octets. */
static void check_packet(enum traffic_frame frame, unsigned tags, unsigned header_octets, unsigned kept)
{
	const struct test_host from = test_host(2, 0), to = test_host(1, 0);
	struct packet packet, tcp_packet;
	unsigned l4;

	test_frame(&packet, frame, &from, &to);
	for (unsigned i = 0; i < tags; i++)
		packet_add_tag(&packet, TYPE_VLAN, 5 + i);
	tcp_packet = packet;
	if (packet_is_fixable(&tcp_packet))
		packet_fix(&tcp_packet, 512);
	cr_assert(connection_packet(&tcp_packet, 0x1234, 0x5678));
	cr_expect_eq(connection_header_octets(&tcp_packet), header_octets);
	cr_expect_eq(tcp_packet.header_octets, kept);
	cr_expect_eq(tcp_packet.fixed_octets, 0);
	l4 = header_octets - 20;
	for (unsigned i = 0; i < l4; i++) /* the same addresses; only the protocol is another */
		if (tcp_packet.octets[i] != packet.octets[i])
			cr_expect(packet.octets[i] == 17 && tcp_packet.octets[i] == 6, "octet %u", i);
	cr_expect_eq(tcp_packet.octets[l4], 0x12);
	cr_expect_eq(tcp_packet.octets[l4 + 1], 0x34);
	cr_expect_eq(tcp_packet.octets[l4 + 2], 0x56);
	cr_expect_eq(tcp_packet.octets[l4 + 3], 0x78);
	for (unsigned i = l4 + 4; i < kept; i++)
		cr_expect_eq(tcp_packet.octets[i], 0, "octet %u", i);
	cr_expect_eq(packet_checksum2(&tcp_packet).octet, l4 + 16);
	cr_expect_eq(packet_checksum2(&tcp_packet).times, 1);
	cr_expect_not(packet_checksum2(&tcp_packet).zero_as_ones);
	cr_expect_not(packet_length2(&tcp_packet).used);
	cr_expect_eq(packet_length2(&tcp_packet).base, l4 + 4);
}

Test(trial_tcp, flows_of_connections_have_headers_and_zeros_wherever_the_device_writes)
{
	check_packet(TRAFFIC_IPV4_UDP, 0, 54, 64);
	check_packet(TRAFFIC_IPV4_UDP, 1, 58, 128);
	check_packet(TRAFFIC_IPV6_UDP, 0, 74, 128);
	check_packet(TRAFFIC_IPV6_UDP, 2, 82, 128);
}

Test(trial_tcp, frames_without_ip_or_with_extension_headers_have_no_connections)
{
	const struct test_host from = test_host(2, 0), to = test_host(1, 0);
	struct packet packet;

	test_frame(&packet, TRAFFIC_ETHERNET, &from, &to);
	cr_expect_not(connection_packet(&packet, 1, 2));
	test_frame(&packet, TRAFFIC_IPV6_ROUTING, &from, &to);
	cr_expect_not(connection_packet(&packet, 1, 2));
}

Test(trial_tcp, each_connection_has_the_ports_of_its_two_ends)
{
	const struct traffic_limits limits = {256, 256, 64, 9216};
	struct traffic_shape shape = traffic_shape_plain(512);
	struct traffic mesh, traffic = {.ports = PORTS};

	shape.pattern = TRAFFIC_MESH;
	shape.bidirectional = true;
	cr_assert_eq(traffic_build(&shape, PORTS, &limits, &mesh, &error), 0, "%s", error.text);
	cr_assert_eq(tcp_add_flows(&mesh, &request.tcp, &traffic, &error), 0, "%s", error.text);
	cr_expect_eq(traffic.port[0].flows, 2);
	cr_expect_eq(traffic.port[1].flows, 4);
	cr_expect_eq(traffic.port[2].flows, 2);
	cr_expect_eq(traffic.port[3].flows, 0);
	for (unsigned i = 0; i < 4; i++) {
		const unsigned from = trial_tcp_sender(&request.tcp, i), number = trial_tcp_number(&request.tcp, i);
		const struct traffic_flow *there = &traffic.port[from].flow[number], *back = &traffic.port[1].flow[i];
		const uint8_t *a = there->packet.octets, *b = back->packet.octets;

		cr_expect_eq(there->arrives, 2);
		cr_expect_eq(back->arrives, 1u << from);
		cr_expect(!memcmp(a, b + 6, 6) && !memcmp(a + 6, b, 6), "MAC addresses of connection %u", i);
		cr_expect(!memcmp(a + 26, b + 30, 4) && !memcmp(a + 30, b + 26, 4), "addresses of connection %u", i);
		cr_expect_eq(get_be16(a + 34), tcp_first_port(from) + number);
		cr_expect_eq(get_be16(a + 36), tcp_first_port(1) + i);
		cr_expect(!memcmp(a + 34, b + 36, 2) && !memcmp(a + 36, b + 34, 2), "ports of connection %u", i);
		cr_expect_not(traffic_sends(&traffic, from));
	}
	cr_expect_eq(traffic.port[0].frame_octets, 54 + 1460 + 4);
	traffic_free(&mesh);
	traffic_free(&traffic);
}
