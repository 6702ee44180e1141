// SPDX-License-Identifier: Apache-2.0
/* A switch learns from a frame, decides where it leaves, and queues it. The time when a frame leaves is known as soon
 * as it has its place on the output line, so nothing else has to be simulated. */
#include "sim/dut/switch_buffer.h"
#include "sim/dut/switch_leave.h"
#include "sim/dut/switch_uplink.h"

/* IEEE 802.1Q table 8-1: no bridge forwards frames to these 16, such as pause frames. */
static const uint64_t RESERVED_ADDRESSES = UINT64_C(0x0180c2000000);

/* -- leaving ------------------------------------------------------------------------------------------------------- */

static uint64_t left_ot(uint64_t start_ot, const struct dut_frame *frame)
{
	return start_ot + DUT_PREAMBLE_OCTETS + frame->octets;
}

/* It gets its place on the line. Returns when its last octet has left. */
static uint64_t leave_one(struct switch_device *dut, unsigned output, const struct switch_arrival *arrival,
                          uint64_t now_ot)
{
	struct switch_uplink *uplink = dut->ports[output].uplink;
	uint64_t crossed_ot = now_ot;

	if (uplink == NULL)
		return left_ot(switch_leave(dut, output, &arrival->frame, now_ot), &arrival->frame);
	if (switch_cross(uplink, arrival, now_ot, &crossed_ot) != 0)
		dut->device.failed = true;
	return crossed_ot;
}

/* Every copy takes its place in the queue of its output, or is lost there. */
static void queue_at_outputs(struct switch_device *dut, const struct switch_arrival *arrival, uint32_t outputs,
                             uint64_t now_ot)
{
	const struct dut_frame *frame = &arrival->frame;
	const uint32_t cost = switch_cost(&dut->settings, frame->octets);

	for (; outputs != 0; outputs &= outputs - 1) {
		const unsigned output = (unsigned)__builtin_ctz(outputs);
		const bool admitted = switch_admit(dut, output, cost, now_ot);

		if (admitted)
			switch_release_at(dut, output, cost, leave_one(dut, output, arrival, now_ot));
		if (dut->settings.back_pressure)
			switch_hold(dut, frame->from, output, admitted, now_ot);
	}
}

/* Does the same as queue_at_outputs(), but the queues take the frame in later: switch_place(). */
static void leave_for_outputs(struct switch_device *dut, const struct switch_arrival *arrival, uint32_t outputs)
{
	for (; outputs != 0; outputs &= outputs - 1) {
		struct switch_list *list = &dut->ports[__builtin_ctz(outputs)].decided;

		if (switch_list_reserve(list, 1) != 0) {
			dut->device.failed = true;
			return;
		}
		list->entries[list->count++] = arrival;
	}
}

/* The frame waits where it came in, until it is the head: head-of-line blocking. */
static void queue_at_input(struct switch_device *dut, unsigned input, const struct dut_frame *frame, uint32_t outputs,
                           uint64_t now_ot)
{
	const uint32_t cost = switch_cost(&dut->settings, frame->octets);
	const bool admitted = switch_admit(dut, input, cost, now_ot);
	struct switch_waiting *waiting;

	if (dut->settings.back_pressure)
		switch_hold(dut, input, input, admitted, now_ot);
	if (!admitted)
		return;
	waiting = ring_push(&dut->ports[input].waiting, sizeof(*waiting));
	if (waiting == NULL)
		dut->device.failed = true;
	else
		*waiting = (struct switch_waiting){
		        .frame = *frame, .decided_ot = now_ot, .outputs = outputs, .cost = cost};
}

void switch_pass_head(struct switch_device *dut, unsigned input, uint64_t now_ot)
{
	struct switch_port *port = &dut->ports[input];
	const struct switch_waiting *head = ring_first(&port->waiting, sizeof(*head));

	port->head_ot = now_ot;
	for (uint32_t outputs = head->outputs; outputs != 0; outputs &= outputs - 1) {
		const uint64_t start_ot = switch_leave(dut, (unsigned)__builtin_ctz(outputs), &head->frame, now_ot);

		if (start_ot > port->head_ot)
			port->head_ot = start_ot;
	}
	switch_release_at(dut, input, head->cost, left_ot(port->head_ot, &head->frame));
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

/* Tells sources in the order in which they were seen: as long as a port sees the same one again and again, the last
 * time is enough. */
void switch_tell_seen(struct switch_device *dut)
{
	while (dut->seen != 0) {
		const struct switch_port *first = NULL;
		unsigned number = 0;

		for (uint32_t left = dut->seen; left != 0; left &= left - 1) {
			const struct switch_port *port = &dut->ports[__builtin_ctz(left)];

			if (first == NULL || port->seen_ot < first->seen_ot) {
				first = port;
				number = (unsigned)__builtin_ctz(left);
			}
		}
		addresses_see(&dut->addresses, first->source_entry, number, first->seen_ot);
		dut->seen &= ~(UINT32_C(1) << number);
	}
}

/* Does the same as addresses_find(); most often the address is that of the frame before, in the same table. */
static uint32_t find_source(struct switch_device *dut, uint64_t source, unsigned number)
{
	const struct addresses *addresses = &dut->addresses;
	struct switch_port *port = &dut->ports[number];

	if (port->source != source || port->source_changes != addresses->changes || port->source_entry == 0) {
		switch_tell_seen(dut);
		port->source = source;
		port->source_changes = addresses->changes;
		port->source_entry = addresses_find(addresses, source);
		port->source_here = port->source_entry != 0 && addresses_port(addresses, port->source_entry) == number;
	}
	return port->source_entry;
}

static void learn(struct switch_device *dut, uint64_t source, unsigned port, uint64_t now_ot)
{
	struct addresses *addresses = &dut->addresses;
	uint32_t entry;

	if ((source & DUT_GROUP_ADDRESS) != 0)
		return;
	entry = find_source(dut, source, port);
	if (dut->ports[port].source_here) {
		dut->ports[port].seen_ot = now_ot;
		dut->seen |= UINT32_C(1) << port;
		return;
	}
	if (entry == 0 && !addresses_room(addresses, source))
		return;
	if (!meter_pass(&dut->learning, now_ot))
		return;
	switch_tell_seen(dut);
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
	if ((destination & DUT_GROUP_ADDRESS) != 0)
		return meter_pass(&dut->ports[input].broadcast, now_ot) ? others : 0;
	entry = addresses_find(&dut->addresses, destination);
	return entry == 0 ? others : UINT32_C(1) << addresses_port(&dut->addresses, entry) & ~itself;
}

void switch_decide(struct switch_device *dut, unsigned input, uint64_t now_ot)
{
	const struct switch_arrival *arrival = ring_first(&dut->ports[input].arrivals, sizeof(*arrival));
	uint32_t outputs;

	if (!is_forwarded(&dut->settings, &arrival->frame))
		return;
	if (addresses_may_forget(&dut->addresses, now_ot)) {
		switch_tell_seen(dut);
		addresses_forget(&dut->addresses, now_ot);
	}
	learn(dut, arrival->source, input, now_ot);
	outputs = outputs_of(dut, input, arrival->destination, now_ot);
	if (outputs == 0)
		return;
	if (switch_places_later(&dut->settings))
		leave_for_outputs(dut, arrival, outputs);
	else if (dut->settings.head_of_line_blocking)
		queue_at_input(dut, input, &arrival->frame, outputs, now_ot);
	else
		queue_at_outputs(dut, arrival, outputs, now_ot);
}
