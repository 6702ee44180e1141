/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what a port of the tester has to say to its neighbours: the addresses of the hosts that it plays, and which MAC
 * address a neighbour says that it has. Pure: octets in, octets out. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_ANSWER_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_ANSWER_H

#include "host/traffic/protocols/neighbour_frame.h"
#include "host/traffic/test_host.h"

/* The hosts of a port. */
struct neighbour_hosts {
	struct test_host_range range;
	int vlan; /* VID of the VLAN in which they are; NEIGHBOUR_NO_TAG: none, or one whose frames have no tag here */
};

/* The network address at which a neighbour is. */
struct neighbour_address {
	bool is_ipv6;
	uint8_t ipv4[IPV4_OCTETS];
	uint8_t ipv6[IPV6_OCTETS];
};

/* Returns whether a frame that came in asks for the MAC address of one of the hosts; then *answer is what that host
 * says. A frame with other tags than theirs does not reach them. */
bool neighbour_answer(const struct neighbour_hosts *hosts, const uint8_t *octets, unsigned count,
                      struct neighbour_frame *answer);

/* Returns whether a frame that came in says which MAC address the neighbour has: in an answer, or as the one who asks.
 * Otherwise mac is left alone. */
bool neighbour_heard(const struct neighbour_hosts *hosts, const struct neighbour_address *neighbour,
                     const uint8_t *octets, unsigned count, uint8_t mac[MAC_OCTETS]);

/* Asks for a neighbour from host number `entry`, which also tells the neighbour where that host is. */
void neighbour_ask(const struct neighbour_hosts *hosts, unsigned entry, const struct neighbour_address *neighbour,
                   struct neighbour_frame *frame);

enum { NEIGHBOUR_TEXT_SIZE = 48 };

/* The address as text, for messages. Returns text. */
const char *neighbour_address_text(const struct neighbour_address *address, char text[NEIGHBOUR_TEXT_SIZE]);

#endif
