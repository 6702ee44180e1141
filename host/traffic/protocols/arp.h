/* SPDX-License-Identifier: Apache-2.0 */
/* Address resolution for IPv4 on Ethernet (RFC 826). */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_ARP_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_ARP_H

#include <stdbool.h>
#include <stdint.h>

#include "host/traffic/protocols/neighbour_frame.h"

struct arp_message {
	bool request; /* else a reply */
	uint8_t sender_mac[MAC_OCTETS], sender_ipv4[IPV4_OCTETS];
	uint8_t target_mac[MAC_OCTETS], target_ipv4[IPV4_OCTETS]; /* target_mac says nothing in a request */
};

/* Reads the payload of a frame of type 0x0806. False: not a request or reply for IPv4 on Ethernet, too short, or from a
 * group address, which no station has. Padding behind is ignored. */
bool arp_parse(const uint8_t *payload, unsigned count, struct arp_message *message);

/* A request goes to everybody, a reply to its target. Both come from message->sender_mac. */
void arp_build(const struct arp_message *message, int tci, struct neighbour_frame *frame);

#endif
