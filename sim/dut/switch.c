// SPDX-License-Identifier: Apache-2.0
/* A switch: it learns, floods and queues. Each port has at most one event that comes next, the decision on the frame
 * that came in first or the frame that becomes the head of its input queue, and all is done in the order of events.
 * When a frame leaves is known as soon as it has its place on the output line, so nothing else has to be simulated. */
#include "sim/dut/switch.h"

#include <stdlib.h>

#include "sim/dut/switch_truth.h"

enum { ADDRESS_OCTETS = 6 };

static const uint64_t GROUP_ADDRESS = UINT64_C(1) << 40; /* IEEE 802.3 clause 3.2.3 */

/* IEEE 802.1Q table 8-1: no bridge forwards frames to these 16, such as pause frames. */
static const uint64_t RESERVED_ADDRESSES = UINT64_C(0x0180c2000000);

static struct switch_device *switch_of(struct dut_device *device)
{
	return (struct switch_device *)device;
}

/* -- the buffer ---------------------------------------------------------------------------------------------------- */

static void release_first(struct switch_device *dut, unsigned number)
{
	struct switch_port *queue = &dut->ports[number];
	const struct switch_release *release = ring_first(&queue->releases, sizeof(*release));

	queue->used -= release->cost;
	dut->used -= release->cost;
	queue->releases.first++;
}

static uint64_t release_ot(const struct switch_port *queue)
{
	const struct switch_release *release = ring_first(&queue->releases, sizeof(*release));

	return ring_empty(&queue->releases) ? UINT64_MAX : release->ot;
}

/* Frees what is free by now: of one queue, or where all share a buffer, of all. */
static void release_until(struct switch_device *dut, unsigned number, uint64_t now_ot)
{
	if (!dut->settings.shared) {
		while (release_ot(&dut->ports[number]) <= now_ot)
			release_first(dut, number);
		return;
	}
	while (earliest_ot(&dut->releases) <= now_ot) {
		const unsigned first = earliest_port(&dut->releases);

		release_first(dut, first);
		earliest_set(&dut->releases, first, release_ot(&dut->ports[first]));
	}
}

static bool has_room(const struct switch_device *dut, const struct switch_port *queue, uint32_t cost)
{
	const struct switch_settings *settings = &dut->settings;
	const uint64_t used = settings->shared ? dut->used : queue->used;

	if (used + cost > settings->buffer)
		return false;
	/* The dynamic threshold of Choudhury and Hahne (1998): a queue may grow while it is below alpha times what is
	 * free. */
	return settings->alpha_denominator == 0 ||
	       queue->used * settings->alpha_denominator < settings->alpha_numerator * (settings->buffer - used);
}

static bool admit(struct switch_device *dut, unsigned number, uint32_t cost, uint64_t now_ot)
{
	struct switch_port *queue = &dut->ports[number];

	release_until(dut, number, now_ot);
	if (!has_room(dut, queue, cost))
		return false;
	queue->used += cost;
	dut->used += cost;
	return true;
}

/* The buffer of a frame is free when it has left, and all before it in its queue: releases wait in the ring for those
 * before them. */
static void release_at(struct switch_device *dut, unsigned number, uint32_t cost, uint64_t left_ot)
{
	struct switch_port *queue = &dut->ports[number];
	const bool first = ring_empty(&queue->releases);
	struct switch_release *release = ring_push(&queue->releases, sizeof(*release));

	if (release == NULL) {
		dut->device.failed = true;
		return;
	}
	*release = (struct switch_release){.ot = left_ot, .cost = cost};
	if (dut->settings.shared && first)
		earliest_set(&dut->releases, number, release->ot);
}

/* -- leaving ------------------------------------------------------------------------------------------------------- */

/* Gives a frame its place on an output line. Returns its start. */
static uint64_t leave(struct switch_device *dut, unsigned output, const struct dut_frame *frame, uint64_t ready_ot)
{
	struct switch_port *port = &dut->ports[output];
	const uint64_t line_octets = (uint64_t)frame->octets + DUT_PREAMBLE_OCTETS + dut->settings.gap_octets;
	const uint64_t start_ot = line_out_take_octets(&port->line, ready_ot, line_octets);
	struct dut_frame *out = ring_push(&port->out, sizeof(*out));

	if (out == NULL) {
		dut->device.failed = true;
		return start_ot;
	}
	*out = *frame;
	out->start_ot = start_ot;
	return start_ot;
}

