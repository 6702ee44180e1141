/* SPDX-License-Identifier: Apache-2.0 */
/* The route cache of a router: which destinations it has forwarded to, and the packets whose route is looked up because
 * they are the first to theirs. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_LOOKUP_H
#define FPGAUGE_SIM_DUT_ROUTER_LOOKUP_H

#include "sim/dut/device.h"
#include "sim/dut/neighbours.h"
#include "sim/dut/ring.h"
#include "sim/dut/router_packet.h"

enum { ROUTER_CACHE_ADDRESSES = 8192 }; /* none is forgotten; beyond, every packet is looked up */

/* A packet that is looked up. */
struct router_looked_up {
	struct dut_frame frame;
	struct router_header read;
	uint64_t due_ot; /* ordered like the queue, as all lookups take as long */
};

struct router_lookup {
	struct neighbours cache; /* addresses that were looked up, at no port */
	struct ring queue;
};

int router_lookup_init(struct router_lookup *lookup); /* 0, or -1: out of memory */
void router_lookup_release(struct router_lookup *lookup);

/* True if the address is the first of its kind; it is in the cache then, if there is room. */
bool router_lookup_is_new(struct router_lookup *lookup, const struct net_address *address);

/* A packet waits until due_ot. False: out of memory. */
bool router_lookup_begin(struct router_lookup *lookup, const struct dut_frame *frame, const struct router_header *read,
                         uint64_t due_ot);

/* The packet whose lookup ends first; NULL: none waits. */
static inline const struct router_looked_up *router_lookup_first(const struct router_lookup *lookup)
{
	return ring_empty(&lookup->queue) ? NULL : ring_first(&lookup->queue, sizeof(struct router_looked_up));
}

static inline uint64_t router_lookup_due_ot(const struct router_lookup *lookup)
{
	return ring_empty(&lookup->queue) ? UINT64_MAX : router_lookup_first(lookup)->due_ot;
}

/* Takes the first one out. */
static inline struct router_looked_up router_lookup_end(struct router_lookup *lookup)
{
	const struct router_looked_up ended = *router_lookup_first(lookup);

	lookup->queue.first++;
	return ended;
}

/* The lowest id of those that came in at a port; UINT64_MAX: there are none. */
uint64_t router_lookup_oldest_id(const struct router_lookup *lookup, unsigned port);

#endif
