/* SPDX-License-Identifier: Apache-2.0 */
/* UDP datagrams in Ethernet frames, over IPv4 (RFC 791) and IPv6 (RFC 8200): a frame is built whole, and one that came
 * in is believed only after all checks. Octets are those of a frame from its destination MAC on, without the FCS. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_DATAGRAM_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_DATAGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "host/traffic/protocols/answer.h"

enum {
	DATAGRAM_PAYLOAD_OCTETS = 512, /* RFC 1058 section 3.1: the longest of RIP; those of SNMP here are shorter */
	DATAGRAM_HEADER_OCTETS = 66,   /* Ethernet with a tag 18, IPv6 40, UDP 8 */
	DATAGRAM_FRAME_OCTETS = DATAGRAM_HEADER_OCTETS + DATAGRAM_PAYLOAD_OCTETS,
};

struct datagram_end {
	uint8_t mac[MAC_OCTETS];
	struct neighbour_address address;
	uint16_t port;
};

struct datagram {
	struct datagram_end from, to; /* both of the same version of IP */
	int tci;                      /* tag control information of a VLAN tag, or NEIGHBOUR_NO_TAG */
	uint8_t hops;                 /* time to live, or hop limit */
	bool unfragmented;            /* IPv4: routers must not fragment it */
	bool unchecked;               /* IPv4: without a UDP checksum, which RFC 768 allows */
};

struct datagram_frame {
	uint8_t octets[DATAGRAM_FRAME_OCTETS];
	unsigned count;
	unsigned payload;      /* where it begins */
	unsigned udp_checksum; /* where it is, whether or not there is one */
};

/* The ends of an answer are those of the question, in exchange; its MAC addresses are not looked at but for our own. */
struct datagram datagram_answer_to(const struct datagram *sent);

/* False: the payload is too long. */
bool datagram_build(const struct datagram *datagram, const uint8_t *payload, unsigned count,
                    struct datagram_frame *frame);

enum datagram_fault {
	DATAGRAM_SOUND,
	DATAGRAM_ANOTHER,      /* no UDP datagram to that host and port: a frame of somebody else's business */
	DATAGRAM_OTHER_SENDER, /* goes to that host and port, but comes from another sender */
	DATAGRAM_FRAGMENT,     /* a part of a datagram between these hosts */
	DATAGRAM_CUT,          /* shorter than its headers say, or than headers are */
	DATAGRAM_IP_CHECKSUM,
	DATAGRAM_UDP_CHECKSUM, /* wrong; or none over IPv6 */
};

struct datagram_payload {
	const uint8_t *octets; /* a part of the frame */
	unsigned count;
};

/* Says whether the frame has the datagram; if it is sound, *payload is what it carries. */
enum datagram_fault datagram_read(const struct datagram *expected, const uint8_t *octets, unsigned count,
                                  struct datagram_payload *payload);

#endif
