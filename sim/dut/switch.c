// SPDX-License-Identifier: Apache-2.0
/* A switch as a device: frames come in, what it has decided goes out. */
#include "sim/dut/switch.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dut/switch_truth.h"

static struct switch_device *switch_of(struct dut_device *device)
{
	return (struct switch_device *)device;
}

/* Both addresses of a header, read in the pieces in which they are likely to have been written: a read across two
 * writes would wait for both. */
static inline struct switch_arrival arrival_of(const struct switch_settings *settings, unsigned number,
                                               const struct dut_frame *frame, const uint8_t *header)
{
	uint64_t first = 0;
	uint32_t last = 0;

	if (frame->octets >= SWITCH_LEAST_OCTETS) {
		memcpy(&first, header, sizeof(first));
		memcpy(&last, header + sizeof(first), sizeof(last));
	}
	first = be64toh(first);
	return (struct switch_arrival){
	        .frame = {.start_ot = frame->start_ot,
	                  .id = frame->id,
	                  .octets = frame->octets,
	                  .flags = frame->flags,
	                  .from = (uint16_t)number},
	        .decided_ot = switch_decided_ot(settings, frame),
	        .source = (first & UINT16_MAX) << 32 | be32toh(last),
	        .destination = first >> 16,
	};
}

/* The settings are copied, because to the compiler an arrival could be one of them. */
static void switch_put_many(struct dut_device *device, unsigned number, const struct dut_frame *frames,
                            const uint8_t *const *headers, size_t count)
{
	struct switch_device *dut = switch_of(device);
	struct switch_port *port = &dut->ports[number];
	const struct switch_settings settings = dut->settings;
	const bool first = ring_empty(&port->arrivals);
	struct ring arrivals = port->arrivals;

	for (size_t i = 0; i < count; i++) {
		struct switch_arrival *arrival;

		if (ring_make_room(&arrivals, sizeof(*arrival)) != 0) {
			device->failed = true;
			break;
		}
		arrival = ring_at(&arrivals, arrivals.end++, sizeof(*arrival));
		*arrival = arrival_of(&settings, number, &frames[i], headers[i]);
	}
	port->arrivals = arrivals;
	if (first && count != 0)
		switch_note_event(dut, number);
}

static void switch_put(struct dut_device *device, unsigned number, const struct dut_frame *frame, const uint8_t *header)
{
	switch_put_many(device, number, frame, &header, 1);
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
	return earliest_ot(&((const struct switch_device *)device)->events);
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

static void switch_destroy(struct dut_device *device)
{
	struct switch_device *dut = switch_of(device);

	for (unsigned i = 0; i < device->ports; i++) {
		ring_release(&dut->ports[i].arrivals);
		ring_release(&dut->ports[i].waiting);
		ring_release(&dut->ports[i].out);
		ring_release(&dut->ports[i].releases);
	}
	addresses_release(&dut->addresses);
	free(dut);
}

static void switch_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	const struct switch_device *dut = (const struct switch_device *)device;

	switch_settings_truth(&dut->settings, device->link_bps, load, truth);
}

static const struct dut_device_ops switch_ops = {
        .destroy = switch_destroy,
        .put = switch_put,
        .put_many = switch_put_many,
        .known = switch_known,
        .take = switch_take,
        .quiet_until = switch_quiet_until,
        .oldest_id = switch_oldest_id,
        .truth = switch_truth,
        .state = switch_state,
        .steady_until = switch_steady_until,
        .shift = switch_shift,
};

/* Ports that send in step go through their rings in step. If these began at the same place, what is used at a time
 * would be in the same few sets of the first-level cache, which has a set for every line of a page. */
static void spread(struct switch_port *port, unsigned number)
{
	enum { ENTRIES = 24 };

	port->arrivals.first = port->arrivals.end = (uint64_t)number * ENTRIES;
	port->out.first = port->out.end = port->placed = (uint64_t)number * ENTRIES;
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

struct dut_device *switch_create(const struct dut_device_setup *setup)
{
	struct switch_settings settings;
	struct switch_device *dut;
	bool made;

	if (switch_read(setup, &settings) != 0)
		return NULL;
	dut = calloc(1, sizeof(*dut));
	if (dut != NULL) {
		dut->device = (struct dut_device){.ops = &switch_ops,
		                                  .link_bps = setup->link_bps,
		                                  .ports = setup->ports,
		                                  .reads_frames = true,
		                                  .header_octets = SWITCH_LEAST_OCTETS - 2};
		dut->settings = settings;
		dut->learning = settings.learning;
		earliest_init(&dut->events, setup->ports);
		earliest_init(&dut->releases, setup->ports);
		made = addresses_init(&dut->addresses, settings.table_addresses, settings.ageing_ot) == 0;
		for (unsigned i = 0; made && i < setup->ports; i++)
			made = init_port(&dut->ports[i], &settings) == 0;
		for (unsigned i = 0; made && i < setup->ports; i++)
			spread(&dut->ports[i], i);
		if (made)
			return &dut->device;
		switch_destroy(&dut->device);
	}
	sim_options_refuse(setup->options, NULL, "out of memory");
	return NULL;
}
