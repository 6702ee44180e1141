/* SPDX-License-Identifier: Apache-2.0 */
/* The networks that a router knows: those at its ports, and others behind a next hop. */
#ifndef FPGAUGE_SIM_DUT_ROUTES_H
#define FPGAUGE_SIM_DUT_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/dut/net_address.h"

enum {
	ROUTES_NETWORKS = 256,                 /* networks that are given */
	ROUTES_INTERFACES = 4 * DUT_MAX_PORTS, /* addresses of the router itself */
};

/* An address of the router, at a port, and the network that is there. */
struct route_interface {
	struct net_address address;
	unsigned bits;
	unsigned port;
};

struct route {
	struct net_address network;
	unsigned bits;
	unsigned interface;          /* where it is */
	bool direct;                 /* its hosts are at that port */
	struct net_address next_hop; /* otherwise */
};

struct routes {
	struct route_interface interface[ROUTES_INTERFACES];
	unsigned interfaces;
	struct route route[ROUTES_INTERFACES + ROUTES_NETWORKS]; /* the longest prefix first, then as they were added */
	unsigned count, given;
};

/* Add an address of a port; a network behind an address that is in a network of a port. NULL, or what is wrong. */
const char *routes_add_interface(struct routes *routes, const struct route_interface *interface);
const char *routes_add_network(struct routes *routes, const struct net_address *network, unsigned bits,
                               const struct net_address *next_hop);

/* The interface that has this address; NULL: none has. */
const struct route_interface *routes_own(const struct routes *routes, const struct net_address *address);

/* The route with the longest prefix; NULL: none. */
const struct route *routes_find(const struct routes *routes, const struct net_address *address);

/* The interface of a port in whose network the address is; NULL: none. */
const struct route_interface *routes_interface(const struct routes *routes, unsigned port,
                                               const struct net_address *address);

#endif
