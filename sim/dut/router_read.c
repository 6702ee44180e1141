// SPDX-License-Identifier: Apache-2.0
/* Reads what a router looks at in a frame. */
#include "sim/dut/device.h"
#include "sim/dut/router_octets.h"
#include "sim/dut/router_packet.h"

static const uint64_t GROUP_MAC = UINT64_C(1) << 40;

/* RFC 826; hardware and protocol other than Ethernet and IPv4 are none of our business. */
static void read_arp(const uint8_t *header, struct router_header *read)
{
	static const uint8_t ethernet_ipv4[] = {0, 1, 8, 0, 6, 4};
	const uint32_t operation = get_be16(header + AT_ARP_OPERATION);

	read->mac = get_be(header + AT_ARP_SENDER_MAC, MAC_OCTETS);
	read->source = net_address_of(NET_IPV4, header + AT_ARP_SENDER);
	read->destination = read->target = net_address_of(NET_IPV4, header + AT_ARP_TARGET);
	read->overrides = true;
	if (memcmp(header + AT_PACKET, ethernet_ipv4, sizeof(ethernet_ipv4)) != 0 || (read->mac & GROUP_MAC) != 0)
		return;
	if (operation == ARP_REQUEST)
		read->kind = ROUTER_ARP_REQUEST;
	else if (operation == ARP_REPLY)
		read->kind = ROUTER_ARP_REPLY;
}

/* RFC 1812 section 5.2.2. */
static void read_ipv4(const uint8_t *header, uint32_t packet_octets, struct router_header *read)
{
	const uint32_t header_octets = 4 * (uint32_t)(header[AT_PACKET] & 0xf);
	const uint32_t length = get_be16(header + AT_IPV4_LENGTH);

	read->source = net_address_of(NET_IPV4, header + AT_IPV4_SOURCE);
	read->destination = net_address_of(NET_IPV4, header + AT_IPV4_DESTINATION);
	read->hops = header[AT_IPV4_TTL];
	if (header[AT_PACKET] >> 4 == NET_IPV4 && header_octets >= IPV4_HEADER_OCTETS && length >= header_octets &&
	    length <= packet_octets && internet_sum(header + AT_PACKET, header_octets, 0) == 0xffff)
		read->kind = ROUTER_PACKET;
}

/* The MAC in an option of this type, 0 if there is none; false: the options are wrong. */
static bool read_option(const uint8_t *options, uint32_t octets, uint8_t type, uint64_t *mac)
{
	*mac = 0;
	while (octets != 0) {
		const uint32_t length = octets >= 2 ? options[1] * (uint32_t)OPTION_UNIT_OCTETS : 0;

		if (length == 0 || length > octets)
			return false;
		if (options[0] == type)
			*mac = get_be(options + 2, MAC_OCTETS);
		options += length;
		octets -= length;
	}
	return true;
}

static bool is_unspecified(const struct net_address *address)
{
	return net_host_bits_are(address, 0, false);
}

static bool is_group(const struct net_address *address)
{
	return address->octet[0] == 0xff;
}

/* RFC 4861 section 7.1.1 and 7.1.2. */
static void read_discovery(const uint8_t *header, uint32_t octets, struct router_header *read)
{
	const bool solicits = header[IPV6_END] == ICMPV6_SOLICITATION;
	const uint8_t flags = header[AT_DISCOVERY_FLAGS];
	struct net_address group;

	read->target = net_address_of(NET_IPV6, header + AT_DISCOVERY_TARGET);
	read->overrides = solicits || (flags & FLAG_OVERRIDE) != 0;
	if (read->hops != DISCOVERY_HOPS || header[IPV6_END + 1] != 0 || is_group(&read->target) ||
	    octets_icmpv6_sum(header, octets) != 0xffff ||
	    !read_option(header + AT_DISCOVERY_OPTIONS, octets - DISCOVERY_OCTETS,
	                 solicits ? OPTION_SOURCE_MAC : OPTION_TARGET_MAC, &read->mac) ||
	    (read->mac & GROUP_MAC) != 0)
		return;
	if (solicits && is_unspecified(&read->source)) {
		group = router_solicited_group(&read->target);
		if (read->mac != 0 || !net_equal(&read->destination, &group))
			return;
	}
	if (!solicits && is_group(&read->destination) && (flags & FLAG_SOLICITED) != 0)
		return;
	read->kind = solicits ? ROUTER_SOLICITATION : ROUTER_ADVERTISEMENT;
}

/* A long message of neighbour discovery is taken as a packet. */
static void read_ipv6(const uint8_t *header, uint32_t packet_octets, struct router_header *read)
{
	const uint32_t length = get_be16(header + AT_IPV6_LENGTH);

	read->source = net_address_of(NET_IPV6, header + AT_IPV6_SOURCE);
	read->destination = net_address_of(NET_IPV6, header + AT_IPV6_DESTINATION);
	read->hops = header[AT_IPV6_HOPS];
	if (header[AT_PACKET] >> 4 != NET_IPV6 || IPV6_END - AT_PACKET + length > packet_octets)
		return;
	if (header[AT_IPV6_NEXT] == ICMPV6 && length >= DISCOVERY_OCTETS && length <= DISCOVERY_MOST_OCTETS &&
	    (header[IPV6_END] == ICMPV6_SOLICITATION || header[IPV6_END] == ICMPV6_ADVERTISEMENT))
		read_discovery(header, length, read);
	else
		read->kind = ROUTER_PACKET;
}

struct router_header router_read(const uint8_t *header, uint32_t octets)
{
	struct router_header read = {.kind = ROUTER_OTHER, .to_mac = get_be(header, MAC_OCTETS)};
	const uint32_t packet_octets = octets - AT_PACKET - FCS_OCTETS;

	if ((get_be(header + AT_SOURCE_MAC, MAC_OCTETS) & GROUP_MAC) != 0)
		return read;
	switch (get_be16(header + AT_TYPE)) {
	case TYPE_ARP:
		read_arp(header, &read);
		break;
	case TYPE_IPV4:
		read_ipv4(header, packet_octets, &read);
		break;
	case TYPE_IPV6:
		read_ipv6(header, packet_octets, &read);
		break;
	default:
		break;
	}
	return read;
}
