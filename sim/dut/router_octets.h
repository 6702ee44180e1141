/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in headers, and where they are. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_OCTETS_H
#define FPGAUGE_SIM_DUT_ROUTER_OCTETS_H

#include <stdint.h>

#include "host/base/ethernet.h"
#include "host/base/internet_checksum.h"
#include "sim/dut/net_address.h"

enum { ARP_REQUEST = 1, ARP_REPLY = 2 };
enum { ICMPV6 = 58, ICMPV6_SOLICITATION = 135, ICMPV6_ADVERTISEMENT = 136 };
enum { OPTION_SOURCE_MAC = 1, OPTION_TARGET_MAC = 2 };
enum { FLAG_ROUTER = 0x80, FLAG_SOLICITED = 0x40, FLAG_OVERRIDE = 0x20 };

/* Octets of a frame. */
enum {
	AT_SOURCE_MAC = 6,
	AT_PACKET = ETHERNET_OCTETS, /* or ARP: */
	AT_ARP_OPERATION = 20,
	AT_ARP_SENDER_MAC = 22,
	AT_ARP_SENDER = 28,
	AT_ARP_TARGET_MAC = 32,
	AT_ARP_TARGET = 38,
	ARP_END = 42,
	AT_IPV4_LENGTH = 16,
	AT_IPV4_TTL = 22,
	AT_IPV4_CHECKSUM = 24,
	AT_IPV4_SOURCE = 26,
	AT_IPV4_DESTINATION = 30,
	IPV4_HEADER_OCTETS = 20,
	AT_IPV6_LENGTH = 18,
	AT_IPV6_NEXT = 20,
	AT_IPV6_HOPS = 21,
	AT_IPV6_SOURCE = 22,
	AT_IPV6_DESTINATION = 38,
	IPV6_END = 54,
	AT_DISCOVERY_CHECKSUM = IPV6_END + 2,
	AT_DISCOVERY_FLAGS = IPV6_END + 4,
	AT_DISCOVERY_TARGET = IPV6_END + 8,
	AT_DISCOVERY_OPTIONS = IPV6_END + 24,
	DISCOVERY_OCTETS = 24,
	DISCOVERY_MOST_OCTETS = 74, /* longer ones are taken as packets */
	OPTION_UNIT_OCTETS = 8,
	DISCOVERY_HOPS = 255,
};

/* Sum of an ICMPv6 message and its pseudo-header: RFC 8200 section 8.1. */
static inline uint32_t octets_icmpv6_sum(const uint8_t *frame, uint32_t message_octets)
{
	const uint32_t addresses = internet_sum(frame + AT_IPV6_SOURCE, 2 * NET_OCTETS, message_octets + ICMPV6);

	return internet_sum(frame + IPV6_END, message_octets, addresses);
}

#endif
