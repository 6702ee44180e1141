// SPDX-License-Identifier: Apache-2.0
/* ARP (RFC 826) and neighbour discovery (RFC 4861), and the packets that wait for an answer. */
#include "sim/dut/router.h"

static struct router_ends ends_of(const struct route_interface *interface, const struct net_address *to,
                                  uint64_t to_mac)
{
	return (struct router_ends){
	        .from_mac = router_mac(interface->port), .to_mac = to_mac, .from = interface->address, .to = *to};
}

static void ask(struct router_device *dut, const struct route_interface *interface, struct neighbour *neighbour,
                uint64_t now_ot)
{
	const struct router_ends ends = ends_of(interface, &neighbour->address, 0);
	struct router_own own;
	uint32_t octets;

	neighbour->asked_ot = now_ot;
	octets = neighbour->address.version == NET_IPV4 ? router_make_arp(own.octets, &ends, false)
	                                                : router_make_solicitation(own.octets, &ends);
	router_send_own(dut, interface->port, &own, octets, now_ot);
}

static void drop_waiting(struct router_device *dut, size_t number)
{
	dut->waiting_count--;
	memmove(&dut->waiting[number], &dut->waiting[number + 1],
	        (dut->waiting_count - number) * sizeof(*dut->waiting));
}

void router_stop_waiting(struct router_device *dut, uint64_t now_ot)
{
	while (dut->waiting_count != 0 && dut->waiting[0].until_ot <= now_ot)
		drop_waiting(dut, 0);
}

/* The newest one takes the place of the oldest (RFC 4861 section 7.2.2). */
static void wait_for(struct router_device *dut, const struct neighbour *neighbour, const struct dut_frame *frame,
                     uint64_t now_ot)
{
	if (dut->settings.waiting == 0)
		return;
	if (dut->waiting_count == dut->settings.waiting)
		drop_waiting(dut, 0);
	dut->waiting[dut->waiting_count++] = (struct router_waiting){.frame = *frame,
	                                                             .until_ot = now_ot + dut->settings.ask_every_ot,
	                                                             .neighbour = neighbour->address,
	                                                             .port = neighbour->port};
}

/* Sends to a neighbour what waits for it. */
static void release(struct router_device *dut, const struct neighbour *neighbour, uint64_t now_ot)
{
	for (size_t i = 0; i < dut->waiting_count;) {
		const struct router_waiting waiting = dut->waiting[i];

		if (waiting.port != neighbour->port || !net_equal(&waiting.neighbour, &neighbour->address)) {
			i++;
			continue;
		}
		drop_waiting(dut, i);
		router_forward(dut, neighbour->port, &waiting.frame, neighbour->mac, now_ot);
	}
}

void router_deliver(struct router_device *dut, const struct route_interface *interface, const struct net_address *to,
                    const struct dut_frame *frame, uint64_t now_ot)
{
	struct neighbour *neighbour = neighbours_find(&dut->neighbours, interface->port, to);
	const bool is_new = neighbour == NULL;

	if (is_new)
		neighbour = neighbours_add(&dut->neighbours, interface->port, to);
	if (neighbour == NULL)
		return;
	if (neighbour->known) {
		router_forward(dut, interface->port, frame, neighbour->mac, now_ot);
		return;
	}
	wait_for(dut, neighbour, frame, now_ot);
	if (is_new || now_ot >= neighbour->asked_ot + dut->settings.ask_every_ot)
		ask(dut, interface, neighbour, now_ot);
}

/* A station at a port says its MAC. adds: also if nobody has asked for it. */
static void learn(struct router_device *dut, unsigned port, const struct net_address *address, uint64_t mac, bool adds,
                  bool overrides, uint64_t now_ot)
{
	struct neighbour *neighbour = neighbours_find(&dut->neighbours, port, address);

	if (mac == 0 || routes_interface(&dut->settings.routes, port, address) == NULL ||
	    routes_own(&dut->settings.routes, address) != NULL)
		return;
	if (neighbour == NULL && adds)
		neighbour = neighbours_add(&dut->neighbours, port, address);
	if (neighbour == NULL || (neighbour->known && !overrides))
		return;
	neighbour->mac = mac;
	if (neighbour->known)
		return;
	neighbour->known = true;
	release(dut, neighbour, now_ot);
}

/* RFC 826, Packet Reception: the sender is learned if it is known already or the target is us. */
static void hear_arp(struct router_device *dut, unsigned port, const struct router_header *heard, uint64_t now_ot)
{
	const struct route_interface *own = routes_own(&dut->settings.routes, &heard->target);
	const bool is_for_us = own != NULL && own->port == port;
	struct router_own reply;

	learn(dut, port, &heard->source, heard->mac, is_for_us, true, now_ot);
	if (is_for_us && heard->kind == ROUTER_ARP_REQUEST) {
		const struct router_ends ends = ends_of(own, &heard->source, heard->mac);

		router_send_own(dut, port, &reply, router_make_arp(reply.octets, &ends, true), now_ot);
	}
}

/* The address that is asked for: one of the port, or the link-local one that follows from its MAC. */
static bool is_of_port(const struct router_device *dut, unsigned port, const struct net_address *address)
{
	const struct route_interface *own = routes_own(&dut->settings.routes, address);
	const struct net_address link_local = router_link_local(router_mac(port));

	return (own != NULL && own->port == port) || net_equal(address, &link_local);
}

/* RFC 4861 section 7.2.3 and 7.2.4. */
static void hear_solicitation(struct router_device *dut, unsigned port, const struct router_header *heard,
                              uint64_t now_ot)
{
	const bool has_source = !net_host_bits_are(&heard->source, 0, false);
	const struct net_address group = router_solicited_group(&heard->target);
	struct router_ends ends = {.from_mac = router_mac(port), .from = heard->target, .to = heard->source};
	const struct neighbour *asking;
	struct router_own reply;

	if (!is_of_port(dut, port, &heard->target) ||
	    (!net_equal(&heard->destination, &heard->target) && !net_equal(&heard->destination, &group)))
		return;
	if (has_source) {
		learn(dut, port, &heard->source, heard->mac, true, true, now_ot);
		asking = neighbours_find(&dut->neighbours, port, &heard->source);
		ends.to_mac = heard->mac != 0 ? heard->mac : asking != NULL && asking->known ? asking->mac : 0;
		if (ends.to_mac == 0)
			return;
	}
	router_send_own(dut, port, &reply, router_make_advertisement(reply.octets, &ends), now_ot);
}

void router_hear(struct router_device *dut, unsigned port, const struct router_header *heard, uint64_t now_ot)
{
	switch (heard->kind) {
	case ROUTER_ARP_REQUEST:
	case ROUTER_ARP_REPLY:
		hear_arp(dut, port, heard, now_ot);
		break;
	case ROUTER_SOLICITATION:
		hear_solicitation(dut, port, heard, now_ot);
		break;
	default: /* RFC 4861 section 7.2.5: of one that has been asked for */
		learn(dut, port, &heard->target, heard->mac, false, heard->overrides, now_ot);
	}
}
