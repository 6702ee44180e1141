/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of a frame, built from the outside in: Ethernet, VLAN tags, network, transport, and whatever else. After
 * them comes the counting payload. Where a length or a checksum differs from frame to frame, the headers hold 0, and
 * packet_checksum.h says what the device has to put there. */
#ifndef FPGAUGE_TRAFFIC_PACKET_H
#define FPGAUGE_TRAFFIC_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/ethernet.h"

enum {
	PACKET_MAX_OCTETS = 192,      /* most octets of headers; the payload begins there at the latest */
	PACKET_VARIES_OCTETS = 128,   /* nothing varies behind them */
	PACKET_SIGNATURE_OCTETS = 18, /* octets at the end of a measured frame, before the FCS */
};

enum packet_network { PACKET_NO_NETWORK, PACKET_IPV4, PACKET_IPV6 };
enum packet_transport { PACKET_NO_TRANSPORT, PACKET_UDP, PACKET_TCP, PACKET_ICMP, PACKET_ICMPV6 };

/* Extension headers of IPv6, by their numbers (RFC 8200 4, RFC 4302). */
enum packet_extension {
	PACKET_HOP_BY_HOP = 0,
	PACKET_ROUTING = 43,
	PACKET_FRAGMENT = 44,
	PACKET_AUTHENTICATION = 51,
	PACKET_DESTINATION_OPTIONS = 60,
};

struct packet {
	uint8_t octets[PACKET_MAX_OCTETS];
	uint8_t header_octets; /* octets in use; then comes the counting payload 00 01 02 ... */
	uint8_t l3, l4;        /* where network and transport header begin; 0: there is none */
	uint8_t next; /* index of the octet that says what comes behind IPv6 and its extension headers; 0: there is no
	                 IPv6 */
	enum packet_network network;
	enum packet_transport transport;
	bool checksummed;      /* the transport header has a checksum; UDP over IPv4 need not */
	uint32_t fixed_octets; /* lengths and header checksum are in the octets, for frames of this length; 0: of any */
	bool full;             /* something had no room and was left out */
};

/* Begins with addresses and type. Whatever is added after them is put behind, except for packet_add_tag(). */
void packet_begin(struct packet *packet, const uint8_t destination[6], const uint8_t source[6], unsigned ethertype);

/* Puts a VLAN tag after the source address, before those that are there. tci: priority (3 bits), drop eligible, VID. */
void packet_add_tag(struct packet *packet, unsigned ethertype, unsigned tci);

void packet_add_ipv4(struct packet *packet, const uint8_t source[4], const uint8_t destination[4],
                     enum packet_transport transport, unsigned ttl);
void packet_add_ipv6(struct packet *packet, const uint8_t source[16], const uint8_t destination[16],
                     enum packet_transport transport, unsigned hop_limit);
/* Adds an extension header between IPv6 and transport, behind those added before: what a sender writes that wants
 * nothing of it, as RFC 5180 5.3 needs for the load on a device that has to step over them. Options are padding, the
 * fragment is all there is, the routing header has no segment left, and nobody can verify the authentication. */
void packet_add_extension(struct packet *packet, enum packet_extension extension);
void packet_add_udp(struct packet *packet, unsigned source_port, unsigned destination_port, bool checksummed);
void packet_add_tcp(struct packet *packet, unsigned source_port, unsigned destination_port, uint32_t sequence);
/* Adds an echo request of version 4 or 6, as the network is. */
void packet_add_echo(struct packet *packet, unsigned identifier, unsigned sequence);
void packet_add_octets(struct packet *packet, const void *octets, unsigned count);

/* Returns whether packet_fix() may be used: no checksum covers the payload. */
bool packet_is_fixable(const struct packet *packet);

/* Writes lengths and the checksum of IPv4 into the headers, for frames of frame_octets and no others. */
void packet_fix(struct packet *packet, uint32_t frame_octets);

/* Takes them out again: the device makes them for frames of any length. */
void packet_unfix(struct packet *packet);

/* Octet number `at` of the frame, header or counting payload. */
uint8_t packet_octet(const struct packet *packet, unsigned at);

/* The shortest frame that holds the headers, and the signature if it is measured. */
uint32_t packet_least_octets(const struct packet *packet, bool measured);

#endif
