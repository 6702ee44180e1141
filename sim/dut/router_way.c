// SPDX-License-Identifier: Apache-2.0
/* Decides where a router sends a packet: by its settings, and by what it has learned. */
#include "sim/dut/router.h"

#include "host/base/rate.h"

bool router_is_whole(const struct dut_frame *frame)
{
	return (frame->flags & (DUT_FRAME_BROKEN | DUT_FRAME_BAD_FCS)) == 0 && frame->octets >= MIN_FRAME_OCTETS &&
	       frame->octets <= MAX_FRAME_OCTETS;
}

/* ARP may be broadcast, and a solicitation go to the group of its target or of all nodes; a packet comes to our MAC. */
bool router_is_for_port(const struct router_header *read, unsigned port)
{
	if (read->to_mac == router_mac(port))
		return true;
	switch (read->kind) {
	case ROUTER_ARP_REQUEST:
	case ROUTER_ARP_REPLY:
		return read->to_mac == ROUTER_BROADCAST_MAC;
	case ROUTER_SOLICITATION:
	case ROUTER_ADVERTISEMENT:
		return read->destination.octet[0] == 0xff && read->to_mac == router_group_mac(&read->destination);
	default:
		return false;
	}
}

/* RFC 1812 section 5.3.5.2 and RFC 2644: one to all hosts of a network is not forwarded into it. */
static bool is_directed_broadcast(const struct route *route, const struct net_address *address)
{
	return route->direct && address->version == NET_IPV4 && route->bits < 31 &&
	       (net_host_bits_are(address, route->bits, true) || net_host_bits_are(address, route->bits, false));
}

/* The route that was set counts if prefixes are equal. */
const struct route *router_find_route(const struct router_device *dut, const struct net_address *address)
{
	const struct route *set = routes_find(&dut->settings.routes, address);
	const struct route *learned = router_rip_find(&dut->rip, address);

	return set == NULL || (learned != NULL && set->bits < learned->bits) ? learned : set;
}

const struct route *router_way(const struct router_device *dut, const struct router_header *read)
{
	const struct routes *routes = &dut->settings.routes;
	const struct route *route;

	if (net_is_martian(&read->source) || net_is_martian(&read->destination) || read->hops <= 1 ||
	    routes_own(routes, &read->source) != NULL ||
	    !router_filters_pass(&dut->settings.filters, &read->source, &read->destination))
		return NULL;
	route = router_find_route(dut, &read->destination);
	return route != NULL && !is_directed_broadcast(route, &read->destination) ? route : NULL;
}
