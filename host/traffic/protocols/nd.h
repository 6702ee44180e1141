/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbour solicitations and advertisements of IPv6 (RFC 4861 sections 4.3, 4.4 and 7). */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_ND_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_ND_H

#include <stdbool.h>
#include <stdint.h>

#include "host/traffic/protocols/neighbour_frame.h"

struct nd_message {
	bool solicitation; /* else an advertisement */
	bool solicited;    /* an advertisement that answers a solicitation */
	uint8_t source[IPV6_OCTETS], destination[IPV6_OCTETS], target[IPV6_OCTETS];
	bool has_mac; /* the option: of the source of a solicitation, of the target of an advertisement */
	uint8_t mac[MAC_OCTETS];
};

/* Reads the payload of a frame of type 0x86DD. False: no neighbour solicitation or advertisement, or one that fails a
 * check of RFC 4861 section 7.1.1 or 7.1.2, by which it must be discarded silently. */
bool nd_parse(const uint8_t *payload, unsigned count, struct nd_message *message);

/* All zeros: the sender has no address yet. */
bool nd_is_unspecified(const uint8_t address[IPV6_OCTETS]);

/* Asks for the MAC address of `target`, to its solicited-node multicast address (section 7.2.2), and gives that of the
 * source. With the unspecified address as the source it asks whether anybody has that address (RFC 4862 section 5.4.2),
 * and gives none. */
void nd_solicit(const uint8_t mac[MAC_OCTETS], const uint8_t source[IPV6_OCTETS], const uint8_t target[IPV6_OCTETS],
                int tci, struct neighbour_frame *frame);

/* Says that `target` is at `mac`, to `destination` at `to_mac`, solicited; or to all nodes if the destination is
 * unspecified (section 7.2.4). It overrides what was known. */
void nd_advertise(const uint8_t mac[MAC_OCTETS], const uint8_t target[IPV6_OCTETS], const uint8_t to_mac[MAC_OCTETS],
                  const uint8_t destination[IPV6_OCTETS], int tci, struct neighbour_frame *frame);

#endif
