/* SPDX-License-Identifier: Apache-2.0 */
/* Headers, octet by octet. All numbers are most significant octet first. */
#include "host/traffic/packet.h"

#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/packet_checksum.h"

enum {
	IPV4_OCTETS = 20,
	IPV6_OCTETS = 40,
	UDP_OCTETS = 8,
	TCP_OCTETS = 20,
	ECHO_OCTETS = 8,
	IPV4_VERSION_AND_LENGTH = 0x45,
	IPV6_VERSION = 0x60,
	TCP_DATA_OFFSET = 0x50, /* 5 words: no options */
	TCP_ACK = 0x10,
	TCP_WINDOW = 0xFFFF,
	ECHO_REQUEST = 8,
	ECHO_REQUEST_V6 = 128,
};

/* `count` octets of 0 behind the others; NULL if they have no room. */
static uint8_t *extend(struct packet *packet, unsigned count)
{
	uint8_t *added = packet->octets + packet->header_octets;

	if (packet->full || packet->header_octets + count > PACKET_MAX_OCTETS) {
		packet->full = true;
		return NULL;
	}
	packet->header_octets = (uint8_t)(packet->header_octets + count);
	return added;
}

void packet_begin(struct packet *packet, const uint8_t destination[6], const uint8_t source[6], unsigned ethertype)
{
	*packet = (struct packet){.header_octets = ETHERNET_OCTETS};
	memcpy(packet->octets, destination, MAC_OCTETS);
	memcpy(packet->octets + MAC_OCTETS, source, MAC_OCTETS);
	put_be16(packet->octets + 2 * MAC_OCTETS, ethertype);
}

void packet_add_tag(struct packet *packet, unsigned ethertype, unsigned tci)
{
	uint8_t *tag = packet->octets + 2 * MAC_OCTETS;
	const unsigned behind = packet->header_octets - 2 * MAC_OCTETS;

	if (extend(packet, TAG_OCTETS) == NULL)
		return;
	memmove(tag + TAG_OCTETS, tag, behind);
	put_be16(tag, ethertype);
	put_be16(tag + 2, tci);
	if (packet->l3)
		packet->l3 = (uint8_t)(packet->l3 + TAG_OCTETS);
	if (packet->l4)
		packet->l4 = (uint8_t)(packet->l4 + TAG_OCTETS);
	if (packet->next)
		packet->next = (uint8_t)(packet->next + TAG_OCTETS);
}

void packet_add_ipv4(struct packet *packet, const uint8_t source[4], const uint8_t destination[4],
                     enum packet_transport transport, unsigned ttl)
{
	uint8_t *ipv4 = extend(packet, IPV4_OCTETS);

	if (ipv4 == NULL)
		return;
	packet->network = PACKET_IPV4;
	packet->transport = transport;
	packet->l3 = (uint8_t)(ipv4 - packet->octets);
	ipv4[0] = IPV4_VERSION_AND_LENGTH;
	ipv4[8] = (uint8_t)ttl;
	ipv4[9] = packet_protocol(transport);
	memcpy(ipv4 + 12, source, 4);
	memcpy(ipv4 + 16, destination, 4);
}

void packet_add_ipv6(struct packet *packet, const uint8_t source[16], const uint8_t destination[16],
                     enum packet_transport transport, unsigned hop_limit)
{
	uint8_t *ipv6 = extend(packet, IPV6_OCTETS);

	if (ipv6 == NULL)
		return;
	packet->network = PACKET_IPV6;
	packet->transport = transport;
	packet->l3 = (uint8_t)(ipv6 - packet->octets);
	ipv6[0] = IPV6_VERSION;
	ipv6[6] = packet_protocol(transport);
	ipv6[7] = (uint8_t)hop_limit;
	memcpy(ipv6 + 8, source, 16);
	memcpy(ipv6 + 24, destination, 16);
	packet->next = (uint8_t)(packet->l3 + 6);
}

/* Extension headers, big-endian, each with lengths in units of its own. Octet 0, the next header, is set when one is
 * added. */
