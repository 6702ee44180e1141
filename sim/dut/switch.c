// SPDX-License-Identifier: Apache-2.0
/* A switch as a device: frames come in, what it has decided goes out. */
#include "sim/dut/switch.h"

#include <stdlib.h>

#include "sim/dut/switch_truth.h"

static struct switch_device *switch_of(struct dut_device *device)
{
	return (struct switch_device *)device;
}

/* Bits that are special about a frame that follows one of this source: 0 of by far the most. */
static inline uint64_t special_of(const struct switch_arrival *arrival, uint64_t before)
{
	const uint32_t octets = arrival->frame.octets - MIN_FRAME_OCTETS;

	return (arrival->source ^ before) | ((arrival->source | arrival->destination) & DUT_GROUP_ADDRESS) |
	       arrival->frame.flags | (octets > MAX_FRAME_OCTETS - MIN_FRAME_OCTETS);
}

/* Arrivals that stand one after the other in memory, and follow one of this source, which becomes that of the last.
 * from: their port, to the tester. cut_through: a constant. Returns what is special about them. */
static inline __attribute__((always_inline)) uint64_t
write_arrivals(struct switch_arrival *arrivals, size_t count, const struct switch_settings *settings, bool cut_through,
               unsigned from, const struct dut_frame *frames, const struct dut_addresses *addresses, uint64_t *source)
{
	const uint64_t latency_ot = settings->latency_ot;
	uint64_t before = *source, special = 0;

	for (size_t i = 0; i < count; i++) {
		const struct dut_frame *frame = &frames[i];
		struct switch_arrival *arrival = &arrivals[i];

		*arrival = (struct switch_arrival){.frame = {.start_ot = frame->start_ot,
		                                             .id = frame->id,
		                                             .octets = frame->octets,
		                                             .flags = frame->flags,
		                                             .from = (uint16_t)from},
		                                   .decided_ot = switch_arrival_ot(cut_through, frame) + latency_ot,
		                                   .source = addresses[frame->from].source,
		                                   .destination = addresses[frame->from].destination};
		special |= special_of(arrival, before);
		before = arrival->source;
	}
	*source = before;
	return special;
}

/* Takes in as many as stand one after the other in the ring; returns how many. 0: out of memory. */
static size_t take_some_in(struct switch_port *port, const struct switch_settings *settings, unsigned from,
                           const struct dut_frame *frames, size_t count, const struct dut_addresses *addresses)
{
	uint64_t *const source = &port->alike_source;
	struct ring *ring = &port->arrivals;
	struct switch_arrival *arrivals;
	uint64_t special;
	size_t together;

	if (ring_reserve(ring, sizeof(*arrivals), count) != 0)
		return 0;
	together = (size_t)(ring->mask + 1 - (ring->end & ring->mask));
	together = together < count ? together : count;
	arrivals = ring_at(ring, ring->end, sizeof(*arrivals));
	special = settings->cut_through
	                  ? write_arrivals(arrivals, together, settings, true, from, frames, addresses, source)
	                  : write_arrivals(arrivals, together, settings, false, from, frames, addresses, source);
	ring->end += together;
	port->special = special != 0 ? ring->end : port->special;
	return together;
}

void switch_put_many(struct switch_device *dut, unsigned number, const struct dut_frame *frames, size_t count,
                     const struct dut_addresses *addresses)
{
	struct switch_port *port = &dut->ports[number];
	const bool first = ring_empty(&port->arrivals);
	size_t some;

	for (size_t i = 0; i < count; i += some) {
		some = take_some_in(port, &dut->settings, dut->first_port + number, frames + i, count - i, addresses);
		if (some == 0) {
			dut->device.failed = true;
			return;
		}
	}
	if (first && count != 0)
		switch_note_event(dut, number);
}

void switch_bring(struct switch_device *dut, unsigned number, const struct switch_arrival *arrival)
{
	struct switch_port *port = &dut->ports[number];
	const bool first = ring_empty(&port->arrivals);
	struct switch_arrival *entry = ring_push(&port->arrivals, sizeof(*entry));

	if (entry == NULL) {
		dut->device.failed = true;
		return;
	}
	*entry = *arrival;
	if (special_of(entry, port->alike_source) != 0)
		port->special = port->arrivals.end;
	port->alike_source = entry->source;
	if (first)
		switch_note_event(dut, number);
}

static void device_put_many(struct dut_device *device, unsigned number, const struct dut_frame *frames, size_t count,
                            const struct dut_addresses *addresses)
{
	switch_put_many(switch_of(device), number, frames, count, addresses);
}

static void switch_put(struct dut_device *device, unsigned number, const struct dut_frame *frame, const uint8_t *header)
{
	const bool has_addresses = frame->octets >= SWITCH_LEAST_OCTETS;
	const struct dut_addresses addresses = has_addresses ? dut_addresses_of(header) : (struct dut_addresses){0, 0};
	struct dut_frame one = *frame;

	one.from = 0;
	switch_put_many(switch_of(device), number, &one, 1, &addresses);
}

