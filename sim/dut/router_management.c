// SPDX-License-Identifier: Apache-2.0
/* Datagrams of SNMP to an address of the router, and what its agent tells: how long the router has been there, and what
 * its ports have counted. */
#include <string.h>

#include "host/base/uint128.h"
#include "sim/dut/router.h"
#include "sim/dut/router_agent.h"
#include "sim/dut/router_octets.h"

enum {
	HOPS = 64,
	UDP = 17,
	UDP_OCTETS = 8,
	AT_IPV4_FRAGMENT = 20,
	AT_IPV4_PROTOCOL = 23,
	FRAGMENT_BITS = 0x3fff, /* more fragments, and the offset */
	HUNDREDTHS = 100,
};

/* ifIndex is the number of the port, from 1. */
static const struct agent_counters *counters_of(const void *user, uint32_t interface)
{
	const struct router_device *dut = user;

	return interface >= 1 && interface <= dut->device.ports ? &dut->ports[interface - 1].counters : NULL;
}

/* RFC 768: of the pseudo-header and the datagram. */
static uint32_t udp_checksum(const uint8_t *frame, uint32_t udp_octets)
{
	const uint32_t addresses = internet_sum(frame + AT_IPV4_SOURCE, 8, UDP + udp_octets);
	const uint32_t sum = internet_checksum(frame + AT_PACKET + IPV4_HEADER_OCTETS, udp_octets, addresses);

	return sum != 0 ? sum : 0xffff;
}

/* The query's ends, in exchange. udp: where that of the query begins. */
static void make_answer(const uint8_t *query, const uint8_t *udp, uint32_t message_octets, struct router_own *own)
{
	uint8_t *frame = own->octets, *own_udp = frame + AT_PACKET + IPV4_HEADER_OCTETS;
	const uint32_t udp_octets = UDP_OCTETS + message_octets;

	memcpy(frame, query + AT_SOURCE_MAC, MAC_OCTETS);
	memcpy(frame + AT_SOURCE_MAC, query, MAC_OCTETS);
	put_be16(frame + AT_TYPE, TYPE_IPV4);
	memset(frame + AT_PACKET, 0, IPV4_HEADER_OCTETS);
	frame[AT_PACKET] = 0x45;
	put_be16(frame + AT_IPV4_LENGTH, IPV4_HEADER_OCTETS + udp_octets);
	frame[AT_IPV4_TTL] = HOPS;
	frame[AT_IPV4_PROTOCOL] = UDP;
	memcpy(frame + AT_IPV4_SOURCE, query + AT_IPV4_DESTINATION, 4);
	memcpy(frame + AT_IPV4_DESTINATION, query + AT_IPV4_SOURCE, 4);
	put_be16(frame + AT_IPV4_CHECKSUM, internet_checksum(frame + AT_PACKET, IPV4_HEADER_OCTETS, 0));
	memcpy(own_udp, udp + 2, 2);
	memcpy(own_udp + 2, udp, 2);
	put_be16(own_udp + 4, udp_octets);
	put_be16(own_udp + 6, 0);
	put_be16(own_udp + 6, udp_checksum(frame, udp_octets));
}

/* The datagram to the agent in a packet; NULL: it is none, or not whole in what is read of a frame. */
static const uint8_t *datagram_in(const uint8_t *header, const struct router_header *read)
{
	const uint32_t at = AT_PACKET + 4 * (uint32_t)(header[AT_PACKET] & 0xf);
	const uint32_t end = AT_PACKET + get_be16(header + AT_IPV4_LENGTH);
	uint32_t octets;

	if (read->destination.version != NET_IPV4 || header[AT_IPV4_PROTOCOL] != UDP ||
	    (get_be16(header + AT_IPV4_FRAGMENT) & FRAGMENT_BITS) != 0 || end > DUT_HEADER_OCTETS ||
	    at + UDP_OCTETS > end)
		return NULL;
	octets = get_be16(header + at + 4);
	return get_be16(header + at + 2) == AGENT_PORT && octets >= UDP_OCTETS && octets <= end - at ? header + at
	                                                                                             : NULL;
}

void router_manage(struct router_device *dut, unsigned port, const uint8_t *header, const struct router_header *read,
                   uint64_t now_ot)
{
	const struct route_interface *own_address = routes_own(&dut->settings.routes, &read->destination);
	const uint128 hundredths = (uint128)now_ot * 8 * HUNDREDTHS / dut->device.link_bps;
	const struct agent_values values = {.up_time = (uint32_t)hundredths, .counters = counters_of, .user = dut};
	const uint8_t *udp = datagram_in(header, read);
	struct router_own own;
	uint32_t octets;

	if (dut->settings.community[0] == '\0' || own_address->port != port || udp == NULL ||
	    net_is_martian(&read->source))
		return;
	dut->queries++;
	if (dut->settings.unanswered_every != 0 && dut->queries % dut->settings.unanswered_every == 0)
		return;
	octets = agent_answer(udp + UDP_OCTETS, get_be16(udp + 4) - UDP_OCTETS, dut->settings.community, &values,
	                      own.octets + AT_PACKET + IPV4_HEADER_OCTETS + UDP_OCTETS);
	if (octets == 0)
		return;
	make_answer(header, udp, octets, &own);
	router_send_own(dut, port, &own, AT_PACKET + IPV4_HEADER_OCTETS + UDP_OCTETS + octets + FCS_OCTETS, now_ot);
}
