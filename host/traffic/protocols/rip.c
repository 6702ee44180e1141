/* SPDX-License-Identifier: Apache-2.0 */
/* The frame is that of RFC 2544 C.2.6.2, octet by octet, where the appendix agrees with itself. It does not in four
 * places, in which we do what is meant:
 *
 * - The table has six networks, so that the datagram is 132 octets long and the packet 152 (84 and 98 in hex). The
 *   lengths that are printed, 00 DA and 00 EE, are those of a frame of 256 octets, which is the size in the table of
 *   C.2.6.4. With them, 86 octets more would belong to the message: not a whole number of networks, and a receiver
 * would have to take padding for routes or to drop all of it.
 * - The header checksum that is printed, C4 8D, stands also in the test frame of C.2.6.4, which has other lengths,
 * flags and addresses. Ours is that of the header.
 * - The port is printed as "02 08 source port 208 = RIP". 0208 is hexadecimal: 520 (RFC 1058 section 3.1).
 * - The address of net 5 is printed as 00, that of the others as xx xx xx.
 *
 * Section 11.3 says that two frames are defined, for the states A and B. There is one: it is A. What B has to be
 * follows from what it is for: each of the two changes the routing to the same networks, over and over, the sender is
 * the same, and a router must act at once. So B has the same networks with another metric. That a router must take from
 * the gateway that it uses, whether better or worse, and must tell its neighbours (RFC 1058 section 3.4.2); by what it
 * tells them, one more than it was told, one can see that it processed the update. Infinity as the metric of B would
 * change the routing more, but a router with a hold-down would then believe nothing of state A for minutes. */
#include "host/traffic/protocols/rip.h"

#include <string.h>

#include "host/base/octets.h"

enum {
	HEAD_OCTETS = 4,
	ROUTE_OCTETS = 20,
	RESPONSE = 2,
	VERSION = 1,
	FAMILY_IP = 2,
	ROUTE_ADDRESS = 4,
	ROUTE_METRIC = 19, /* the last octet of four */
	TTL = 10,
	BROADCAST_NODE = 255,
	FIRST_NETWORK = 88, /* third octet of the first network */
	PORT_PAIRS_OF_GAP = 4,
	GAP_TO_GAP = 32,
};

bool rip_update(const struct rip_sender *sender, const struct rip_route *routes, unsigned count,
                struct datagram_frame *frame)
{
	struct datagram datagram = {
	        .from.port = RIP_PORT,
	        .to = {.mac = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, .port = RIP_PORT},
	        .tci = sender->tci,
	        .hops = TTL,
	        .unfragmented = true,
	        .unchecked = true,
	};
	uint8_t message[HEAD_OCTETS + RIP_UPDATE_ROUTES * ROUTE_OCTETS] = {RESPONSE, VERSION};

	if (count == 0 || count > RIP_UPDATE_ROUTES)
		return false;
	memcpy(datagram.from.mac, sender->host.mac, MAC_OCTETS);
	memcpy(datagram.from.address.ipv4, sender->host.ipv4, IPV4_OCTETS);
	memcpy(datagram.to.address.ipv4, sender->host.ipv4, IPV4_OCTETS);
	datagram.to.address.ipv4[3] = BROADCAST_NODE;
	for (unsigned i = 0; i < count; i++) {
		uint8_t *entry = message + HEAD_OCTETS + (size_t)i * ROUTE_OCTETS;

		put_be16(entry, FAMILY_IP);
		memcpy(entry + ROUTE_ADDRESS, routes[i].network, IPV4_OCTETS);
		entry[ROUTE_METRIC] = routes[i].metric;
	}
	return datagram_build(&datagram, message, HEAD_OCTETS + count * ROUTE_OCTETS, frame);
}

/* C.2.2.2: the networks behind phantom routers have 65 to 254 as third octet. Test hosts (docs/traffic.md, Addresses)
 * have 1 to 16 there, and, where they are many, 16 to 23 and every 32 further on. So 88 to 111 and 120 to 143 are free:
 * two gaps, each for four ports of either half. */
void rip_state_routes(unsigned port, enum rip_state state, struct rip_route routes[RIP_STATE_ROUTES])
{
	const unsigned pair = port / 2;
	const unsigned first =
	        FIRST_NETWORK + pair / PORT_PAIRS_OF_GAP * GAP_TO_GAP + pair % PORT_PAIRS_OF_GAP * RIP_STATE_ROUTES;

	for (unsigned i = 0; i < RIP_STATE_ROUTES; i++)
		routes[i] = (struct rip_route){
		        .network = {198, (uint8_t)(18 + port % 2), (uint8_t)(first + i), 0},
		        .metric = state == RIP_STATE_A ? RIP_METRIC : RIP_METRIC_B,
		};
}