static void switch_known(struct dut_device *device, uint64_t known_ot)
{
	struct switch_device *dut = switch_of(device);
	const uint64_t lead = switch_lead_ot(&dut->settings);
	const uint64_t until_ot = known_ot < UINT64_MAX - lead ? known_ot + lead : UINT64_MAX;

	switch_do_events(dut, until_ot);
}

static size_t switch_take(struct dut_device *device, unsigned port, struct dut_frame *out, size_t room)
{
	return dut_device_take_ring(&switch_of(device)->ports[port].out, out, room);
}

static uint64_t switch_quiet_until(const struct dut_device *device)
{
	const struct switch_device *dut = (const struct switch_device *)device;
	const uint64_t event_ot = earliest_ot(&dut->events), drain_ot = switch_next_drain_ot(dut);

	return event_ot < drain_ot ? event_ot : drain_ot;
}

static uint64_t switch_oldest_id(const struct dut_device *device, unsigned number)
{
	const struct switch_port *port = &((const struct switch_device *)device)->ports[number];

	if (!ring_empty(&port->waiting))
		return ((const struct switch_waiting *)ring_first(&port->waiting, sizeof(struct switch_waiting)))
		        ->frame.id;
	if (!ring_empty(&port->arrivals))
		return ((const struct switch_arrival *)ring_first(&port->arrivals, sizeof(struct switch_arrival)))
		        ->frame.id;
	return UINT64_MAX;
}

void switch_free(struct switch_device *dut)
{
	for (unsigned i = 0; i < dut->device.ports; i++) {
		ring_release(&dut->ports[i].arrivals);
		ring_release(&dut->ports[i].waiting);
		ring_release(&dut->ports[i].out);
		ring_release(&dut->ports[i].releases);
		free(dut->ports[i].decided.entries);
	}
	addresses_release(&dut->addresses);
	free(dut);
}

static void switch_destroy(struct dut_device *device)
{
	switch_free(switch_of(device));
}

static void switch_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	const struct switch_device *dut = (const struct switch_device *)device;

	switch_settings_truth(&dut->settings, device->link_bps, load, truth);
}

#define SWITCH_OPS                                                                                                     \
	.destroy = switch_destroy, .put = switch_put, .put_many = device_put_many, .known = switch_known,              \
	.take = switch_take, .quiet_until = switch_quiet_until, .oldest_id = switch_oldest_id, .truth = switch_truth,  \
	.state = switch_state, .steady_until = switch_steady_until, .shift = switch_shift

static const struct dut_device_ops switch_ops = {SWITCH_OPS};
/* Operations of a switch with back pressure, which sends frames of its own. */
static const struct dut_device_ops pausing_ops = {SWITCH_OPS, .own = switch_pause_octets};

/* Ports that send in step go through their rings in step. If these began at the same place, what is used at a time
 * would be in the same few sets of the first-level cache, which has a set for every line of a page. */
static void spread(struct switch_port *port, unsigned number)
{
	enum { ENTRIES = 24 };

	port->arrivals.first = port->arrivals.end = (uint64_t)number * ENTRIES;
	port->out.first = port->out.end = (uint64_t)number * ENTRIES;
	port->releases.first = port->releases.end = (uint64_t)number * ENTRIES;
}

static int init_port(struct switch_port *port, const struct switch_settings *settings)
{
	port->broadcast = settings->broadcast;
	if (ring_init(&port->arrivals, sizeof(struct switch_arrival)) != 0 ||
	    ring_init(&port->waiting, sizeof(struct switch_waiting)) != 0 ||
	    ring_init(&port->out, sizeof(struct dut_frame)) != 0)
		return -1;
	return ring_init(&port->releases, sizeof(struct switch_release));
}

struct switch_device *switch_make(const struct switch_settings *settings, uint64_t link_bps, unsigned ports)
{
	struct switch_device *dut = calloc(1, sizeof(*dut));
	bool made;

	if (dut == NULL)
		return NULL;
	dut->device = (struct dut_device){.ops = settings->back_pressure ? &pausing_ops : &switch_ops,
	                                  .link_bps = link_bps,
	                                  .ports = ports,
	                                  .reads_frames = true,
	                                  .header_octets = SWITCH_LEAST_OCTETS - 2};
	dut->settings = *settings;
	dut->learning = settings->learning;
	earliest_init(&dut->events, ports);
	earliest_init(&dut->releases, ports);
	made = addresses_init(&dut->addresses, settings->table_addresses, settings->bucket_addresses,
	                      settings->ageing_ot) == 0;
	for (unsigned i = 0; made && i < ports; i++)
		made = init_port(&dut->ports[i], settings) == 0;
	for (unsigned i = 0; made && i < ports; i++)
		spread(&dut->ports[i], i);
	if (made)
		return dut;
	switch_free(dut);
	return NULL;
}

struct dut_device *switch_create(const struct dut_device_setup *setup)
{
	struct switch_settings settings;
	struct switch_device *dut;

	if (switch_read(setup, NULL, 0, &settings) != 0)
		return NULL;
	dut = switch_make(&settings, setup->link_bps, setup->ports);
	if (dut != NULL)
		return &dut->device;
	sim_options_refuse(setup->options, NULL, "out of memory");
	return NULL;
}
