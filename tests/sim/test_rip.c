/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a simulated router learns by RIP: frames of the tester's own updates, and random messages against a table
 * that is kept as plainly as possible. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/traffic/protocols/rip.h"
#include "sim/dut/device.h"
#include "sim/dut/router_rip.h"

enum { NETWORKS = 12, GATEWAYS = 3, MESSAGES = 20000, ENTRY = 20, HEAD = 4, AT_NODE = 13 };

static uint64_t seed = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static struct net_address address(unsigned third, unsigned node)
{
	return net_address_of(NET_IPV4, (const uint8_t[]){198, 18, (uint8_t)third, (uint8_t)node});
}

/* Gateway of each network, 0 none, and its metric. */
static struct {
	unsigned gateway, metric;
} truth[NETWORKS];
static unsigned known;

/* RFC 1058 section 3.4.2. */
static void expect_entry(unsigned network, unsigned told, unsigned gateway, unsigned room)
{
	const unsigned metric = told + 1 > 16 ? 16 : told + 1;

	if (told == 0 || told > 16)
		return;
	if (truth[network].gateway == 0) {
		if (metric == 16 || known == room)
			return;
		known++;
	} else if (truth[network].gateway != gateway && metric >= truth[network].metric) {
		return;
	} else if (metric == 16) {
		known--;
		truth[network].gateway = 0;
		return;
	}
	truth[network].gateway = gateway;
	truth[network].metric = metric;
}

static void check(const struct router_rip *rip)
{
	cr_assert_eq(rip->count, known);
	for (unsigned network = 0; network < NETWORKS; network++) {
		const struct net_address host = address(network, 2 + (unsigned)draw(250)),
		                         other = address(network + 100, 2);
		const struct net_address gateway = address(1, 2 + truth[network].gateway);
		const struct route *route = router_rip_find(rip, &host);

		cr_assert_eq(route != NULL, truth[network].gateway != 0, "network %u", network);
		cr_assert(route == NULL || net_equal(&route->next_hop, &gateway), "network %u", network);
		cr_assert(route == NULL || (route->bits == 24 && route->interface == truth[network].gateway));
		cr_assert_null(router_rip_find(rip, &other));
	}
}

Test(rip, changes_withdrawals_and_other_gateways_are_honoured_as_the_rfc_has_it)
{
	static struct router_rip rip;
	uint64_t processed = 0;

	printf("seed %" PRIu64 "\n", seed);
	rip = (struct router_rip){.room = NETWORKS - 3};
	for (unsigned i = 0; i < MESSAGES; i++) {
		uint8_t message[HEAD + 3 * ENTRY] = {2, 1};
		const unsigned gateway = 1 + (unsigned)draw(GATEWAYS), count = (unsigned)draw(4);
		const struct net_address from = address(1, 2 + gateway);
		const bool is_wrong = draw(10) == 0;

		if (is_wrong)
			message[draw(2)] ^= 3;
		for (unsigned k = 0; k < count; k++) {
			uint8_t *entry = message + HEAD + (size_t)k * ENTRY;
			const unsigned network = (unsigned)draw(NETWORKS), metric = (unsigned)draw(18);
			const unsigned wrong = draw(8) == 0 ? 1 + (unsigned)draw(4) : 0;

			entry[1] = wrong == 1 ? 3 : 2;
			memcpy(entry + 4, (const uint8_t[]){wrong == 2 ? 9 : 198, 18, (uint8_t)network, wrong == 3}, 4);
			entry[19] = (uint8_t)metric;
			entry[17] = wrong == 4;
			if (wrong == 0 && !is_wrong)
				expect_entry(network, metric, gateway, rip.room);
		}
		processed += !is_wrong;
		router_rip_hear(&rip, message, HEAD + count * ENTRY, &from, gateway);
		check(&rip);
	}
	cr_expect_eq(rip.updates, processed);
}

Test(rip, the_testers_updates_of_states_a_and_b_are_read_and_other_frames_are_not)
{
	static struct router_rip rip;
	uint8_t header[DUT_HEADER_OCTETS] = {0};
	const struct rip_sender sender = {.host = test_host(3, 0), .tci = NEIGHBOUR_NO_TAG};
	const struct net_address gateway = net_address_of(NET_IPV4, sender.host.ipv4);

	rip = (struct router_rip){.room = ROUTER_RIP_MOST};
	for (enum rip_state state = RIP_STATE_A; state <= RIP_STATE_B; state++) {
		struct rip_route routes[RIP_STATE_ROUTES];
		struct datagram_frame frame;
		const uint8_t *message;
		uint32_t octets;

		rip_state_routes(3, state, routes);
		cr_assert(rip_update(&sender, routes, RIP_STATE_ROUTES, &frame));
		memcpy(header, frame.octets, frame.count);
		message = router_rip_message(header, &octets);
		cr_assert_not_null(message);
		cr_assert_eq(octets, HEAD + RIP_STATE_ROUTES * ENTRY);
		router_rip_hear(&rip, message, octets, &gateway, 5);
		cr_assert_eq(rip.count, RIP_STATE_ROUTES);
		for (unsigned i = 0; i < RIP_STATE_ROUTES; i++)
			cr_expect_eq(rip.learned[i].metric, 1u + (state == RIP_STATE_A ? RIP_METRIC : RIP_METRIC_B));
	}
	for (unsigned at = AT_NODE; at < 40; at++) { /* type, protocol, fragment, ports, lengths */
		static const uint8_t MATTERS[] = {13, 16, 20, 23, 34, 35, 36, 37, 38};
		uint32_t octets;

		if (memchr(MATTERS, (int)at, sizeof(MATTERS)) == NULL)
			continue;
		header[at] ^= at == 20 ? 0x20 : 0x81;
		cr_expect_null(router_rip_message(header, &octets), "octet %u", at);
		header[at] ^= at == 20 ? 0x20 : 0x81;
	}
}
