// SPDX-License-Identifier: Apache-2.0
/* Writes the frames of a router, and the headers that it changes. */
#include "sim/dut/router_packet.h"

#include "sim/dut/router_octets.h"

static const uint64_t UNIVERSAL_BIT = UINT64_C(1) << 41; /* bit of a MAC address; inverted in an interface identifier */

void router_rewrite(uint8_t *header, uint64_t to_mac, uint64_t from_mac)
{
	const bool is_ipv4 = get_be16(header + AT_TYPE) == TYPE_IPV4;
	uint32_t sum;

	put_be(header, to_mac, MAC_OCTETS);
	put_be(header + AT_SOURCE_MAC, from_mac, MAC_OCTETS);
	if (!is_ipv4) {
		header[AT_IPV6_HOPS]--;
		return;
	}
	/* RFC 1624 equation 3, with the word that has the TTL as its upper half: -m + m' is minus 0x0100. */
	sum = (~get_be16(header + AT_IPV4_CHECKSUM) & 0xffff) + 0xfeff;
	header[AT_IPV4_TTL]--;
	put_be16(header + AT_IPV4_CHECKSUM, ~internet_fold(sum));
}

struct net_address router_solicited_group(const struct net_address *address)
{
	struct net_address group = {.octet = {0xff, 0x02, [11] = 0x01, [12] = 0xff}, .version = NET_IPV6};

	memcpy(group.octet + 13, address->octet + 13, 3);
	return group;
}

uint64_t router_group_mac(const struct net_address *group)
{
	return UINT64_C(0x3333) << 32 | (uint64_t)get_be16(group->octet + 12) << 16 | get_be16(group->octet + 14);
}

struct net_address router_link_local(uint64_t mac)
{
	struct net_address address = {.octet = {0xfe, 0x80, [11] = 0xff, [12] = 0xfe}, .version = NET_IPV6};
	uint8_t octets[MAC_OCTETS];

	put_be(octets, mac ^ UNIVERSAL_BIT, MAC_OCTETS);
	memcpy(address.octet + 8, octets, 3);
	memcpy(address.octet + 13, octets + 3, 3);
	return address;
}

static void begin(uint8_t *octets, uint32_t length, const struct router_ends *ends, uint32_t type)
{
	memset(octets, 0, length - FCS_OCTETS);
	put_be(octets, ends->to_mac, MAC_OCTETS);
	put_be(octets + AT_SOURCE_MAC, ends->from_mac, MAC_OCTETS);
	put_be16(octets + AT_TYPE, type);
}

uint32_t router_make_arp(uint8_t *octets, const struct router_ends *ends, bool reply)
{
	static const uint8_t ethernet_ipv4[] = {0, 1, 8, 0, 6, 4};
	struct router_ends of_frame = *ends;

	if (!reply)
		of_frame.to_mac = ROUTER_BROADCAST_MAC;
	begin(octets, ROUTER_ARP_OCTETS, &of_frame, TYPE_ARP);
	memcpy(octets + AT_PACKET, ethernet_ipv4, sizeof(ethernet_ipv4));
	put_be16(octets + AT_ARP_OPERATION, reply ? ARP_REPLY : ARP_REQUEST);
	put_be(octets + AT_ARP_SENDER_MAC, ends->from_mac, MAC_OCTETS);
	memcpy(octets + AT_ARP_SENDER, ends->from.octet, 4);
	put_be(octets + AT_ARP_TARGET_MAC, reply ? ends->to_mac : 0, MAC_OCTETS);
	memcpy(octets + AT_ARP_TARGET, ends->to.octet, 4);
	return ROUTER_ARP_OCTETS;
}

/* A message with one option that says the MAC of the router. */
static uint32_t make_discovery(uint8_t *octets, const struct router_ends *ends, const struct net_address *target,
                               uint8_t type, uint8_t flags, uint8_t option)
{
	const uint32_t message_octets = DISCOVERY_OCTETS + OPTION_UNIT_OCTETS;

	begin(octets, ROUTER_DISCOVERY_OCTETS, ends, TYPE_IPV6);
	octets[AT_PACKET] = NET_IPV6 << 4;
	put_be16(octets + AT_IPV6_LENGTH, message_octets);
	octets[AT_IPV6_NEXT] = ICMPV6;
	octets[AT_IPV6_HOPS] = DISCOVERY_HOPS;
	memcpy(octets + AT_IPV6_SOURCE, ends->from.octet, NET_OCTETS);
	memcpy(octets + AT_IPV6_DESTINATION, ends->to.octet, NET_OCTETS);
	octets[IPV6_END] = type;
	octets[AT_DISCOVERY_FLAGS] = flags;
	memcpy(octets + AT_DISCOVERY_TARGET, target->octet, NET_OCTETS);
	octets[AT_DISCOVERY_OPTIONS] = option;
	octets[AT_DISCOVERY_OPTIONS + 1] = 1;
	put_be(octets + AT_DISCOVERY_OPTIONS + 2, ends->from_mac, MAC_OCTETS);
	put_be16(octets + AT_DISCOVERY_CHECKSUM, ~octets_icmpv6_sum(octets, message_octets));
	return ROUTER_DISCOVERY_OCTETS;
}

uint32_t router_make_solicitation(uint8_t *octets, const struct router_ends *ends)
{
	struct router_ends to_group = *ends;

	to_group.to = router_solicited_group(&ends->to);
	to_group.to_mac = router_group_mac(&to_group.to);
	return make_discovery(octets, &to_group, &ends->to, ICMPV6_SOLICITATION, 0, OPTION_SOURCE_MAC);
}

uint32_t router_make_advertisement(uint8_t *octets, const struct router_ends *ends)
{
	struct router_ends to_all = *ends;

	if (!net_host_bits_are(&ends->to, 0, false))
		return make_discovery(octets, ends, &ends->from, ICMPV6_ADVERTISEMENT,
		                      FLAG_ROUTER | FLAG_SOLICITED | FLAG_OVERRIDE, OPTION_TARGET_MAC);
	to_all.to = (struct net_address){.octet = {0xff, 0x02, [15] = 1}, .version = NET_IPV6};
	to_all.to_mac = router_group_mac(&to_all.to);
	return make_discovery(octets, &to_all, &ends->from, ICMPV6_ADVERTISEMENT, FLAG_ROUTER | FLAG_OVERRIDE,
	                      OPTION_TARGET_MAC);
}
