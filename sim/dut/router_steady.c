// SPDX-License-Identifier: Apache-2.0
/* Foresees what becomes of frames at a router as long as it learns nothing and nothing is asked of it: then each output
 * is a queue, which a caller may go on with by itself (device.h). */
#include "sim/dut/router.h"

/* The first to its destination, which has to wait. */
static bool is_new(const struct router_device *dut, const struct net_address *destination)
{
	return dut->settings.first_lookup_ot != 0 && router_find_route(dut, destination) != NULL &&
	       neighbours_find(&dut->lookup.cache, 0, destination) == NULL;
}

/* A packet to another station, whose neighbour is known. */
static enum dut_way way_of_packet(const struct router_device *dut, const struct router_header *read, unsigned *output)
{
	const struct routes *routes = &dut->settings.routes;
	const struct route *route;
	const struct neighbour *neighbour;

	if (routes_own(routes, &read->destination) != NULL || is_new(dut, &read->destination))
		return DUT_WAY_OPEN;
	route = router_way(dut, read);
	if (route == NULL)
		return DUT_WAY_NOWHERE;
	*output = routes->interface[route->interface].port;
	neighbour = neighbours_find(&dut->neighbours, *output, route->direct ? &read->destination : &route->next_hop);
	return neighbour != NULL && neighbour->known ? DUT_WAY_OUT : DUT_WAY_OPEN;
}

enum dut_way router_foresee(const struct dut_device *device, unsigned port, const uint8_t *header, uint32_t octets,
                            unsigned *output)
{
	const struct router_device *dut = (const struct router_device *)device;
	const struct dut_frame frame = {.octets = octets};
	struct router_header read;
	uint32_t message_octets;

	if (!router_is_whole(&frame))
		return DUT_WAY_OPEN; /* it is counted differently */
	read = router_read(header, octets);
	if (read.kind == ROUTER_PACKET && dut->rip.room != 0 && router_rip_message(header, &message_octets) != NULL)
		return DUT_WAY_OPEN; /* it may change the routes that are known */
	if (read.kind == ROUTER_OTHER || !router_is_for_port(&read, port))
		return DUT_WAY_NOWHERE;
	return read.kind == ROUTER_PACKET ? way_of_packet(dut, &read, output) : DUT_WAY_OPEN;
}

bool router_settle(struct dut_device *device)
{
	const struct router_device *dut = (const struct router_device *)device;
	unsigned output;

	if (dut->waiting_count != 0 || router_lookup_first(&dut->lookup) != NULL)
		return false;
	for (unsigned port = 0; port < device->ports; port++) {
		const struct ring *arrivals = &dut->ports[port].arrivals;

		for (uint64_t i = arrivals->first; i != arrivals->end; i++) {
			const struct router_arrival *arrival = ring_at(arrivals, i, sizeof(*arrival));

			if (router_is_whole(&arrival->frame) &&
			    router_foresee(device, port, arrival->header, arrival->frame.octets, &output) ==
			            DUT_WAY_OPEN)
				return false;
		}
	}
	device->ops->known(device, UINT64_MAX);
	return true;
}

struct dut_queue router_queue(struct dut_device *device, unsigned output, uint32_t octets)
{
	struct router_device *dut = (struct router_device *)device;

	return (struct dut_queue){.queue = &dut->ports[output].queue,
	                          .latency_ot = dut->settings.latency_ot,
	                          .line_octets = router_line_octets(&dut->settings, octets)};
}

void router_account(struct dut_device *device, const struct dut_passage *passage)
{
	struct router_device *dut = (struct router_device *)device;
	struct agent_counters *in = &dut->ports[passage->input].counters;
	struct agent_counters *out = &dut->ports[passage->output].counters;

	in->in_octets += (uint32_t)(passage->in * passage->octets);
	in->in_unicast += (uint32_t)passage->in_unicast;
	out->out_octets += (uint32_t)(passage->out * passage->octets);
	out->out_unicast += (uint32_t)passage->out;
}
