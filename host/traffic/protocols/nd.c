/* SPDX-License-Identifier: Apache-2.0 */
/* Reads messages of neighbour discovery, and checks them as RFC 4861 sections 7.1.1 and 7.1.2 list it. */
#include "host/traffic/protocols/nd.h"

#include <string.h>

#include "host/base/internet_checksum.h"
#include "host/base/octets.h"
#include "host/traffic/protocols/nd_layout.h"

enum {
	IPV6_VERSION = 6,
	MULTICAST = 0xFF,
	GROUP_BIT = 1,
	OPTION_UNIT = 8,            /* octets in which an option has its length */
	SOLICITED_NODE_OCTETS = 13, /* octets of a prefix /104 */
};

static const uint8_t SOLICITED_NODE[SOLICITED_NODE_OCTETS] = {0xFF, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0xFF};

unsigned nd_sum(const uint8_t *ipv6, unsigned length)
{
	return internet_sum(ipv6 + ND_ICMP, length,
	                    internet_sum(ipv6 + ND_SOURCE, 2 * IPV6_OCTETS, length + ND_ICMPV6));
}

bool nd_is_unspecified(const uint8_t address[IPV6_OCTETS])
{
	static const uint8_t UNSPECIFIED[IPV6_OCTETS];

	return !memcmp(address, UNSPECIFIED, IPV6_OCTETS);
}

/* Checks what sections 7.1.1 and 7.1.2 have in common. *length: of the ICMPv6 message. */
static bool is_sound(const uint8_t *ipv6, unsigned count, unsigned *length)
{
	const uint8_t *icmp = ipv6 + ND_ICMP;

	if (count < ND_ICMP + ND_OPTIONS || ipv6[ND_VERSION] >> 4 != IPV6_VERSION || ipv6[ND_NEXT_HEADER] != ND_ICMPV6)
		return false;
	*length = get_be16(ipv6 + ND_PAYLOAD_LENGTH);
	return *length >= ND_OPTIONS && *length <= count - ND_ICMP && ipv6[ND_HOP_LIMIT] == ND_HOPS &&
	       nd_sum(ipv6, *length) == 0xFFFF && icmp[ND_CODE] == 0 && icmp[ND_TARGET] != MULTICAST &&
	       ipv6[ND_SOURCE] != MULTICAST;
}

/* Goes through the options: none may have length 0. The first address of the wanted kind counts. */
static bool read_options(const uint8_t *icmp, unsigned length, unsigned wanted, struct nd_message *message)
{
	for (unsigned at = ND_OPTIONS; at < length;) {
		const uint8_t *option = icmp + at;
		unsigned octets;

		if (length - at < 2 || option[1] == 0)
			return false;
		octets = option[1] * (unsigned)OPTION_UNIT;
		if (octets > length - at)
			return false;
		if (option[0] == wanted && octets == ND_LINK_OPTION_OCTETS && !message->has_mac) {
			message->has_mac = true;
			memcpy(message->mac, option + 2, MAC_OCTETS);
		}
		at += octets;
	}
	return !message->has_mac || !(message->mac[0] & GROUP_BIT);
}

static bool solicitation_is_valid(const struct nd_message *message)
{
	return !nd_is_unspecified(message->source) ||
	       (!memcmp(message->destination, SOLICITED_NODE, SOLICITED_NODE_OCTETS) && !message->has_mac);
}

static bool advertisement_is_valid(const struct nd_message *message)
{
	return message->destination[0] != MULTICAST || !message->solicited;
}

bool nd_parse(const uint8_t *payload, unsigned count, struct nd_message *message)
{
	const uint8_t *icmp = payload + ND_ICMP;
	unsigned length;

	if (!is_sound(payload, count, &length) ||
	    (icmp[ND_TYPE] != ND_SOLICITATION && icmp[ND_TYPE] != ND_ADVERTISEMENT))
		return false;
	*message = (struct nd_message){
	        .solicitation = icmp[ND_TYPE] == ND_SOLICITATION,
	        .solicited = icmp[ND_TYPE] == ND_ADVERTISEMENT && icmp[ND_FLAGS] & ND_SOLICITED,
	};
	memcpy(message->source, payload + ND_SOURCE, IPV6_OCTETS);
	memcpy(message->destination, payload + ND_DESTINATION, IPV6_OCTETS);
	memcpy(message->target, icmp + ND_TARGET, IPV6_OCTETS);
	if (!read_options(icmp, length, message->solicitation ? ND_SOURCE_LINK : ND_TARGET_LINK, message))
		return false;
	return message->solicitation ? solicitation_is_valid(message) : advertisement_is_valid(message);
}
