/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of a frame, by its type field, and for spanning tree by its LLC header. */
#include "host/traffic/protocols/foreign_frame.h"

#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/packet.h"
#include "host/traffic/protocols/neighbour_frame.h"

enum {
	TYPE_LLDP = 0x88CC,
	TYPE_MAC_CONTROL = 0x8808,
	LEAST_TYPE = 0x600, /* IEEE 802.3 3.2.6: below, it is a length */
	IPV6_HEADER_OCTETS = 40,
	IPV6_NEXT_HEADER = 6,
	NEXT_HEADER_ICMPV6 = 58,
	ND_FIRST = 133, /* router solicitation */
	ND_LAST = 137,  /* redirect */
};

const char *const FOREIGN_KIND_NAMES[FOREIGN_KINDS] = {
        [FOREIGN_ARP] = "arp", [FOREIGN_ND] = "nd",       [FOREIGN_LLDP] = "lldp",
        [FOREIGN_STP] = "stp", [FOREIGN_PAUSE] = "pause", [FOREIGN_OTHER] = "other",
};

bool foreign_layers(const uint8_t *octets, unsigned count, struct foreign_layers *layers)
{
	unsigned at = AT_TYPE;

	*layers = (struct foreign_layers){0};
	for (;;) {
		if (count < at + 2)
			return false;
		layers->type = get_be16(octets + at);
		layers->payload = at + 2;
		if ((layers->type != TYPE_VLAN && layers->type != TYPE_SERVICE) || layers->tags == FOREIGN_MAX_TAGS)
			return true;
		if (count < at + TAG_OCTETS)
			return false;
		layers->tci[layers->tags++] = (uint16_t)get_be16(octets + at + 2);
		at += TAG_OCTETS;
	}
}

bool foreign_is_in_vlan(const struct foreign_layers *layers, int vlan)
{
	const unsigned vid = layers->tags ? layers->tci[0] & (unsigned)VID_BITS : 0;

	return layers->tags <= 1 && vid == (unsigned)(vlan == NEIGHBOUR_NO_TAG ? 0 : vlan);
}

/* LLC 42 42 03 of IEEE 802.1D; or SNAP with the protocol of Cisco's spanning tree of each VLAN. */
static bool is_spanning_tree(const uint8_t *payload, unsigned count)
{
	static const uint8_t BPDU[] = {0x42, 0x42, 0x03};
	static const uint8_t PER_VLAN[] = {0xAA, 0xAA, 0x03, 0x00, 0x00, 0x0C, 0x01, 0x0B};

	return (count >= sizeof(BPDU) && !memcmp(payload, BPDU, sizeof(BPDU))) ||
	       (count >= sizeof(PER_VLAN) && !memcmp(payload, PER_VLAN, sizeof(PER_VLAN)));
}

static bool is_neighbour_discovery(const uint8_t *payload, unsigned count)
{
	return count > IPV6_HEADER_OCTETS && payload[IPV6_NEXT_HEADER] == NEXT_HEADER_ICMPV6 &&
	       payload[IPV6_HEADER_OCTETS] >= ND_FIRST && payload[IPV6_HEADER_OCTETS] <= ND_LAST;
}

enum foreign_kind foreign_kind(const uint8_t *octets, unsigned count)
{
	struct foreign_layers layers;
	const uint8_t *payload;
	unsigned rest;

	if (!foreign_layers(octets, count, &layers))
		return FOREIGN_OTHER;
	payload = octets + layers.payload;
	rest = count - layers.payload;
	if (layers.type < LEAST_TYPE)
		return is_spanning_tree(payload, rest) ? FOREIGN_STP : FOREIGN_OTHER;
	switch (layers.type) {
	case TYPE_ARP:
		return FOREIGN_ARP;
	case TYPE_IPV6:
		return is_neighbour_discovery(payload, rest) ? FOREIGN_ND : FOREIGN_OTHER;
	case TYPE_LLDP:
		return FOREIGN_LLDP;
	case TYPE_MAC_CONTROL:
		return FOREIGN_PAUSE;
	default:
		return FOREIGN_OTHER;
	}
}
