/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the fields of IPv6 and of neighbour discovery (RFC 8200 section 3, RFC 4861 sections 4.3, 4.4, 4.6.1). */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_ND_LAYOUT_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_ND_LAYOUT_H

#include <stdint.h>

enum {
	/* octets of the IPv6 header */
	ND_VERSION = 0,
	ND_PAYLOAD_LENGTH = 4,
	ND_NEXT_HEADER = 6,
	ND_HOP_LIMIT = 7,
	ND_SOURCE = 8,
	ND_DESTINATION = 24,
	ND_ICMP = 40,
	/* octets of the ICMPv6 message */
	ND_TYPE = 0,
	ND_CODE = 1,
	ND_CHECKSUM = 2,
	ND_FLAGS = 4,
	ND_TARGET = 8,
	ND_OPTIONS = 24,
	ND_LINK_OPTION_OCTETS = 8, /* type, length, MAC address */
	/* values */
	ND_ICMPV6 = 58,
	ND_HOPS = 255,
	ND_SOLICITATION = 135,
	ND_ADVERTISEMENT = 136,
	ND_SOURCE_LINK = 1, /* options */
	ND_TARGET_LINK = 2,
	ND_SOLICITED = 0x40,
	ND_OVERRIDE = 0x20,
};

/* The sum for the checksum of an ICMPv6 message of `length` octets behind an IPv6 header, pseudo-header included (RFC
 * 8200 section 8.1): FFFF if the message has the right one; what to put into the field of 0 is its complement. */
unsigned nd_sum(const uint8_t *ipv6, unsigned length);

#endif
