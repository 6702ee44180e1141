/* SPDX-License-Identifier: Apache-2.0 */
/* A frame that asks or answers a neighbour, ready to be sent but for its FCS. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_NEIGHBOUR_FRAME_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_NEIGHBOUR_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/ethernet.h"

enum {
	IPV4_OCTETS = 4,
	IPV6_OCTETS = 16,
	/* The longest: Ethernet with a tag 18, IPv6 40, a solicitation 24 with its option 8. All are as long, so that
	 * it is known how much of the line so many of them take; what is behind the shorter ones is padding, 0. */
	NEIGHBOUR_OCTETS = 90,
	NEIGHBOUR_FRAME_OCTETS = NEIGHBOUR_OCTETS + FCS_OCTETS,
	NEIGHBOUR_NO_TAG = -1,
};

struct neighbour_frame {
	uint8_t octets[NEIGHBOUR_OCTETS];
};

/* Ethernet header and, if tci is not NEIGHBOUR_NO_TAG, a VLAN tag; the rest is 0. Returns where the payload begins. */
unsigned neighbour_frame_begin(struct neighbour_frame *frame, const uint8_t destination[MAC_OCTETS],
                               const uint8_t source[MAC_OCTETS], int tci, unsigned type);

#endif