static const struct extension {
	enum packet_extension number;
	uint8_t count, octets[24];
} EXTENSIONS[] = {
        {PACKET_HOP_BY_HOP, 8, {[1] = 0, 1, 4}},           /* PadN of 6 octets */
        {PACKET_DESTINATION_OPTIONS, 8, {[1] = 0, 1, 4}},  /* the same */
        {PACKET_FRAGMENT, 8, {[4] = 0x46, 0x50, 0x47, 1}}, /* offset 0, no more fragments; identification (RFC 6946) */
        /* Type 2 (RFC 6275 6.4), with the home address 2001:2:0:ffff::1. */
        {PACKET_ROUTING, 24, {[1] = 2, 2, 0, [8] = 0x20, 0x01, 0, 2, 0, 0, 0xff, 0xff, [23] = 1}},
        /* 24 octets of 4, less 2; parameters index 46504701, sequence number 1, 12 octets that would be the proof. */
        {PACKET_AUTHENTICATION, 24, {[1] = 4, [4] = 0x46, 0x50, 0x47, 1, 0, 0, 0, 1}},
};

void packet_add_extension(struct packet *packet, enum packet_extension number)
{
	const struct extension *extension = EXTENSIONS;
	const uint8_t behind = packet->octets[packet->next];
	uint8_t *added;

	while (extension->number != number)
		extension++;
	added = extend(packet, extension->count);
	if (added == NULL)
		return;
	memcpy(added, extension->octets, extension->count);
	added[0] = behind;
	packet->octets[packet->next] = (uint8_t)number;
	packet->next = (uint8_t)(added - packet->octets);
}

static uint8_t *add_transport(struct packet *packet, unsigned count, bool checksummed)
{
	uint8_t *added = extend(packet, count);

	if (added == NULL)
		return NULL;
	packet->l4 = (uint8_t)(added - packet->octets);
	packet->checksummed = checksummed;
	return added;
}

void packet_add_udp(struct packet *packet, unsigned source_port, unsigned destination_port, bool checksummed)
{
	uint8_t *udp = add_transport(packet, UDP_OCTETS, checksummed);

	if (udp == NULL)
		return;
	put_be16(udp, source_port);
	put_be16(udp + 2, destination_port);
}

void packet_add_tcp(struct packet *packet, unsigned source_port, unsigned destination_port, uint32_t sequence)
{
	uint8_t *tcp = add_transport(packet, TCP_OCTETS, true);

	if (tcp == NULL)
		return;
	put_be16(tcp, source_port);
	put_be16(tcp + 2, destination_port);
	put_be(tcp + 4, sequence, sizeof(sequence));
	tcp[12] = TCP_DATA_OFFSET;
	tcp[13] = TCP_ACK;
	put_be16(tcp + 14, TCP_WINDOW);
}

void packet_add_echo(struct packet *packet, unsigned identifier, unsigned sequence)
{
	uint8_t *echo = add_transport(packet, ECHO_OCTETS, true);

	if (echo == NULL)
		return;
	echo[0] = packet->network == PACKET_IPV6 ? ECHO_REQUEST_V6 : ECHO_REQUEST;
	put_be16(echo + 4, identifier);
	put_be16(echo + 6, sequence);
}

void packet_add_octets(struct packet *packet, const void *octets, unsigned count)
{
	uint8_t *added = extend(packet, count);

	if (added)
		memcpy(added, octets, count);
}

bool packet_is_fixable(const struct packet *packet)
{
	return !packet->checksummed;
}

void packet_fix(struct packet *packet, uint32_t frame_octets)
{
	struct packet_length lengths[2];
	struct packet_checksum checksum;

	packet_unfix(packet);
	lengths[0] = packet_length1(packet);
	lengths[1] = packet_length2(packet);
	for (unsigned i = 0; i < 2; i++)
		if (lengths[i].used)
			put_be16(packet->octets + lengths[i].octet, frame_octets - lengths[i].base);
	checksum = packet_checksum1(packet);
	if (checksum.used)
		put_be16(packet->octets + checksum.octet, ~(unsigned)checksum.constant);
	packet->fixed_octets = frame_octets;
}

void packet_unfix(struct packet *packet)
{
	if (packet->fixed_octets == 0)
		return;
	packet->fixed_octets = 0;
	if (packet_length1(packet).used)
		put_be16(packet->octets + packet_length1(packet).octet, 0);
	if (packet_length2(packet).used)
		put_be16(packet->octets + packet_length2(packet).octet, 0);
	if (packet_checksum1(packet).used)
		put_be16(packet->octets + packet_checksum1(packet).octet, 0);
}

uint8_t packet_octet(const struct packet *packet, unsigned at)
{
	return at < packet->header_octets ? packet->octets[at] : (uint8_t)(at - packet->header_octets);
}

uint32_t packet_least_octets(const struct packet *packet, bool measured)
{
	return (uint32_t)packet->header_octets + (measured ? PACKET_SIGNATURE_OCTETS : 0) + FCS_OCTETS;
}
