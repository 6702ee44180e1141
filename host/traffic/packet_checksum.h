/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of each frame of a packet that the device fills in: up to two lengths and two checksums, and the part of
 * each checksum that is the same in all frames (docs/hardware-core.md, Contents of frames). */
#ifndef FPGAUGE_TRAFFIC_PACKET_CHECKSUM_H
#define FPGAUGE_TRAFFIC_PACKET_CHECKSUM_H

#include "host/traffic/packet.h"

/* Octets of the frame, FCS included, minus `base`, at an even octet. */
struct packet_length {
	bool used;
	uint8_t octet;
	uint16_t base;
};

/* ~(constant + what varies), at an even octet. */
struct packet_checksum {
	bool used;
	bool zero_as_ones; /* UDP: a checksum of 0 is sent as ffff */
	uint8_t times;     /* how often the length of the transport packet is in it */
	uint8_t octet;
	uint16_t constant;
};

struct packet_length packet_length1(const struct packet *packet);     /* the network header's */
struct packet_length packet_length2(const struct packet *packet);     /* UDP's; base is set also where it is not used */
struct packet_checksum packet_checksum1(const struct packet *packet); /* the IPv4 header's */
struct packet_checksum packet_checksum2(const struct packet *packet); /* the transport packet's */

/* Returns whether an octet of the headers is in the sum of checksum1, or of checksum2. */
bool packet_checksum1_covers(const struct packet *packet, unsigned octet);
bool packet_checksum2_covers(const struct packet *packet, unsigned octet);

/* The protocol number (IPv4) or next header (IPv6); 59, "no next header" (RFC 8200 4.7), for none. */
uint8_t packet_protocol(enum packet_transport transport);

#endif
