// SPDX-License-Identifier: Apache-2.0
/* RFC 1058 section 3.4.2, Response. A list, searched from end to end: routers of tests learn few networks. */
#include "sim/dut/router_rip.h"

#include "sim/dut/device.h"
#include "sim/dut/router_octets.h"

enum {
	UDP = 17,
	UDP_OCTETS = 8,
	AT_FRAGMENT = 20,
	AT_PROTOCOL = 23,
	FRAGMENT_BITS = 0x3fff,
	RESPONSE = 2,
	HEAD_OCTETS = 4,
	ENTRY_OCTETS = 20,
	FAMILY_IP = 2,
	AT_ENTRY_ADDRESS = 4,
	AT_ENTRY_METRIC = 16,
	CLASS_C = 192, /* first octet, 192 to 223 */
	CLASS_D = 224,
};

const uint8_t *router_rip_message(const uint8_t *header, uint32_t *octets)
{
	const uint32_t at = AT_PACKET + 4 * (uint32_t)(header[AT_PACKET] & 0xf);
	const uint32_t end = AT_PACKET + get_be16(header + AT_IPV4_LENGTH);
	uint32_t udp_octets;

	if (get_be16(header + AT_TYPE) != TYPE_IPV4 || header[AT_PROTOCOL] != UDP ||
	    (get_be16(header + AT_FRAGMENT) & FRAGMENT_BITS) != 0 || end > DUT_HEADER_OCTETS ||
	    at + UDP_OCTETS + HEAD_OCTETS > end)
		return NULL;
	udp_octets = get_be16(header + at + 4);
	if (get_be16(header + at) != ROUTER_RIP_PORT || get_be16(header + at + 2) != ROUTER_RIP_PORT ||
	    udp_octets < UDP_OCTETS + HEAD_OCTETS || udp_octets > end - at)
		return NULL;
	*octets = udp_octets - UDP_OCTETS;
	return header + at + UDP_OCTETS;
}

static struct router_rip_route *find(struct router_rip *rip, const struct net_address *network)
{
	for (unsigned i = 0; i < rip->count; i++)
		if (net_equal(&rip->learned[i].route.network, network))
			return &rip->learned[i];
	return NULL;
}

/* Any metric counts from the gateway of the route, and from another one a lower one. */
static void hear_entry(struct router_rip *rip, const struct router_rip_route *told)
{
	struct router_rip_route *known = find(rip, &told->route.network);

	if (known == NULL) {
		if (told->metric < ROUTER_RIP_INFINITY && rip->count < rip->room)
			rip->learned[rip->count++] = *told;
	} else if (net_equal(&known->route.next_hop, &told->route.next_hop) || told->metric < known->metric) {
		*known = told->metric < ROUTER_RIP_INFINITY ? *told : rip->learned[--rip->count];
	}
}

void router_rip_hear(struct router_rip *rip, const uint8_t *message, uint32_t octets, const struct net_address *gateway,
                     unsigned interface)
{
	if (message[0] != RESPONSE || message[1] != 1)
		return;
	rip->updates++;
	for (uint32_t at = HEAD_OCTETS; at + ENTRY_OCTETS <= octets; at += ENTRY_OCTETS) {
		const uint8_t *entry = message + at, *metric = entry + AT_ENTRY_METRIC;
		const struct router_rip_route told = {
		        .route = {.network = net_address_of(NET_IPV4, entry + AT_ENTRY_ADDRESS),
		                  .bits = ROUTER_RIP_BITS,
		                  .interface = interface,
		                  .next_hop = *gateway},
		        .metric = metric[3] < ROUTER_RIP_INFINITY ? metric[3] + 1u : ROUTER_RIP_INFINITY};

		if (get_be16(entry) == FAMILY_IP && told.route.network.octet[0] >= CLASS_C &&
		    told.route.network.octet[0] < CLASS_D &&
		    net_host_bits_are(&told.route.network, ROUTER_RIP_BITS, false) && get_be16(metric) == 0 &&
		    metric[2] == 0 && metric[3] != 0 && metric[3] <= ROUTER_RIP_INFINITY)
			hear_entry(rip, &told);
	}
}

const struct route *router_rip_find(const struct router_rip *rip, const struct net_address *address)
{
	for (unsigned i = 0; i < rip->count && address->version == NET_IPV4; i++)
		if (net_matches(address, &rip->learned[i].route.network, ROUTER_RIP_BITS))
			return &rip->learned[i].route;
	return NULL;
}
