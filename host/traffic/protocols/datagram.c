/* SPDX-License-Identifier: Apache-2.0 */
#include "host/traffic/protocols/datagram.h"

#include <string.h>

#include "host/base/internet_checksum.h"
#include "host/base/octets.h"
#include "host/traffic/packet.h"
#include "host/traffic/protocols/foreign_frame.h"

enum {
	IPV4_HEADER_OCTETS = 20,
	IPV4_TOTAL_LENGTH = 2,
	IPV4_FRAGMENT = 6, /* three flags and the offset */
	IPV4_TTL = 8,
	IPV4_PROTOCOL = 9,
	IPV4_CHECKSUM = 10,
	IPV4_SOURCE = 12,
	IPV4_DESTINATION = 16,
	IPV4_DO_NOT_FRAGMENT = 0x4000,
	IPV4_FRAGMENT_BITS = 0x3FFF, /* more fragments, and the offset */
	IPV4_LEAST_WORDS = 5,
	IPV6_HEADER_OCTETS = 40,
	IPV6_PAYLOAD_LENGTH = 4,
	IPV6_NEXT_HEADER = 6,
	IPV6_HOP_LIMIT = 7,
	IPV6_SOURCE = 8,
	IPV6_DESTINATION = 24,
	IPV6_FRAGMENT = 44, /* next header, RFC 8200 section 4.5 */
	UDP_HEADER_OCTETS = 8,
	UDP_LENGTH = 4,
	UDP_CHECKSUM = 6,
	PROTOCOL_UDP = 17,
};

/* Sums a datagram of `length` octets with its pseudo-header: FFFF if the checksum in it is right. The addresses stand
 * side by side in either version. */
static uint32_t udp_sum(const uint8_t *ip, bool is_ipv6, const uint8_t *udp, unsigned length)
{
	const uint32_t addresses = is_ipv6 ? internet_sum(ip + IPV6_SOURCE, 2 * IPV6_OCTETS, 0)
	                                   : internet_sum(ip + IPV4_SOURCE, 2 * IPV4_OCTETS, 0);

	return internet_sum(udp, length, addresses + PROTOCOL_UDP + length);
}

struct datagram datagram_answer_to(const struct datagram *sent)
{
	struct datagram answer = *sent;

	answer.from = sent->to;
	answer.to = sent->from;
	return answer;
}

static void put_ipv4(const struct datagram *datagram, unsigned length, uint8_t *ip)
{
	ip[0] = 4 << 4 | IPV4_LEAST_WORDS;
	put_be16(ip + IPV4_TOTAL_LENGTH, IPV4_HEADER_OCTETS + length);
	put_be16(ip + IPV4_FRAGMENT, datagram->unfragmented ? IPV4_DO_NOT_FRAGMENT : 0);
	ip[IPV4_TTL] = datagram->hops;
	ip[IPV4_PROTOCOL] = PROTOCOL_UDP;
	memcpy(ip + IPV4_SOURCE, datagram->from.address.ipv4, IPV4_OCTETS);
	memcpy(ip + IPV4_DESTINATION, datagram->to.address.ipv4, IPV4_OCTETS);
	put_be16(ip + IPV4_CHECKSUM, internet_checksum(ip, IPV4_HEADER_OCTETS, 0));
}

static void put_ipv6(const struct datagram *datagram, unsigned length, uint8_t *ip)
{
	ip[0] = 6 << 4;
	put_be16(ip + IPV6_PAYLOAD_LENGTH, length);
	ip[IPV6_NEXT_HEADER] = PROTOCOL_UDP;
	ip[IPV6_HOP_LIMIT] = datagram->hops;
	memcpy(ip + IPV6_SOURCE, datagram->from.address.ipv6, IPV6_OCTETS);
	memcpy(ip + IPV6_DESTINATION, datagram->to.address.ipv6, IPV6_OCTETS);
}

bool datagram_build(const struct datagram *datagram, const uint8_t *payload, unsigned count,
                    struct datagram_frame *frame)
{
	const bool is_ipv6 = datagram->from.address.is_ipv6;
	const unsigned length = UDP_HEADER_OCTETS + count;
	struct neighbour_frame head;
	const unsigned l3 = neighbour_frame_begin(&head, datagram->to.mac, datagram->from.mac, datagram->tci,
	                                          is_ipv6 ? TYPE_IPV6 : TYPE_IPV4);
	const unsigned l4 = l3 + (is_ipv6 ? IPV6_HEADER_OCTETS : IPV4_HEADER_OCTETS);
	uint8_t *ip = frame->octets + l3, *udp = frame->octets + l4;
	unsigned checksum;

	if (count > DATAGRAM_PAYLOAD_OCTETS)
		return false;
	*frame = (struct datagram_frame){
	        .count = l4 + length, .payload = l4 + UDP_HEADER_OCTETS, .udp_checksum = l4 + UDP_CHECKSUM};
	memcpy(frame->octets, head.octets, l3);
	(is_ipv6 ? put_ipv6 : put_ipv4)(datagram, length, ip);
	put_be16(udp, datagram->from.port);
	put_be16(udp + 2, datagram->to.port);
	put_be16(udp + UDP_LENGTH, length);
	memcpy(udp + UDP_HEADER_OCTETS, payload, count);
	if (datagram->unchecked && !is_ipv6)
		return true;
	checksum = ~udp_sum(ip, is_ipv6, udp, length) & 0xFFFF;
	put_be16(udp + UDP_CHECKSUM, checksum ? checksum : 0xFFFF); /* RFC 768: 0 would mean that there is none */
	return true;
}

