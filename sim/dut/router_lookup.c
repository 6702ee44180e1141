// SPDX-License-Identifier: Apache-2.0
/* A cache by destination address, as those of routers that forward in software are. */
#include "sim/dut/router_lookup.h"

int router_lookup_init(struct router_lookup *lookup)
{
	return neighbours_init(&lookup->cache, ROUTER_CACHE_ADDRESSES) == 0 &&
	                       ring_init(&lookup->queue, sizeof(struct router_looked_up)) == 0
	               ? 0
	               : -1;
}

void router_lookup_release(struct router_lookup *lookup)
{
	neighbours_release(&lookup->cache);
	ring_release(&lookup->queue);
}

bool router_lookup_is_new(struct router_lookup *lookup, const struct net_address *address)
{
	if (neighbours_find(&lookup->cache, 0, address) != NULL)
		return false;
	neighbours_add(&lookup->cache, 0, address);
	return true;
}

bool router_lookup_begin(struct router_lookup *lookup, const struct dut_frame *frame, const struct router_header *read,
                         uint64_t due_ot)
{
	struct router_looked_up *waiting = ring_push(&lookup->queue, sizeof(*waiting));

	if (waiting == NULL)
		return false;
	*waiting = (struct router_looked_up){.frame = *frame, .read = *read, .due_ot = due_ot};
	return true;
}

uint64_t router_lookup_oldest_id(const struct router_lookup *lookup, unsigned port)
{
	uint64_t oldest = UINT64_MAX;

	for (uint64_t i = lookup->queue.first; i != lookup->queue.end; i++) {
		const struct router_looked_up *waiting = ring_at(&lookup->queue, i, sizeof(*waiting));

		if (waiting->frame.from == port && waiting->frame.id < oldest)
			oldest = waiting->frame.id;
	}
	return oldest;
}
