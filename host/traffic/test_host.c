/* SPDX-License-Identifier: Apache-2.0 */
/* MAC addresses are locally administered: 02, the letters FG, the port, and the host in two octets.
 *
 * IPv4, RFC 2544 C.2.2.1: networks 198.18.1.0 to 198.18.64.0 are behind "input" ports, 198.19.1.0 to 198.19.64.0 behind
 * "output" ports; here even and odd ports of the tester. (C.2.2 prints 192.18.0.0 for the first address, but
 * 198.18.0.0/15 was assigned, RFC 6890.) We use 253 nodes per network: hosts from 253 on are in a second network, 8
 * further on.
 *
 * IPv6, RFC 5180 section 8: 2001:200::/48, which its erratum 1752 corrects to 2001:2::/48 (RFC 6890). Section 5.2.1:
 * one half of it is for "input", the other for "output" ports; each port has a /64 there, in which ::1 is the DUT.
 *
 * RFC 2544 section 12 wants 256 networks for random destinations. The class C networks that C.2.2.2 has for them,
 * 198.18.65.0 to 198.18.254.0, are 190, and for all ports together. So they are smaller here, /28, in 198.18.128.0/17
 * and 198.19.128.0/17: 256 for each of 16 ports. Each one of IPv6 is a /64. */
#include "host/traffic/test_host.h"

#include <string.h>

enum {
	FIRST_NODE = 2, /* RFC 2544 C.2.2.2: the frame's addresses are node 2; node 1 is the router port */
	GATEWAY_NODE = 1,
	NODES = 253, /* 2 to 254 of a class C network */
	PORT_PAIRS = 8,
	IPV4_MANY = 0x10,     /* third octet: neither the lowest nor the highest host number of the port's /19 */
	OUTPUT_HALF = 0x80,   /* the highest bit after the /48 */
	IPV4_LEARNED = 65,    /* third octet, to 72: free of hosts and of the networks of sections 11.3 and 12 */
	IPV4_BEYOND = 0x80,   /* third octet: half of the port's /16, of which it has a /20 */
	IPV6_BEYOND = 0x40,   /* octet 6, which counts no ports */
	IPV6_MANY_OCTET = 13, /* 1 here: hosts ::1:0 to ::1:ffff */
};

static struct test_host host_of_port(unsigned port)
{
	return (struct test_host){
	        .mac = {0x02, 'F', 'G', (uint8_t)port},
	        .ipv4 = {198, (uint8_t)(18 + port % 2)},
	        .ipv6 = {0x20, 0x01, 0x00, 0x02, 0, 0, (uint8_t)(port % 2 ? OUTPUT_HALF : 0), (uint8_t)(1 + port / 2)},
	};
}

struct test_host test_host(unsigned port, unsigned entry)
{
	struct test_host host = host_of_port(port);

	host.mac[4] = (uint8_t)(entry >> 8);
	host.mac[5] = (uint8_t)entry;
	host.ipv4[2] = (uint8_t)(1 + port / 2 + PORT_PAIRS * (entry / NODES));
	host.ipv4[3] = (uint8_t)(FIRST_NODE + entry % NODES);
	host.ipv6[14] = (uint8_t)((FIRST_NODE + entry) >> 8);
	host.ipv6[15] = (uint8_t)(FIRST_NODE + entry);
	return host;
}

struct test_host test_host_many(unsigned port)
{
	struct test_host host = host_of_port(port);

	host.ipv4[2] = (uint8_t)(port / 2 << 5 | IPV4_MANY);
	host.ipv6[IPV6_MANY_OCTET] = 1;
	return host;
}

struct test_host test_host_beyond(unsigned port)
{
	struct test_host host = host_of_port(port);

	host.ipv4[2] = (uint8_t)(IPV4_BEYOND | port / 2 << 4);
	host.ipv4[3] = FIRST_NODE;
	host.ipv6[6] |= (uint8_t)(IPV6_BEYOND | port / 2);
	host.ipv6[7] = 0;
	host.ipv6[15] = FIRST_NODE;
	return host;
}

struct test_host test_host_in_network(unsigned port, unsigned network)
{
	struct test_host host = test_host_beyond(port);

	host.ipv4[2] |= (uint8_t)(network % TEST_NETWORKS >> 4);
	host.ipv4[3] |= (uint8_t)(network << 4);
	host.ipv6[7] = (uint8_t)network;
	return host;
}

uint8_t test_learned_network(unsigned port)
{
	return (uint8_t)(IPV4_LEARNED + port / 2);
}

struct test_host test_gateway(unsigned port)
{
	struct test_host gateway = test_host(port, 0);

	memset(gateway.mac, 0, sizeof(gateway.mac));
	gateway.ipv4[3] = GATEWAY_NODE;
	gateway.ipv6[15] = GATEWAY_NODE;
	return gateway;
}

const uint8_t TEST_NUMBERED_MAC[6] = {0x02, 'F', 'L'};

struct test_host test_host_in(const struct test_host_range *range, unsigned entry)
{
	struct test_host host;

	if (!range->many)
		return test_host(range->port, entry);
	host = test_host_many(range->port);
	host.mac[4] = (uint8_t)(entry >> 8);
	host.mac[5] = (uint8_t)entry;
	host.ipv4[2] |= (uint8_t)(entry >> 8);
	host.ipv4[3] = (uint8_t)entry;
	host.ipv6[14] = (uint8_t)(entry >> 8);
	host.ipv6[15] = (uint8_t)entry;
	return host;
}

/* An address gives a number by the low bits in which hosts differ; the host of that number has it, or none has. So the
 * formulas above are all there is, and every number is allowed. */

bool test_host_of_ipv4(const struct test_host_range *range, const uint8_t ipv4[4], struct test_host *host)
{
	const struct test_host first = test_host_in(range, 0);
	const unsigned networks = (uint8_t)(ipv4[2] - first.ipv4[2]);
	const unsigned entry =
	        range->many ? networks << 8 | ipv4[3] : networks / PORT_PAIRS * NODES + (unsigned)ipv4[3] - FIRST_NODE;

	if (entry >= range->count || (range->many && entry >= TEST_HOSTS_MANY_IPV4))
		return false;
	*host = test_host_in(range, entry);
	return !memcmp(host->ipv4, ipv4, sizeof(host->ipv4));
}

bool test_host_of_ipv6(const struct test_host_range *range, const uint8_t ipv6[16], struct test_host *host)
{
	const unsigned low = (unsigned)ipv6[14] << 8 | ipv6[15];
	const unsigned entry = range->many ? low : low - FIRST_NODE;

	if (entry >= range->count)
		return false;
	*host = test_host_in(range, entry);
	return !memcmp(host->ipv6, ipv6, sizeof(host->ipv6));
}