/* The part of a frame's IP header that is read, once it is known to be there. */
struct network {
	const uint8_t *ip, *source, *destination;
	unsigned address_octets, header_octets;
	unsigned length; /* octets behind the header, as it says itself */
	bool is_udp, is_fragment, bad_checksum;
};

static bool read_ipv4(const uint8_t *ip, unsigned count, struct network *network)
{
	const unsigned header = count ? (ip[0] & 15u) * 4 : 0;
	unsigned total;

	if (count < IPV4_HEADER_OCTETS || ip[0] >> 4 != 4 || header < IPV4_HEADER_OCTETS || header > count)
		return false;
	total = get_be16(ip + IPV4_TOTAL_LENGTH);
	*network = (struct network){
	        .ip = ip,
	        .source = ip + IPV4_SOURCE,
	        .destination = ip + IPV4_DESTINATION,
	        .address_octets = IPV4_OCTETS,
	        .header_octets = header,
	        .length = total < header ? 0 : total - header,
	        .is_udp = ip[IPV4_PROTOCOL] == PROTOCOL_UDP,
	        .is_fragment = get_be16(ip + IPV4_FRAGMENT) & IPV4_FRAGMENT_BITS,
	        .bad_checksum = internet_sum(ip, header, 0) != 0xFFFF,
	};
	return true;
}

static bool read_ipv6(const uint8_t *ip, unsigned count, struct network *network)
{
	if (count < IPV6_HEADER_OCTETS || ip[0] >> 4 != 6)
		return false;
	*network = (struct network){
	        .ip = ip,
	        .source = ip + IPV6_SOURCE,
	        .destination = ip + IPV6_DESTINATION,
	        .address_octets = IPV6_OCTETS,
	        .header_octets = IPV6_HEADER_OCTETS,
	        .length = get_be16(ip + IPV6_PAYLOAD_LENGTH),
	        .is_udp = ip[IPV6_NEXT_HEADER] == PROTOCOL_UDP || ip[IPV6_NEXT_HEADER] == IPV6_FRAGMENT,
	        .is_fragment = ip[IPV6_NEXT_HEADER] == IPV6_FRAGMENT,
	};
	return true;
}

static const uint8_t *octets_of(const struct neighbour_address *address)
{
	return address->is_ipv6 ? address->ipv6 : address->ipv4;
}

/* The UDP part; `count` octets are there. */
static enum datagram_fault read_udp(const struct datagram *expected, const struct network *network, unsigned count,
                                    struct datagram_payload *payload)
{
	const bool is_ipv6 = expected->to.address.is_ipv6;
	const uint8_t *udp = network->ip + network->header_octets;
	unsigned length;

	if (count < UDP_HEADER_OCTETS)
		return DATAGRAM_CUT;
	if (get_be16(udp + 2) != expected->to.port)
		return DATAGRAM_ANOTHER;
	if (memcmp(network->source, octets_of(&expected->from.address), network->address_octets) ||
	    get_be16(udp) != expected->from.port)
		return DATAGRAM_OTHER_SENDER;
	length = get_be16(udp + UDP_LENGTH);
	if (length < UDP_HEADER_OCTETS || length > network->length || network->length > count)
		return DATAGRAM_CUT;
	if ((is_ipv6 || get_be16(udp + UDP_CHECKSUM)) &&
	    (get_be16(udp + UDP_CHECKSUM) == 0 || udp_sum(network->ip, is_ipv6, udp, length) != 0xFFFF))
		return DATAGRAM_UDP_CHECKSUM;
	*payload = (struct datagram_payload){udp + UDP_HEADER_OCTETS, length - UDP_HEADER_OCTETS};
	return DATAGRAM_SOUND;
}

static int vid_of(int tci)
{
	return tci == NEIGHBOUR_NO_TAG ? NEIGHBOUR_NO_TAG : tci & VID_BITS;
}

enum datagram_fault datagram_read(const struct datagram *expected, const uint8_t *octets, unsigned count,
                                  struct datagram_payload *payload)
{
	const bool is_ipv6 = expected->to.address.is_ipv6;
	struct foreign_layers layers;
	struct network network;
	unsigned rest;

	if (!foreign_layers(octets, count, &layers) || !foreign_is_in_vlan(&layers, vid_of(expected->tci)) ||
	    layers.type != (is_ipv6 ? TYPE_IPV6 : TYPE_IPV4) || memcmp(octets, expected->to.mac, MAC_OCTETS))
		return DATAGRAM_ANOTHER;
	rest = count - layers.payload;
	if (!(is_ipv6 ? read_ipv6 : read_ipv4)(octets + layers.payload, rest, &network))
		return DATAGRAM_CUT;
	if (!network.is_udp || memcmp(network.destination, octets_of(&expected->to.address), network.address_octets))
		return DATAGRAM_ANOTHER;
	if (network.bad_checksum)
		return DATAGRAM_IP_CHECKSUM;
	if (network.is_fragment)
		return memcmp(network.source, octets_of(&expected->from.address), network.address_octets)
		               ? DATAGRAM_OTHER_SENDER
		               : DATAGRAM_FRAGMENT;
	return read_udp(expected, &network, rest - network.header_octets, payload);
}
