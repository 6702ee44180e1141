// SPDX-License-Identifier: Apache-2.0
/* A router: every frame is decided on when it has come in and the latency has passed, in the order of time, at the same
 * instant in the order of ports. */
#include "sim/dut/router.h"

#include <stdlib.h>

#include "host/base/rate.h"

static struct router_device *router_of(struct dut_device *device)
{
	return (struct router_device *)device;
}

/* -- deciding ------------------------------------------------------------------------------------------------------ */

static void route_packet(struct router_device *dut, const struct dut_frame *frame, const struct router_header *read,
                         uint64_t now_ot)
{
	const struct route *route = router_way(dut, read);

	if (route != NULL)
		router_deliver(dut, &dut->settings.routes.interface[route->interface],
		               route->direct ? &read->destination : &route->next_hop, frame, now_ot);
}

/* A message of RIP is broadcast in the network of the port by a station in it, or sent to the router itself. False: it
 * is none. */
static bool hear_rip(struct router_device *dut, unsigned port, const uint8_t *header, const struct router_header *read)
{
	const struct routes *routes = &dut->settings.routes;
	const struct route_interface *from = routes_interface(routes, port, &read->source);
	uint32_t octets;
	const uint8_t *message = router_rip_message(header, &octets);
	const bool is_for_us = from != NULL && (net_equal(&read->destination, &from->address) ||
	                                        (read->to_mac == ROUTER_BROADCAST_MAC &&
	                                         net_matches(&read->destination, &from->address, from->bits) &&
	                                         net_host_bits_are(&read->destination, from->bits, true)));

	if (message == NULL || !is_for_us || routes_own(routes, &read->source) != NULL)
		return false;
	router_rip_hear(&dut->rip, message, octets, &read->source, (unsigned)(from - routes->interface));
	return true;
}

/* Only a packet for which there is a route gets a place in the cache. */
static bool is_looked_up(struct router_device *dut, const struct router_header *read)
{
	return dut->settings.first_lookup_ot != 0 && router_find_route(dut, &read->destination) != NULL &&
	       router_lookup_is_new(&dut->lookup, &read->destination);
}

static void look_up(struct router_device *dut, const struct dut_frame *frame, const struct router_header *read,
                    uint64_t now_ot)
{
	if (!router_lookup_begin(&dut->lookup, frame, read, now_ot + dut->settings.first_lookup_ot))
		dut->device.failed = true;
}

static void decide(struct router_device *dut, unsigned input, const struct router_arrival *arrival, uint64_t now_ot)
{
	struct router_header read;

	router_stop_waiting(dut, now_ot);
	if (!router_is_whole(&arrival->frame))
		return;
	read = router_read(arrival->header, arrival->frame.octets);
	agent_count_in(&dut->ports[input].counters, arrival->frame.octets, (arrival->header[0] & 1) == 0);
	if (read.kind == ROUTER_PACKET && dut->rip.room != 0 && hear_rip(dut, input, arrival->header, &read))
		return;
	if (read.kind == ROUTER_OTHER || !router_is_for_port(&read, input))
		return;
	if (read.kind == ROUTER_PACKET && routes_own(&dut->settings.routes, &read.destination) != NULL)
		router_manage(dut, input, arrival->header, &read, now_ot);
	else if (read.kind == ROUTER_PACKET && is_looked_up(dut, &read))
		look_up(dut, &arrival->frame, &read, now_ot);
	else if (read.kind == ROUTER_PACKET)
		route_packet(dut, &arrival->frame, &read, now_ot);
	else
		router_hear(dut, input, &read, now_ot);
}

/* -- the device ---------------------------------------------------------------------------------------------------- */

static void note_decision(struct router_device *dut, unsigned number)
{
	const struct ring *arrivals = &dut->ports[number].arrivals;
	const struct router_arrival *first = ring_first(arrivals, sizeof(*first));

	earliest_set(&dut->decisions, number,
	             ring_empty(arrivals) ? UINT64_MAX : dut_frame_end_ot(&first->frame) + dut->settings.latency_ot);
}

static void router_put(struct dut_device *device, unsigned number, const struct dut_frame *frame, const uint8_t *header)
{
	struct router_device *dut = router_of(device);
	struct ring *arrivals = &dut->ports[number].arrivals;
	const bool first = ring_empty(arrivals);
	const uint32_t whole = frame->octets > FCS_OCTETS ? frame->octets - FCS_OCTETS : 0;
	const uint32_t octets = whole < DUT_HEADER_OCTETS ? whole : DUT_HEADER_OCTETS;
	struct router_arrival *arrival = ring_push(arrivals, sizeof(*arrival));

	if (arrival == NULL) {
		device->failed = true;
		return;
	}
	arrival->frame = *frame;
	arrival->frame.from = (uint16_t)number;
	memcpy(arrival->header, header, octets);
	memset(arrival->header + octets, 0, DUT_HEADER_OCTETS - octets);
	if (first)
		note_decision(dut, number);
}

/* Time of the next decision or end of a lookup; ends of lookups come first. */
static uint64_t next_ot(const struct router_device *dut)
{
	const uint64_t decision_ot = earliest_ot(&dut->decisions), due_ot = router_lookup_due_ot(&dut->lookup);

	return due_ot < decision_ot ? due_ot : decision_ot;
}

