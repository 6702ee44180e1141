/* SPDX-License-Identifier: Apache-2.0 */
/* Routing updates, against the table of RFC 2544 C.2.6.2: its offsets and its octets, in its order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/traffic/protocols/rip.h"

enum { FIRST_ROUTE = 46, ROUTE = 20, PORTS = 16 };

static struct rip_sender sender_of(unsigned port, unsigned entry)
{
	return (struct rip_sender){.host = test_host(port, entry), .tci = NEIGHBOUR_NO_TAG};
}

static void expect_at(const struct datagram_frame *frame, unsigned offset, const char *hex, const char *what)
{
	char text[64] = "";

	cr_assert_leq(offset + strlen(hex) / 2, frame->count);
	for (unsigned i = 0; i < strlen(hex) / 2; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", frame->octets[offset + i]);
	cr_expect_str_eq(text, hex, "octet %u, %s", offset, what);
}

static struct datagram_frame state_frame(unsigned port, enum rip_state state)
{
	const struct rip_sender sender = sender_of(port, 0);
	struct rip_route routes[RIP_STATE_ROUTES];
	struct datagram_frame frame;

	rip_state_routes(port, state, routes);
	cr_assert(rip_update(&sender, routes, RIP_STATE_ROUTES, &frame));
	return frame;
}

/* The lengths and the header checksum are not those that are printed: rip.c says why. */
Test(rip, update_a_is_the_frame_of_the_appendix)
{
	static const struct {
		unsigned offset;
		const char *hex, *what;
	} TABLE[] = {
	        {0, "ffffffffffff", "destination MAC address is broadcast"},
	        {6, "024647000000", "source hardware address"},
	        {12, "0800", "type"},
	        {14, "45", "version 4, header length 5"},
	        {15, "00", "service field"},
	        {16, "0098", "total length: printed 00 EE"},
	        {18, "0000", "ID"},
	        {20, "4000", "flags 4, fragment offset 0"},
	        {22, "0a", "TTL"},
	        {23, "11", "UDP"},
	        {24, "e12f", "header checksum: printed C4 8D"},
	        {26, "c6120102", "source IP address"},
	        {30, "c61201", "destination IP address"},
	        {33, "ff", "host part FF for broadcast"},
	        {34, "0208", "source port RIP"},
	        {36, "0208", "destination port RIP"},
	        {38, "0084", "UDP message length: printed 00 DA"},
	        {40, "0000", "UDP checksum"},
	        {42, "02", "response"},
	        {43, "01", "version 1"},
	        {44, "0000", "0"},
	        {46, "0002", "net 1: IP"},
	        {48, "0000", "net 1: 0"},
	        {50, "c61258", "net 1: 198.18.88"},
	        {53, "00", "net 1: net not node"},
	        {54, "0000000000000000", "net 1: 0"},
	        {62, "00000007", "net 1: metric 7"},
	        {66, "00020000c6125900000000000000000000000007", "net 2"},
	        {86, "00020000c6125a00000000000000000000000007", "net 3"},
	        {106, "00020000c6125b00000000000000000000000007", "net 4"},
	        {126, "00020000c6125c00000000000000000000000007", "net 5: printed without address"},
	        {146, "00020000c6125d00000000000000000000000007", "net 6"},
	};
	const struct datagram_frame frame = state_frame(0, RIP_STATE_A);
	unsigned next = 0;

	for (size_t i = 0; i < sizeof(TABLE) / sizeof(TABLE[0]); i++) {
		expect_at(&frame, TABLE[i].offset, TABLE[i].hex, TABLE[i].what);
		cr_assert_eq(TABLE[i].offset, next, "the table has no gaps");
		next += (unsigned)strlen(TABLE[i].hex) / 2;
	}
	cr_expect_eq(frame.count, next);
}

Test(rip, update_b_gives_the_same_networks_another_metric_and_differs_in_nothing_else)
{
	const struct datagram_frame a = state_frame(3, RIP_STATE_A), b = state_frame(3, RIP_STATE_B);

	cr_assert_eq(a.count, b.count);
	for (unsigned i = 0; i < a.count; i++)
		if (i >= FIRST_ROUTE && (i - FIRST_ROUTE) % ROUTE == ROUTE - 1)
			cr_expect(a.octets[i] == 7 && b.octets[i] == 8, "octet %u", i);
		else
			cr_expect_eq(a.octets[i], b.octets[i], "octet %u", i);
}

/* RFC 2544 11.3: "networks that are not involved in the forwarding of the test data"; C.2.2.2: 65 to 254. */
Test(rip, no_host_of_any_port_is_in_a_network_of_the_states_and_no_two_ports_have_the_same)
{
	bool used[256][256] = {{false}};

	for (unsigned port = 0; port < PORTS; port++) {
		struct rip_route a[RIP_STATE_ROUTES], b[RIP_STATE_ROUTES];

		rip_state_routes(port, RIP_STATE_A, a);
		rip_state_routes(port, RIP_STATE_B, b);
		for (unsigned i = 0; i < RIP_STATE_ROUTES; i++) {
			const uint8_t *network = a[i].network;

			cr_expect_arr_eq(network, b[i].network, IPV4_OCTETS);
			cr_expect_eq(network[0], 198);
			cr_expect_eq(network[1], port % 2 ? 19 : 18);
			cr_expect(network[2] >= 65 && network[2] <= 254 && network[3] == 0);
			cr_expect_not(used[network[1]][network[2]], "port %u, network %u", port, i);
			used[network[1]][network[2]] = true;
		}
	}
	for (unsigned port = 0; port < PORTS; port++)
		for (unsigned many = 0; many < 2; many++) {
			const struct test_host_range range = {.port = port, .many = many};

			for (unsigned i = 0; i < (many ? TEST_HOSTS_MANY_IPV4 : TEST_HOSTS); i++) {
				const struct test_host host = test_host_in(&range, i);

				cr_assert_not(used[host.ipv4[1]][host.ipv4[2]], "host %u of port %u", i, port);
			}
		}
}

/* Worked out by hand for node 10, C.2.2.2, of the first output port, in VLAN 5 with priority 3. */
Test(rip, a_phantom_router_in_a_vlan_sends_one_route)
{
	const struct rip_sender sender = {.host = test_host(1, TEST_PHANTOM_ROUTER), .tci = 0x6005};
	const struct rip_route route = {.network = {198, 19, 65, 0}, .metric = 1};
	struct datagram_frame frame;

	cr_assert(rip_update(&sender, &route, 1, &frame));
	cr_expect_eq(frame.count, 18 + 20 + 8 + 4 + 20);
	expect_at(&frame, 0, "ffffffffffff024647010008810060050800", "Ethernet");
	expect_at(&frame, 18, "45000034000040000a11e189c613010ac61301ff", "IPv4");
	expect_at(&frame, 38, "0208020800200000", "UDP");
	expect_at(&frame, 46,
	          "02010000"
	          "00020000c6134100000000000000000000000001",
	          "RIP");
}

/* RFC 1058 3.1: up to 25 entries, so that the datagram has no more than 512 octets. */
Test(rip, an_update_has_1_to_25_routes)
{
	const struct rip_sender sender = sender_of(0, 0);
	const struct rip_route routes[RIP_UPDATE_ROUTES + 1] = {{.metric = 1}};
	struct datagram_frame frame;

	cr_expect_not(rip_update(&sender, routes, 0, &frame));
	cr_expect(rip_update(&sender, routes, 25, &frame));
	cr_expect_eq(frame.count, 42 + 4 + 25 * 20);
	cr_expect_not(rip_update(&sender, routes, 26, &frame));
}
