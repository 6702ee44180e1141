/* SPDX-License-Identifier: Apache-2.0 */
/* Writes messages of neighbour discovery. */
#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/packet.h"
#include "host/traffic/protocols/nd.h"
#include "host/traffic/protocols/nd_layout.h"

enum { IPV6_FIRST_OCTET = 0x60 };

/* A message behind the Ethernet header, at `ipv6`; option 0: it has none. */
struct message {
	unsigned type, flags, option;
	const uint8_t *mac, *source, *destination, *target;
};

static void build(uint8_t *ipv6, const struct message *message)
{
	const unsigned length = ND_OPTIONS + (message->option ? ND_LINK_OPTION_OCTETS : 0);
	uint8_t *icmp = ipv6 + ND_ICMP, *option = icmp + ND_OPTIONS;

	ipv6[ND_VERSION] = IPV6_FIRST_OCTET;
	put_be16(ipv6 + ND_PAYLOAD_LENGTH, length);
	ipv6[ND_NEXT_HEADER] = ND_ICMPV6;
	ipv6[ND_HOP_LIMIT] = ND_HOPS;
	memcpy(ipv6 + ND_SOURCE, message->source, IPV6_OCTETS);
	memcpy(ipv6 + ND_DESTINATION, message->destination, IPV6_OCTETS);
	icmp[ND_TYPE] = (uint8_t)message->type;
	icmp[ND_FLAGS] = (uint8_t)message->flags;
	memcpy(icmp + ND_TARGET, message->target, IPV6_OCTETS);
	if (message->option) {
		option[0] = (uint8_t)message->option;
		option[1] = 1; /* x 8 octets */
		memcpy(option + 2, message->mac, MAC_OCTETS);
	}
	put_be16(icmp + ND_CHECKSUM, ~nd_sum(ipv6, length) & 0xFFFF);
}

void nd_solicit(const uint8_t mac[MAC_OCTETS], const uint8_t source[IPV6_OCTETS], const uint8_t target[IPV6_OCTETS],
                int tci, struct neighbour_frame *frame)
{
	/* RFC 2464 section 7: 33 33 and the last four octets of the group. */
	const uint8_t group_mac[MAC_OCTETS] = {0x33, 0x33, 0xFF, target[13], target[14], target[15]};
	const uint8_t group[IPV6_OCTETS] = {0xFF, 0x02, 0, 0,    0,    0,          0,          0,
	                                    0,    0,    0, 0x01, 0xFF, target[13], target[14], target[15]};
	uint8_t *ipv6 = frame->octets + neighbour_frame_begin(frame, group_mac, mac, tci, TYPE_IPV6);

	build(ipv6, &(struct message){.type = ND_SOLICITATION,
	                              .option = nd_is_unspecified(source) ? 0 : ND_SOURCE_LINK,
	                              .mac = mac,
	                              .source = source,
	                              .destination = group,
	                              .target = target});
}

void nd_advertise(const uint8_t mac[MAC_OCTETS], const uint8_t target[IPV6_OCTETS], const uint8_t to_mac[MAC_OCTETS],
                  const uint8_t destination[IPV6_OCTETS], int tci, struct neighbour_frame *frame)
{
	static const uint8_t ALL_NODES[IPV6_OCTETS] = {0xFF, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01};
	static const uint8_t ALL_NODES_MAC[MAC_OCTETS] = {0x33, 0x33, 0, 0, 0, 0x01};
	const bool to_all = nd_is_unspecified(destination);
	uint8_t *ipv6 =
	        frame->octets + neighbour_frame_begin(frame, to_all ? ALL_NODES_MAC : to_mac, mac, tci, TYPE_IPV6);

	build(ipv6, &(struct message){.type = ND_ADVERTISEMENT,
	                              .flags = to_all ? ND_OVERRIDE : ND_SOLICITED | ND_OVERRIDE,
	                              .option = ND_TARGET_LINK,
	                              .mac = mac,
	                              .source = target,
	                              .destination = to_all ? ALL_NODES : destination,
	                              .target = target});
}
