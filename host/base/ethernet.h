/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a frame (IEEE 802.3 clause 3.1, IEEE 802.1Q clause 9) and the types of its payload. */
#ifndef FPGAUGE_BASE_ETHERNET_H
#define FPGAUGE_BASE_ETHERNET_H

enum {
	MAC_OCTETS = 6,
	AT_TYPE = 2 * MAC_OCTETS, /* or the first tag */
	ETHERNET_OCTETS = AT_TYPE + 2,
	TAG_OCTETS = 4,
	VID_BITS = 0xfff, /* bits of what a tag says */
	FCS_OCTETS = 4,
};

enum {
	TYPE_IPV4 = 0x0800,
	TYPE_ARP = 0x0806,
	TYPE_VLAN = 0x8100, /* customer tag of IEEE 802.1Q */
	TYPE_IPV6 = 0x86dd,
	TYPE_SERVICE = 0x88a8, /* service tag, the outer one of two */
	TYPE_TEST = 0x88b5,    /* IEEE 802: for local experiments, so no protocol that a DUT could know */
};

#endif
