/* SPDX-License-Identifier: Apache-2.0 */
/* ARP, field by field as "Packet format" of RFC 826 has them. */
#include "host/traffic/protocols/arp.h"

#include <string.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"

enum {
	HARDWARE = 0,        /* ar$hrd */
	PROTOCOL = 2,        /* ar$pro */
	HARDWARE_LENGTH = 4, /* ar$hln */
	PROTOCOL_LENGTH = 5, /* ar$pln */
	OPERATION = 6,       /* ar$op */
	SENDER_MAC = 8,
	SENDER_IPV4 = 14,
	TARGET_MAC = 18,
	TARGET_IPV4 = 24,
	ARP_OCTETS = 28,
	HARDWARE_ETHERNET = 1,
	REQUEST = 1,
	REPLY = 2,
	GROUP_BIT = 1, /* marks a group in the first octet of a MAC address */
};

bool arp_parse(const uint8_t *payload, unsigned count, struct arp_message *message)
{
	unsigned operation;

	if (count < ARP_OCTETS || get_be16(payload + HARDWARE) != HARDWARE_ETHERNET ||
	    get_be16(payload + PROTOCOL) != TYPE_IPV4 || payload[HARDWARE_LENGTH] != MAC_OCTETS ||
	    payload[PROTOCOL_LENGTH] != IPV4_OCTETS || payload[SENDER_MAC] & GROUP_BIT)
		return false;
	operation = get_be16(payload + OPERATION);
	message->request = operation == REQUEST;
	memcpy(message->sender_mac, payload + SENDER_MAC, MAC_OCTETS);
	memcpy(message->sender_ipv4, payload + SENDER_IPV4, IPV4_OCTETS);
	memcpy(message->target_mac, payload + TARGET_MAC, MAC_OCTETS);
	memcpy(message->target_ipv4, payload + TARGET_IPV4, IPV4_OCTETS);
	return operation == REQUEST || operation == REPLY;
}

void arp_build(const struct arp_message *message, int tci, struct neighbour_frame *frame)
{
	static const uint8_t EVERYBODY[MAC_OCTETS] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
	uint8_t *payload =
	        frame->octets + neighbour_frame_begin(frame, message->request ? EVERYBODY : message->target_mac,
	                                              message->sender_mac, tci, TYPE_ARP);

	put_be16(payload + HARDWARE, HARDWARE_ETHERNET);
	put_be16(payload + PROTOCOL, TYPE_IPV4);
	payload[HARDWARE_LENGTH] = MAC_OCTETS;
	payload[PROTOCOL_LENGTH] = IPV4_OCTETS;
	put_be16(payload + OPERATION, message->request ? REQUEST : REPLY);
	memcpy(payload + SENDER_MAC, message->sender_mac, MAC_OCTETS);
	memcpy(payload + SENDER_IPV4, message->sender_ipv4, IPV4_OCTETS);
	if (!message->request)
		memcpy(payload + TARGET_MAC, message->target_mac, MAC_OCTETS);
	memcpy(payload + TARGET_IPV4, message->target_ipv4, IPV4_OCTETS);
}
