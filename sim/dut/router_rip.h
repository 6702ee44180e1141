/* SPDX-License-Identifier: Apache-2.0 */
/* RIP version 1 (RFC 1058) as a router hears it: networks of class C that its neighbours tell it of. It tells nobody
 * anything. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_RIP_H
#define FPGAUGE_SIM_DUT_ROUTER_RIP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/routes.h"

enum { ROUTER_RIP_PORT = 520, ROUTER_RIP_INFINITY = 16, ROUTER_RIP_BITS = 24, ROUTER_RIP_MOST = 256 };

struct router_rip_route {
	struct route route;
	unsigned metric; /* 1 to ROUTER_RIP_INFINITY - 1, the hop to its gateway included */
};

struct router_rip {
	unsigned room; /* networks; 0: it does not hear RIP */
	unsigned count;
	struct router_rip_route learned[ROUTER_RIP_MOST];
	uint64_t updates; /* updates that were processed */
};

/* The octets of a message to port 520 in a frame of IPv4; NULL: it is none, or not whole in what is read of it. */
const uint8_t *router_rip_message(const uint8_t *header, uint32_t *octets);

/* Processes a message that came from a gateway in the network of an interface. */
void router_rip_hear(struct router_rip *rip, const uint8_t *message, uint32_t octets, const struct net_address *gateway,
                     unsigned interface);

/* The route that was learned for an address; NULL: none. */
const struct route *router_rip_find(const struct router_rip *rip, const struct net_address *address);

#endif
