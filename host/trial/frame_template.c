/* SPDX-License-Identifier: Apache-2.0 */
/* Test frames, octet by octet: a pure function of ports, destination entry and frame size. */
#include "host/trial/frame_template.h"

#include <string.h>

enum {
	ETHERNET_OCTETS = 14,
	IPV4_OCTETS = 20,
	FCS_OCTETS = 4,
	ETHERTYPE_IPV4 = 0x0800,
	IPV4_VERSION_AND_LENGTH = 0x45,
	IPV4_TTL = 10, /* C.2.6.4 */
	IPV4_PROTOCOL_UDP = 17,
	UDP_SOURCE_PORT = 0xC020, /* C.2.6.4 */
	UDP_ECHO_PORT = 7,
	FIRST_NODE = 2, /* C.2.2.2: the frame's addresses are node 2; node 1 is the router port */
	NODES = 253,    /* 2 to 254 of a class C network */
	PORT_PAIRS = 8,
};

static void put16(uint8_t *octets, unsigned value)
{
	octets[0] = (uint8_t)(value >> 8);
	octets[1] = (uint8_t)value;
}

/* RFC 2544 C.2.2.1: networks 198.18.1.0 to 198.18.64.0 are behind "input" ports, 198.19.1.0 to 198.19.64.0 behind
 * "output" ports; here even and odd ports of the tester. (C.2.2 prints 192.18.0.0 for the first address, but
 * 198.18.0.0/15 was assigned, RFC 6890.) We use 253 nodes per network: entries from 253 on are in a second network, 8
 * further on. MAC addresses are locally administered; the last two octets are the entry. */
struct test_host test_host(unsigned port, unsigned entry)
{
	unsigned network = 1 + port / 2 + PORT_PAIRS * (entry / NODES);
	unsigned node = FIRST_NODE + entry % NODES;

	return (struct test_host){
	        .mac = {0x02, 'F', 'G', (uint8_t)port, (uint8_t)(entry >> 8), (uint8_t)entry},
	        .ipv4 = {198, (uint8_t)(18 + port % 2), (uint8_t)network, (uint8_t)node},
	};
}

/* RFC 1071: ones' complement of the ones' complement sum of the header, its checksum field being zero. */
static unsigned ipv4_checksum(const uint8_t *header)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < IPV4_OCTETS; i += 2)
		sum += (uint32_t)header[i] << 8 | header[i + 1];
	sum = (sum & 0xFFFF) + (sum >> 16);
	sum = (sum & 0xFFFF) + (sum >> 16);
	return ~sum & 0xFFFF;
}

void frame_template(uint8_t octets[TEMPLATE_OCTETS], unsigned source_port, unsigned destination_port, unsigned entry,
                    uint32_t frame_octets)
{
	struct test_host source = test_host(source_port, entry);
	struct test_host destination = test_host(destination_port, entry);
	unsigned ipv4_octets = frame_octets - ETHERNET_OCTETS - FCS_OCTETS;
	uint8_t *ipv4 = octets + ETHERNET_OCTETS;
	uint8_t *udp = ipv4 + IPV4_OCTETS;

	memset(octets, 0, TEMPLATE_OCTETS);
	memcpy(octets, destination.mac, sizeof(destination.mac));
	memcpy(octets + 6, source.mac, sizeof(source.mac));
	put16(octets + 12, ETHERTYPE_IPV4);

	ipv4[0] = IPV4_VERSION_AND_LENGTH;
	put16(ipv4 + 2, ipv4_octets);
	ipv4[8] = IPV4_TTL;
	ipv4[9] = IPV4_PROTOCOL_UDP;
	memcpy(ipv4 + 12, source.ipv4, sizeof(source.ipv4));
	memcpy(ipv4 + 16, destination.ipv4, sizeof(destination.ipv4));
	put16(ipv4 + 10, ipv4_checksum(ipv4));

	put16(udp, UDP_SOURCE_PORT);
	put16(udp + 2, UDP_ECHO_PORT);
	/* Total length minus the IPv4 header. C.2.6.4 prints 9A for the low octet from 256 on: a misprint, because its
	 * own 1518 row (05DC, 05C8) follows this rule. The UDP checksum stays 0, which means none (RFC 768). */
	put16(udp + 4, ipv4_octets - IPV4_OCTETS);

	for (unsigned i = TEMPLATE_PAYLOAD_OFFSET; i < TEMPLATE_OCTETS; i++)
		octets[i] = (uint8_t)(i - TEMPLATE_PAYLOAD_OFFSET);
}