static uint64_t left_ot(uint64_t start_ot, const struct dut_frame *frame)
{
	return start_ot + DUT_PREAMBLE_OCTETS + frame->octets;
}

/* Every copy takes its place in the queue of its output, or is lost there. */
static void queue_at_outputs(struct switch_device *dut, const struct dut_frame *frame, uint32_t outputs,
                             uint64_t now_ot)
{
	const uint32_t cost = switch_cost(&dut->settings, frame->octets);

	for (; outputs != 0; outputs &= outputs - 1) {
		const unsigned output = (unsigned)__builtin_ctz(outputs);

		if (admit(dut, output, cost, now_ot))
			release_at(dut, output, cost, left_ot(leave(dut, output, frame, now_ot), frame));
	}
}

/* With head-of-line blocking: the frame waits where it came in, until it is the head. */
static void queue_at_input(struct switch_device *dut, unsigned input, const struct dut_frame *frame, uint32_t outputs,
                           uint64_t now_ot)
{
	const uint32_t cost = switch_cost(&dut->settings, frame->octets);
	struct switch_waiting *waiting;

	if (!admit(dut, input, cost, now_ot))
		return;
	waiting = ring_push(&dut->ports[input].waiting, sizeof(*waiting));
	if (waiting == NULL)
		dut->device.failed = true;
	else
		*waiting = (struct switch_waiting){
		        .frame = *frame, .decided_ot = now_ot, .outputs = outputs, .cost = cost};
}

/* The head of an input queue goes to its outputs; the next frame is the head when the last copy has begun to leave. */
static void pass_head(struct switch_device *dut, unsigned input, uint64_t now_ot)
{
	struct switch_port *port = &dut->ports[input];
	const struct switch_waiting *head = ring_first(&port->waiting, sizeof(*head));

	port->head_ot = now_ot;
	for (uint32_t outputs = head->outputs; outputs != 0; outputs &= outputs - 1) {
		const uint64_t start_ot = leave(dut, (unsigned)__builtin_ctz(outputs), &head->frame, now_ot);

		if (start_ot > port->head_ot)
			port->head_ot = start_ot;
	}
	release_at(dut, input, head->cost, left_ot(port->head_ot, &head->frame));
	port->waiting.first++;
}

/* -- deciding ------------------------------------------------------------------------------------------------------ */

static bool is_forwarded(const struct switch_settings *settings, const struct dut_frame *frame)
{
	if ((frame->flags & DUT_FRAME_BROKEN) != 0)
		return false;
	if ((frame->flags & DUT_FRAME_BAD_FCS) != 0 && !settings->forwards[SWITCH_FCS])
		return false;
	return switch_forwards_length(settings, frame->octets);
}

static void learn(struct switch_device *dut, uint64_t source, unsigned port, uint64_t now_ot)
{
	struct addresses *addresses = &dut->addresses;
	uint32_t entry;

	if ((source & GROUP_ADDRESS) != 0)
		return;
	entry = addresses_find(addresses, source);
	if (entry == 0 && addresses_full(addresses))
		return;
	if ((entry == 0 || addresses_port(addresses, entry) != port) && !meter_pass(&dut->learning, now_ot))
		return;
	if (entry != 0)
		addresses_see(addresses, entry, port, now_ot);
	else
		addresses_add(addresses, source, port, now_ot);
}

/* The ports where a frame leaves, a bit for each. */
static uint32_t outputs_of(struct switch_device *dut, unsigned input, uint64_t destination, uint64_t now_ot)
{
	const uint32_t itself = UINT32_C(1) << input;
	const uint32_t others = ((UINT32_C(1) << dut->device.ports) - 1) & ~itself;
	uint32_t entry;

	if ((destination & ~UINT64_C(0xf)) == RESERVED_ADDRESSES)
		return 0;
	if ((destination & GROUP_ADDRESS) != 0)
		return meter_pass(&dut->ports[input].broadcast, now_ot) ? others : 0;
	entry = addresses_find(&dut->addresses, destination);
	return entry == 0 ? others : UINT32_C(1) << addresses_port(&dut->addresses, entry) & ~itself;
}

