/* SPDX-License-Identifier: Apache-2.0 */
/* Sums in one's complement (RFC 1071). The counting payload needs no correction: it begins right after the headers, so
 * what the host writes of it is what the device adds for it. */
#include "host/traffic/packet_checksum.h"

#include "host/base/internet_checksum.h"

enum { NO_NEXT_HEADER = 59, IPV4_OCTETS = 20 };

/* The place of the checksum in a transport header, and how often the length of the packet is added: once for the
 * pseudo-header (RFC 768, RFC 793, RFC 8200 8.1), and once for the length that UDP has itself. */
static const struct {
	uint8_t protocol, checksum_at, times;
} TRANSPORTS[] = {
        [PACKET_NO_TRANSPORT] = {NO_NEXT_HEADER, 0, 0},
        [PACKET_UDP] = {17, 6, 2},
        [PACKET_TCP] = {6, 16, 1},
        [PACKET_ICMP] = {1, 2, 0}, /* no pseudo-header */
        [PACKET_ICMPV6] = {58, 2, 1},
};

uint8_t packet_protocol(enum packet_transport transport)
{
	return TRANSPORTS[transport].protocol;
}

struct packet_length packet_length1(const struct packet *packet)
{
	const unsigned l3 = packet->l3;

	if (packet->fixed_octets)
		return (struct packet_length){0};
	switch (packet->network) {
	case PACKET_IPV4: /* total length */
		return (struct packet_length){true, (uint8_t)(l3 + 2), (uint16_t)(l3 + FCS_OCTETS)};
	case PACKET_IPV6: /* payload length: without the header of 40 octets */
		return (struct packet_length){true, (uint8_t)(l3 + 4), (uint16_t)(l3 + 40 + FCS_OCTETS)};
	case PACKET_NO_NETWORK:
		break;
	}
	return (struct packet_length){0};
}

struct packet_length packet_length2(const struct packet *packet)
{
	if (packet->fixed_octets || packet->l4 == 0)
		return (struct packet_length){0};
	return (struct packet_length){packet->transport == PACKET_UDP, (uint8_t)(packet->l4 + 4),
	                              (uint16_t)(packet->l4 + FCS_OCTETS)};
}

struct packet_checksum packet_checksum1(const struct packet *packet)
{
	if (packet->network != PACKET_IPV4 || packet->fixed_octets)
		return (struct packet_checksum){0};
	return (struct packet_checksum){.used = true,
	                                .octet = (uint8_t)(packet->l3 + 10),
	                                .constant =
	                                        (uint16_t)internet_sum(packet->octets + packet->l3, IPV4_OCTETS, 0)};
}

/* Finds both addresses, which stand side by side in either version. */
static void addresses(const struct packet *packet, unsigned *first, unsigned *count)
{
	*first = packet->l3 + (packet->network == PACKET_IPV4 ? 12u : 8u);
	*count = packet->network == PACKET_IPV4 ? 8 : 32;
}

/* Addresses and protocol: what is constant in it. */
static uint32_t pseudo_header_sum(const struct packet *packet)
{
	unsigned first, count;

	if (packet->transport == PACKET_ICMP)
		return 0;
	addresses(packet, &first, &count);
	return internet_sum(packet->octets + first, count, packet_protocol(packet->transport));
}

struct packet_checksum packet_checksum2(const struct packet *packet)
{
	if (!packet->checksummed)
		return (struct packet_checksum){0};
	return (struct packet_checksum){
	        .used = true,
	        .zero_as_ones = packet->transport == PACKET_UDP,
	        .times = TRANSPORTS[packet->transport].times,
	        .octet = (uint8_t)(packet->l4 + TRANSPORTS[packet->transport].checksum_at),
	        .constant = (uint16_t)internet_sum(packet->octets + packet->l4, packet->header_octets - packet->l4,
	                                           pseudo_header_sum(packet)),
	};
}

bool packet_checksum1_covers(const struct packet *packet, unsigned octet)
{
	return packet->network == PACKET_IPV4 && octet >= packet->l3 && octet < packet->l3 + (unsigned)IPV4_OCTETS;
}

bool packet_checksum2_covers(const struct packet *packet, unsigned octet)
{
	unsigned first, count;

	if (!packet->checksummed)
		return false;
	addresses(packet, &first, &count);
	return octet >= packet->l4 || (packet->transport != PACKET_ICMP && octet >= first && octet < first + count);
}
