/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that are not ours: which protocol they belong to. Octets are those of a frame from its destination MAC on,
 * without the FCS. They come from the device under test and may be anything. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_FOREIGN_FRAME_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_FOREIGN_FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FOREIGN_HEAD_OCTETS = 64, /* so many octets of a longer frame always tell its kind */
	FOREIGN_MAX_TAGS = 2,
};

enum foreign_kind {
	FOREIGN_ARP,   /* RFC 826 */
	FOREIGN_ND,    /* neighbour discovery: the ICMPv6 types 133 to 137 of RFC 4861 */
	FOREIGN_LLDP,  /* IEEE 802.1AB */
	FOREIGN_STP,   /* spanning tree: of IEEE 802.1D, or of a vendor for each VLAN */
	FOREIGN_PAUSE, /* MAC control, IEEE 802.3 clause 31: pause, also by priority */
	FOREIGN_OTHER,
	FOREIGN_KINDS
};

/* Names by enum: "arp", "nd", "lldp", "stp", "pause", "other". */
extern const char *const FOREIGN_KIND_NAMES[FOREIGN_KINDS];

/* Everything before the payload. */
struct foreign_layers {
	unsigned type;    /* EtherType; below 0x600 the length of a frame of IEEE 802.3 */
	unsigned payload; /* octet where the payload begins */
	unsigned tags;
	uint16_t tci[FOREIGN_MAX_TAGS];
};

/* False: the frame ends within its header. Tags beyond FOREIGN_MAX_TAGS count as payload. */
bool foreign_layers(const uint8_t *octets, unsigned count, struct foreign_layers *layers);

/* Returns whether a frame with these layers is in the VLAN of that VID; NEIGHBOUR_NO_TAG: in none, or without a tag
 * here. A priority tag, of VID 0, says nothing about a VLAN (IEEE 802.1Q). */
bool foreign_is_in_vlan(const struct foreign_layers *layers, int vlan);

/* Returns the kind of a frame from its first `count` octets. */
enum foreign_kind foreign_kind(const uint8_t *octets, unsigned count);

#endif