static void router_known(struct dut_device *device, uint64_t known_ot)
{
	struct router_device *dut = router_of(device);
	const uint64_t latency_ot = dut->settings.latency_ot;
	const uint64_t until_ot = known_ot < UINT64_MAX - latency_ot ? known_ot + latency_ot : UINT64_MAX;

	while (next_ot(dut) < until_ot) {
		if (router_lookup_due_ot(&dut->lookup) == next_ot(dut)) {
			const struct router_looked_up packet = router_lookup_end(&dut->lookup);

			router_stop_waiting(dut, packet.due_ot);
			route_packet(dut, &packet.frame, &packet.read, packet.due_ot);
			continue;
		}
		const unsigned port = earliest_port(&dut->decisions);
		struct ring *arrivals = &dut->ports[port].arrivals;

		decide(dut, port, ring_first(arrivals, sizeof(struct router_arrival)), earliest_ot(&dut->decisions));
		arrivals->first++;
		note_decision(dut, port);
	}
	router_stop_waiting(dut, until_ot); /* nothing is decided before */
}

static size_t router_take(struct dut_device *device, unsigned number, struct dut_frame *out, size_t room)
{
	struct router_port *port = &router_of(device)->ports[number];
	struct ring *leaving = &port->leaving;
	size_t count = 0;

	port->told = leaving->first;
	port->own.first = port->own_taken;
	for (; count < room && !ring_empty(leaving); leaving->first++) {
		out[count] = ((const struct router_leaving *)ring_first(leaving, sizeof(struct router_leaving)))->frame;
		if (out[count].flags & DUT_FRAME_OWN)
			port->own_taken = out[count].id + 1;
		count++;
	}
	return count;
}

static void router_own_octets(struct dut_device *device, unsigned number, const struct dut_frame *frame,
                              uint8_t *octets)
{
	const struct router_own *own = ring_at(&router_of(device)->ports[number].own, frame->id, sizeof(*own));

	memcpy(octets, own->octets, frame->octets - FCS_OCTETS);
}

static void router_rewrite_header(struct dut_device *device, unsigned number, const struct dut_frame *frame,
                                  uint8_t *header)
{
	struct router_port *port = &router_of(device)->ports[number];
	const struct router_leaving *leaving;

	do
		leaving = ring_at(&port->leaving, port->told++, sizeof(*leaving));
	while (leaving->frame.start_ot != frame->start_ot);
	router_rewrite(header, leaving->to_mac, router_mac(number));
}

static uint64_t router_quiet_until(const struct dut_device *device)
{
	return next_ot((const struct router_device *)device);
}

static uint64_t router_oldest_id(const struct dut_device *device, unsigned number)
{
	const struct router_device *dut = (const struct router_device *)device;
	const struct ring *arrivals = &dut->ports[number].arrivals;

	uint64_t oldest = router_lookup_oldest_id(&dut->lookup, number);

	for (size_t i = 0; i < dut->waiting_count; i++)
		if (dut->waiting[i].frame.from == number && dut->waiting[i].frame.id < oldest)
			oldest = dut->waiting[i].frame.id;
	if (!ring_empty(arrivals)) {
		const struct router_arrival *first = ring_first(arrivals, sizeof(*first));

		oldest = first->frame.id < oldest ? first->frame.id : oldest;
	}
	return oldest;
}

static void router_destroy(struct dut_device *device)
{
	struct router_device *dut = router_of(device);

	for (unsigned i = 0; i < device->ports; i++) {
		ring_release(&dut->ports[i].arrivals);
		ring_release(&dut->ports[i].leaving);
		ring_release(&dut->ports[i].own);
		output_queue_release(&dut->ports[i].queue);
	}
	neighbours_release(&dut->neighbours);
	router_lookup_release(&dut->lookup);
	free(dut->waiting);
	free(dut);
}

static void router_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	const struct router_device *dut = (const struct router_device *)device;

	router_settings_truth(&dut->settings, device->link_bps, load, truth);
}

static const struct dut_device_ops router_ops = {
        .destroy = router_destroy,
        .put = router_put,
        .known = router_known,
        .take = router_take,
        .own = router_own_octets,
        .rewrite = router_rewrite_header,
        .quiet_until = router_quiet_until,
        .oldest_id = router_oldest_id,
        .truth = router_truth,
        .way = router_foresee,
        .settle = router_settle,
        .queue = router_queue,
        .account = router_account,
};

static int init(struct router_device *dut)
{
	earliest_init(&dut->decisions, dut->device.ports);
	if (neighbours_init(&dut->neighbours, dut->settings.neighbours) != 0 || router_lookup_init(&dut->lookup) != 0)
		return -1;
	dut->waiting = calloc(dut->settings.waiting + 1, sizeof(*dut->waiting));
	if (dut->waiting == NULL)
		return -1;
	for (unsigned i = 0; i < dut->device.ports; i++) {
		struct router_port *port = &dut->ports[i];

		if (ring_init(&port->arrivals, sizeof(struct router_arrival)) != 0 ||
		    ring_init(&port->leaving, sizeof(struct router_leaving)) != 0 ||
		    ring_init(&port->own, sizeof(struct router_own)) != 0 ||
		    output_queue_init(&port->queue, dut->settings.buffer_frames) != 0)
			return -1;
	}
	return 0;
}

struct dut_device *router_create(const struct dut_device_setup *setup)
{
	struct router_device *dut = calloc(1, sizeof(*dut));

	if (dut == NULL) {
		sim_options_refuse(setup->options, NULL, "out of memory");
		return NULL;
	}
	dut->device = (struct dut_device){.ops = &router_ops,
	                                  .link_bps = setup->link_bps,
	                                  .ports = setup->ports,
	                                  .reads_frames = true,
	                                  .header_octets = DUT_HEADER_OCTETS};
	if (router_read_settings(setup, &dut->settings) == 0) {
		dut->rip.room = dut->settings.rip_networks;
		if (init(dut) == 0)
			return &dut->device;
		sim_options_refuse(setup->options, NULL, "out of memory");
	}
	router_destroy(&dut->device);
	return NULL;
}