static void decide(struct switch_device *dut, unsigned input, const struct switch_arrival *arrival, uint64_t now_ot)
{
	uint32_t outputs;

	if (!is_forwarded(&dut->settings, &arrival->frame))
		return;
	addresses_forget(&dut->addresses, now_ot);
	learn(dut, arrival->source, input, now_ot);
	outputs = outputs_of(dut, input, arrival->destination, now_ot);
	if (outputs == 0)
		return;
	if (dut->settings.head_of_line_blocking)
		queue_at_input(dut, input, &arrival->frame, outputs, now_ot);
	else
		queue_at_outputs(dut, &arrival->frame, outputs, now_ot);
}

/* -- events -------------------------------------------------------------------------------------------------------- */

static uint64_t next_decision_ot(const struct switch_port *port)
{
	const struct switch_arrival *first = ring_first(&port->arrivals, sizeof(*first));

	return ring_empty(&port->arrivals) ? UINT64_MAX : first->decided_ot;
}

static uint64_t next_head_ot(const struct switch_port *port)
{
	const struct switch_waiting *first = ring_first(&port->waiting, sizeof(*first));

	if (ring_empty(&port->waiting))
		return UINT64_MAX;
	return first->decided_ot > port->head_ot ? first->decided_ot : port->head_ot;
}

static void note_event(struct switch_device *dut, unsigned number)
{
	const struct switch_port *port = &dut->ports[number];
	const uint64_t decision_ot = next_decision_ot(port), head_ot = next_head_ot(port);

	earliest_set(&dut->events, number, decision_ot < head_ot ? decision_ot : head_ot);
}

static void do_event(struct switch_device *dut, unsigned number, uint64_t now_ot)
{
	struct switch_port *port = &dut->ports[number];

	if (next_head_ot(port) == now_ot) {
		pass_head(dut, number, now_ot);
	} else {
		const struct switch_arrival *arrival = ring_first(&port->arrivals, sizeof(*arrival));

		decide(dut, number, arrival, now_ot);
		port->arrivals.first++;
	}
	note_event(dut, number);
}

/* -- the device ---------------------------------------------------------------------------------------------------- */

static uint64_t address_of(const uint8_t *octets)
{
	uint64_t address = 0;

	for (unsigned i = 0; i < ADDRESS_OCTETS; i++)
		address = address << 8 | octets[i];
	return address;
}

static void switch_put(struct dut_device *device, unsigned number, const struct dut_frame *frame, const uint8_t *header)
{
	struct switch_device *dut = switch_of(device);
	struct switch_port *port = &dut->ports[number];
	const bool first = ring_empty(&port->arrivals);
	struct switch_arrival *arrival = ring_push(&port->arrivals, sizeof(*arrival));

	if (arrival == NULL) {
		device->failed = true;
		return;
	}
	*arrival = (struct switch_arrival){.frame = *frame, .decided_ot = switch_decided_ot(&dut->settings, frame)};
	arrival->frame.from = (uint16_t)number;
	if (frame->octets >= SWITCH_LEAST_OCTETS) {
		arrival->destination = address_of(header);
		arrival->source = address_of(header + ADDRESS_OCTETS);
	}
	if (first)
		note_event(dut, number);
}

static void switch_known(struct dut_device *device, uint64_t known_ot)
{
	struct switch_device *dut = switch_of(device);
	const uint64_t lead = switch_lead_ot(&dut->settings);
	const uint64_t until_ot = known_ot < UINT64_MAX - lead ? known_ot + lead : UINT64_MAX;

	while (earliest_ot(&dut->events) < until_ot)
		do_event(dut, earliest_port(&dut->events), earliest_ot(&dut->events));
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
        .known = switch_known,
        .take = switch_take,
        .quiet_until = switch_quiet_until,
        .oldest_id = switch_oldest_id,
        .truth = switch_truth,
};

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
		dut->device = (struct dut_device){
		        .ops = &switch_ops, .link_bps = setup->link_bps, .ports = setup->ports, .reads_frames = true};
		dut->settings = settings;
		dut->learning = settings.learning;
		earliest_init(&dut->events, setup->ports);
		earliest_init(&dut->releases, setup->ports);
		made = addresses_init(&dut->addresses, settings.table_addresses, settings.ageing_ot) == 0;
		for (unsigned i = 0; made && i < setup->ports; i++)
			made = init_port(&dut->ports[i], &settings) == 0;
		if (made)
			return &dut->device;
		switch_destroy(&dut->device);
	}
	sim_options_refuse(setup->options, NULL, "out of memory");
	return NULL;
}
