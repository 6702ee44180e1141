/* SPDX-License-Identifier: Apache-2.0 */
/* The routing updates of RFC 2544: the frame of C.2.6.2 with which section 11.3 changes the routing during a trial, and
 * the update of section 13 before it. Both are responses of RIP, version 1 (RFC 1058), broadcast by a host of the
 * tester, which becomes the next hop. The device needs RIP on the port. RIP is for IPv4 only; the RFC has no update for
 * IPv6. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_RIP_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_RIP_H

#include "host/traffic/protocols/datagram.h"
#include "host/traffic/test_host.h"

enum {
	RIP_PORT = 520,
	RIP_INTERVAL_S = 30, /* RFC 2544 C.2.3, RFC 1058 section 3.3: updates are repeated */
	RIP_TIMEOUT_S = 180, /* RFC 1058 section 3.3: a route of which nobody tells for so long is not used any more */
	RIP_LEAD_S = 5,      /* C.2.3: an update precedes the test frames by so much */
	RIP_STATE_ROUTES = 6,
	RIP_UPDATE_ROUTES = 25, /* RFC 1058 section 3.1: at most in a datagram */
	RIP_METRIC = 7,         /* C.2.6.2 */
	RIP_METRIC_B = 8,
};

struct rip_route {
	uint8_t network[IPV4_OCTETS]; /* a whole class C network: 198.18.88.0 */
	uint8_t metric;               /* 1 to 16, which is infinity */
};

/* The host that sends an update, and where it is. */
struct rip_sender {
	struct test_host host; /* its network must be that of the device's port, and it must answer for its address */
	int tci;               /* tag control information of a VLAN tag, or NEIGHBOUR_NO_TAG */
};

/* A response with these routes. False: none, or more than RIP_UPDATE_ROUTES. */
bool rip_update(const struct rip_sender *sender, const struct rip_route *routes, unsigned count,
                struct datagram_frame *frame);

/* Section 11.3: the states of the routing between which a trial alternates. */
enum rip_state { RIP_STATE_A, RIP_STATE_B };

/* The routes that the update for a state gives the port of the tester that sends it. */
void rip_state_routes(unsigned port, enum rip_state state, struct rip_route routes[RIP_STATE_ROUTES]);

#endif
