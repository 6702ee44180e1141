// SPDX-License-Identifier: Apache-2.0
/* A list in the order of prefix lengths: the first that matches is the longest. */
#include "sim/dut/routes.h"

static void insert(struct routes *routes, const struct route *route)
{
	unsigned at = routes->count++;

	for (; at > 0 && routes->route[at - 1].bits < route->bits; at--)
		routes->route[at] = routes->route[at - 1];
	routes->route[at] = *route;
}

static bool is_there(const struct routes *routes, const struct net_address *network, unsigned bits)
{
	for (unsigned i = 0; i < routes->count; i++)
		if (routes->route[i].bits == bits && net_matches(network, &routes->route[i].network, bits))
			return true;
	return false;
}

const char *routes_add_interface(struct routes *routes, const struct route_interface *interface)
{
	if (routes->interfaces == ROUTES_INTERFACES)
		return "more than 64 addresses";
	if (net_is_martian(&interface->address))
		return "not the address of a host";
	if (routes_own(routes, &interface->address) != NULL)
		return "an address twice";
	if (is_there(routes, &interface->address, interface->bits))
		return "a network twice";
	routes->interface[routes->interfaces] = *interface;
	insert(routes, &(struct route){.network = interface->address,
	                               .bits = interface->bits,
	                               .interface = routes->interfaces++,
	                               .direct = true});
	return NULL;
}

const char *routes_add_network(struct routes *routes, const struct net_address *network, unsigned bits,
                               const struct net_address *next_hop)
{
	const struct route *way = routes_find(routes, next_hop);

	if (routes->given == ROUTES_NETWORKS)
		return "more than 256 networks";
	if (network->version != next_hop->version)
		return "a network and a next hop of different versions of IP";
	if (!net_host_bits_are(network, bits, false))
		return "bits of the network are set beyond its prefix";
	if (is_there(routes, network, bits))
		return "a network twice";
	if (way == NULL || !way->direct || routes_own(routes, next_hop) != NULL)
		return "the next hop is no other station in a network of a port";
	routes->given++;
	insert(routes,
	       &(struct route){.network = *network, .bits = bits, .interface = way->interface, .next_hop = *next_hop});
	return NULL;
}

const struct route_interface *routes_own(const struct routes *routes, const struct net_address *address)
{
	for (unsigned i = 0; i < routes->interfaces; i++)
		if (net_equal(&routes->interface[i].address, address))
			return &routes->interface[i];
	return NULL;
}

const struct route *routes_find(const struct routes *routes, const struct net_address *address)
{
	for (unsigned i = 0; i < routes->count; i++)
		if (net_matches(address, &routes->route[i].network, routes->route[i].bits))
			return &routes->route[i];
	return NULL;
}

const struct route_interface *routes_interface(const struct routes *routes, unsigned port,
                                               const struct net_address *address)
{
	for (unsigned i = 0; i < routes->interfaces; i++) {
		const struct route_interface *interface = &routes->interface[i];

		if (interface->port == port && net_matches(address, &interface->address, interface->bits))
			return interface;
	}
	return NULL;
}
