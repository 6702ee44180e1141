/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses that are blocked follow the pattern of section 11.4.1, "deny aa.ba.1.1 to aa.ba.101.1" to "24.24 to
 * 124.24" (it prints 100 and 101 for the first two, and no rule gives that): condition k is about node k of a source
 * network and node k of a destination network, both of which differ from condition to condition. The networks are
 * others, because those of the RFC are those of our test hosts: 198.18.2.2 is host 0 of port 2. */
#include "host/traffic/protocols/filters.h"

#include <string.h>

#include "host/traffic/test_host.h"

enum {
	BLOCKED = 24,
	MIDDLE = 12,
	/* Third octets, of condition 1; test hosts have 1 to 23, and 48 to 55 and so on in steps of 32
	 * (docs/traffic.md, Addresses). */
	SOURCE_NETWORK = 24,
	DESTINATION_NETWORK = 152,
	/* Octet 6 of an address, below the half of the ports: 0 in test hosts. */
	SOURCE_NETWORK_V6 = 1,
	DESTINATION_NETWORK_V6 = 2,
	NO_PORT = 0xFF, /* last octet of a MAC address that no port has: test hosts have 0 to 15 there */
};

static struct neighbour_address address_of(enum filter_device device, const struct test_host *host)
{
	struct neighbour_address address = {.is_ipv6 = device == FILTER_ROUTER_IPV6};

	if (address.is_ipv6)
		memcpy(address.ipv6, host->ipv6, IPV6_OCTETS);
	else
		memcpy(address.ipv4, host->ipv4, IPV4_OCTETS);
	return address;
}

/* The address of node k of network k, in the half of the addresses to which the port belongs. */
static struct neighbour_address blocked_address(enum filter_device device, unsigned port, unsigned network,
                                                unsigned network_v6, unsigned k)
{
	const struct test_host host = test_host(port, 0);
	struct neighbour_address address = address_of(device, &host);

	address.ipv4[2] = (uint8_t)(network + k - 1);
	address.ipv4[3] = (uint8_t)k;
	address.ipv6[6] |= (uint8_t)network_v6;
	address.ipv6[7] = (uint8_t)k;
	address.ipv6[15] = (uint8_t)k;
	return address;
}

/* Condition k of those that block, from 1. */
static struct filter_condition block(enum filter_device device, unsigned from_port, unsigned to_port, unsigned k)
{
	const struct test_host host = test_host(to_port, k);
	struct filter_condition condition = {.permit = false};

	if (device == FILTER_BRIDGE) {
		memcpy(condition.mac, host.mac, MAC_OCTETS);
		condition.mac[3] = NO_PORT;
		return condition;
	}
	condition.source = blocked_address(device, from_port, SOURCE_NETWORK, SOURCE_NETWORK_V6, k);
	condition.destination = blocked_address(device, to_port, DESTINATION_NETWORK, DESTINATION_NETWORK_V6, k);
	return condition;
}

static struct filter_condition permit(enum filter_device device, unsigned from_port, unsigned to_port)
{
	const struct test_host from = test_host(from_port, 0), to = test_host(to_port, 0);
	struct filter_condition condition = {.permit = true};

	if (device == FILTER_BRIDGE) {
		memcpy(condition.mac, to.mac, MAC_OCTETS);
		return condition;
	}
	condition.source = address_of(device, &from);
	condition.destination = address_of(device, &to);
	return condition;
}

struct filter_set filter_set(enum filter_device device, enum filter_kind kind, unsigned from_port, unsigned to_port)
{
	static const unsigned PERMIT_AT[FILTER_KINDS] = {
	        [FILTER_ONE] = 0, [FILTER_25_PERMIT_LAST] = BLOCKED, [FILTER_25_PERMIT_MIDDLE] = MIDDLE};
	struct filter_set set = {
	        .device = device, .port = from_port, .count = kind == FILTER_ONE ? 1 : FILTER_MOST_CONDITIONS};
	unsigned blocked = 0;

	for (unsigned i = 0; i < set.count; i++)
		set.conditions[i] = i == PERMIT_AT[kind] ? permit(device, from_port, to_port)
		                                         : block(device, from_port, to_port, ++blocked);
	return set;
}
