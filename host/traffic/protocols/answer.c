/* SPDX-License-Identifier: Apache-2.0 */
/* Finds who is asked, and what is said. The hosts that there are follow from arithmetic (host/traffic/test_host.h), so
 * there is no table that a device under test could fill. */
#include "host/traffic/protocols/answer.h"

#include <stdio.h>
#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/protocols/arp.h"
#include "host/traffic/protocols/foreign_frame.h"
#include "host/traffic/protocols/nd.h"

enum { GROUP_BIT = 1, SOURCE_MAC = 6 };

/* The message that is in a frame; one of the two, or none. */
struct message {
	bool is_arp, is_nd;
	struct arp_message arp;
	struct nd_message nd;
	uint8_t source_mac[MAC_OCTETS]; /* the frame's */
};

static bool read_message(const struct neighbour_hosts *hosts, const uint8_t *octets, unsigned count,
                         struct message *message)
{
	struct foreign_layers layers;

	*message = (struct message){0};
	if (!foreign_layers(octets, count, &layers) || !foreign_is_in_vlan(&layers, hosts->vlan) ||
	    octets[SOURCE_MAC] & GROUP_BIT)
		return false;
	memcpy(message->source_mac, octets + SOURCE_MAC, MAC_OCTETS);
	switch (foreign_kind(octets, count)) {
	case FOREIGN_ARP:
		message->is_arp = arp_parse(octets + layers.payload, count - layers.payload, &message->arp);
		break;
	case FOREIGN_ND:
		message->is_nd = nd_parse(octets + layers.payload, count - layers.payload, &message->nd);
		break;
	default:
		break;
	}
	return message->is_arp || message->is_nd;
}

static bool answer_arp(const struct neighbour_hosts *hosts, const struct arp_message *asked,
                       struct neighbour_frame *answer)
{
	struct arp_message reply = {.request = false};
	struct test_host host;

	if (!asked->request || !test_host_of_ipv4(&hosts->range, asked->target_ipv4, &host))
		return false;
	memcpy(reply.sender_mac, host.mac, MAC_OCTETS);
	memcpy(reply.sender_ipv4, host.ipv4, IPV4_OCTETS);
	memcpy(reply.target_mac, asked->sender_mac, MAC_OCTETS);
	memcpy(reply.target_ipv4, asked->sender_ipv4, IPV4_OCTETS);
	arp_build(&reply, hosts->vlan, answer);
	return true;
}

/* The sender is where the frame came from if the option is missing, as it may be in a unicast solicitation (RFC 4861
 * section 4.3). */
static bool answer_nd(const struct neighbour_hosts *hosts, const struct message *message,
                      struct neighbour_frame *answer)
{
	const struct nd_message *asked = &message->nd;
	struct test_host host;

	if (!asked->solicitation || !test_host_of_ipv6(&hosts->range, asked->target, &host))
		return false;
	nd_advertise(host.mac, host.ipv6, asked->has_mac ? asked->mac : message->source_mac, asked->source, hosts->vlan,
	             answer);
	return true;
}

bool neighbour_answer(const struct neighbour_hosts *hosts, const uint8_t *octets, unsigned count,
                      struct neighbour_frame *answer)
{
	struct message message;

	if (!read_message(hosts, octets, count, &message))
		return false;
	return message.is_arp ? answer_arp(hosts, &message.arp, answer) : answer_nd(hosts, &message, answer);
}

/* The MAC address that a message gives for the neighbour; NULL if it is about another one. */
static const uint8_t *mac_of(const struct neighbour_address *neighbour, const struct message *message)
{
	const struct nd_message *nd = &message->nd;

	if (message->is_arp)
		return memcmp(message->arp.sender_ipv4, neighbour->ipv4, IPV4_OCTETS) ? NULL : message->arp.sender_mac;
	if (memcmp(nd->solicitation ? nd->source : nd->target, neighbour->ipv6, IPV6_OCTETS))
		return NULL;
	return nd->has_mac ? nd->mac : message->source_mac;
}

bool neighbour_heard(const struct neighbour_hosts *hosts, const struct neighbour_address *neighbour,
                     const uint8_t *octets, unsigned count, uint8_t mac[MAC_OCTETS])
{
	struct message message;
	const uint8_t *said;

	if (!read_message(hosts, octets, count, &message) || message.is_nd != neighbour->is_ipv6)
		return false;
	said = mac_of(neighbour, &message);
	if (said != NULL)
		memcpy(mac, said, MAC_OCTETS);
	return said != NULL;
}

void neighbour_ask(const struct neighbour_hosts *hosts, unsigned entry, const struct neighbour_address *neighbour,
                   struct neighbour_frame *frame)
{
	const struct test_host host = test_host_in(&hosts->range, entry);
	struct arp_message request = {.request = true};

	if (neighbour->is_ipv6) {
		nd_solicit(host.mac, host.ipv6, neighbour->ipv6, hosts->vlan, frame);
		return;
	}
	memcpy(request.sender_mac, host.mac, MAC_OCTETS);
	memcpy(request.sender_ipv4, host.ipv4, IPV4_OCTETS);
	memcpy(request.target_ipv4, neighbour->ipv4, IPV4_OCTETS);
	arp_build(&request, hosts->vlan, frame);
}

const char *neighbour_address_text(const struct neighbour_address *address, char text[NEIGHBOUR_TEXT_SIZE])
{
	const uint8_t *v4 = address->ipv4, *v6 = address->ipv6;

	if (!address->is_ipv6)
		snprintf(text, NEIGHBOUR_TEXT_SIZE, "%u.%u.%u.%u", v4[0], v4[1], v4[2], v4[3]);
	else
		snprintf(text, NEIGHBOUR_TEXT_SIZE, "%x:%x:%x:%x:%x:%x:%x:%x", get_be16(v6), get_be16(v6 + 2),
		         get_be16(v6 + 4), get_be16(v6 + 6), get_be16(v6 + 8), get_be16(v6 + 10), get_be16(v6 + 12),
		         get_be16(v6 + 14));
	return text;
}
