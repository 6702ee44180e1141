// SPDX-License-Identifier: Apache-2.0
/* What a switch does, event by event: it learns, decides where a frame leaves, and queues it. Each port has at most one
 * event that comes next, the decision on the frame that came in first or the frame that becomes the head of its input
 * queue, and all is done in the order of events. When a frame leaves is known as soon as it has its place on the output
 * line, so nothing else has to be simulated. */
#include <string.h>

#include "sim/dut/switch_buffer.h"

/* IEEE 802.1Q table 8-1: no bridge forwards frames to these 16, such as pause frames. */
static const uint64_t RESERVED_ADDRESSES = UINT64_C(0x0180c2000000);

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

		if (switch_admit(dut, output, cost, now_ot))
			switch_release_at(dut, output, cost, left_ot(leave(dut, output, frame, now_ot), frame));
	}
}

/* As queue_at_outputs(), but the queues take the frame in later: switch_place(). */
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

/* With head-of-line blocking: the frame waits where it came in, until it is the head. */
static void queue_at_input(struct switch_device *dut, unsigned input, const struct dut_frame *frame, uint32_t outputs,
                           uint64_t now_ot)
{
	const uint32_t cost = switch_cost(&dut->settings, frame->octets);
	struct switch_waiting *waiting;

	if (!switch_admit(dut, input, cost, now_ot))
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

/* Tells the table of the sources seen since it was told, in the order in which they were: as long as a port sees the
 * same one again and again, the last time is enough. */
static void tell_seen(struct switch_device *dut)
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

/* As addresses_find(); most often the one of the frame before, in the same table. */
static uint32_t find_source(struct switch_device *dut, uint64_t source, unsigned number)
{
	const struct addresses *addresses = &dut->addresses;
	struct switch_port *port = &dut->ports[number];

	if (port->source != source || port->source_changes != addresses->changes || port->source_entry == 0) {
		tell_seen(dut);
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

	if ((source & SWITCH_GROUP_ADDRESS) != 0)
		return;
	entry = find_source(dut, source, port);
	if (dut->ports[port].source_here) {
		dut->ports[port].seen_ot = now_ot;
		dut->seen |= UINT32_C(1) << port;
		return;
	}
	if (entry == 0 && addresses_full(addresses))
		return;
	if (!meter_pass(&dut->learning, now_ot))
		return;
	tell_seen(dut);
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
	if ((destination & SWITCH_GROUP_ADDRESS) != 0)
		return meter_pass(&dut->ports[input].broadcast, now_ot) ? others : 0;
	entry = addresses_find(&dut->addresses, destination);
	return entry == 0 ? others : UINT32_C(1) << addresses_port(&dut->addresses, entry) & ~itself;
}

/* The first frame that has come in at a port; it is still there afterwards. */
static void decide(struct switch_device *dut, unsigned input, uint64_t now_ot)
{
	const struct switch_arrival *arrival = ring_first(&dut->ports[input].arrivals, sizeof(*arrival));
	uint32_t outputs;

	if (!is_forwarded(&dut->settings, &arrival->frame))
		return;
	if (addresses_may_forget(&dut->addresses, now_ot)) {
		tell_seen(dut);
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

void switch_note_event(struct switch_device *dut, unsigned number)
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
		decide(dut, number, now_ot);
		port->arrivals.first++;
	}
	switch_note_event(dut, number);
}

/* -- many decisions ------------------------------------------------------------------------------------------------ */

/* True if arrival number i of a port is still there, and not only that before it. */
static inline bool is_left(uint64_t i, uint64_t first)
{
	return (int64_t)(i - first) > 0;
}

/* True if there are only decisions, and those of a port are one after the other. */
static bool in_order(const struct switch_device *dut)
{
	for (unsigned i = 0; i < dut->device.ports; i++)
		if (is_left(dut->ports[i].unordered, dut->ports[i].arrivals.first + 1))
			return false;
	return !dut->settings.head_of_line_blocking;
}

/* True if frames change nothing in the table, because each comes from an address that is known to be there, and none is to
 * be forgotten. */
static bool leave_table_alone(const struct switch_device *dut, uint64_t until_ot)
{
	if (!switch_places_later(&dut->settings) || addresses_may_forget(&dut->addresses, until_ot - 1))
		return false;
	for (unsigned i = 0; i < dut->device.ports; i++) {
		const struct switch_port *port = &dut->ports[i];

		if (!ring_empty(&port->arrivals) &&
		    (is_left(port->special, port->arrivals.first) || port->alike_source != port->source ||
		     port->source_changes != dut->addresses.changes || !port->source_here))
			return false;
	}
	return true;
}

/* Enters the decisions of a port before until_ot in the calendar, and where the frames leave. False: some leave nowhere or
 * at several ports. The table is copied, because to the compiler the calendar could be a part of it. */
static bool enter_port(struct switch_device *dut, unsigned number, uint64_t until_ot, size_t *entered)
{
	const struct addresses addresses = dut->addresses;
	const struct ring arrivals = dut->ports[number].arrivals;
	const size_t count = arrivals.end - arrivals.first;
	const size_t room = count <= SWITCH_TOGETHER ? SIZE_MAX : 0;
	uint8_t *leaves = dut->leaves[number];
	bool known = room != 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct switch_arrival *arrival = ring_at(&arrivals, arrivals.first + i, sizeof(*arrival));
		uint32_t entry, output;

		if (arrival->decided_ot >= until_ot)
			break;
		calendar_enter(&dut->calendar, arrival->decided_ot, number);
		entry = addresses_find(&addresses, arrival->destination);
		output = addresses_port(&addresses, entry);
		known = known && entry != 0 && output != number;
		leaves[i & room] = (uint8_t)output;
	}
	*entered = i;
	return known;
}

/* One after the other, in the order of the calendar, which is empty afterwards. */
static void decide_entered(struct switch_device *dut, uint64_t until_ot)
{
	struct calendar *calendar = &dut->calendar;
	const uint64_t last = (until_ot - 1 - calendar->from_ot) / CALENDAR_WORD;

	for (uint64_t word = 0; word <= last; word++)
		while (calendar->busy[word] != 0) {
			uint32_t ports;
			const uint64_t now_ot = calendar_take(calendar, word, &ports);

			for (; ports != 0; ports &= ports - 1) {
				const unsigned number = (unsigned)__builtin_ctz(ports);

				decide(dut, number, now_ot);
				dut->ports[number].arrivals.first++;
			}
		}
}

/* The same, of frames that leave the table alone, and each leaves at one port: nothing is left to do but to list them in
 * their order. */
static void list_entered(struct switch_device *dut, uint64_t until_ot)
{
	struct calendar *calendar = &dut->calendar;
	const uint64_t last = (until_ot - 1 - calendar->from_ot) / CALENDAR_WORD;
	const struct switch_arrival *next[DUT_MAX_PORTS], *ring_end[DUT_MAX_PORTS], **list_end[DUT_MAX_PORTS];
	const uint8_t *leaves[DUT_MAX_PORTS];

	for (unsigned i = 0; i < dut->device.ports; i++) {
		const struct ring *ring = &dut->ports[i].arrivals;

		next[i] = ring_first(ring, sizeof(*next[i]));
		ring_end[i] = (const struct switch_arrival *)ring->entries + ring->mask + 1;
		list_end[i] = dut->ports[i].decided.entries + dut->ports[i].decided.count;
		leaves[i] = dut->leaves[i];
	}
	for (uint64_t word = 0; word <= last; word++)
		while (calendar->busy[word] != 0) {
			uint32_t ports;

			calendar_take(calendar, word, &ports);
			for (; ports != 0; ports &= ports - 1) {
				const unsigned number = (unsigned)__builtin_ctz(ports);

				*list_end[*leaves[number]++]++ = next[number]++;
				if (next[number] == ring_end[number])
					next[number] = (const struct switch_arrival *)dut->ports[number].arrivals.entries;
			}
		}
	for (unsigned i = 0; i < dut->device.ports; i++)
		dut->ports[i].decided.count = (size_t)(list_end[i] - dut->ports[i].decided.entries);
}

/* The frames of a port have been listed. */
static void see_listed(struct switch_device *dut, unsigned number, size_t frames)
{
	struct switch_port *port = &dut->ports[number];
	const struct switch_arrival *last;

	if (frames == 0)
		return;
	port->arrivals.first += frames;
	last = ring_at(&port->arrivals, port->arrivals.first - 1, sizeof(*last));
	port->seen_ot = last->decided_ot;
	dut->seen |= UINT32_C(1) << number;
}

/* Room for all that may be decided at each port. */
static bool reserve(struct switch_device *dut, size_t more)
{
	for (unsigned i = 0; i < dut->device.ports; i++)
		if (switch_list_reserve(&dut->ports[i].decided, more) != 0)
			return false;
	return true;
}

static void decide_many(struct switch_device *dut, uint64_t until_ot)
{
	bool plain = leave_table_alone(dut, until_ot);
	size_t entered[DUT_MAX_PORTS], sum = 0;

	for (unsigned i = 0; i < dut->device.ports; i++) {
		plain = enter_port(dut, i, until_ot, &entered[i]) && plain;
		sum += entered[i];
	}
	if (plain && reserve(dut, sum)) {
		list_entered(dut, until_ot);
		for (unsigned i = 0; i < dut->device.ports; i++)
			see_listed(dut, i, entered[i]);
	} else {
		decide_entered(dut, until_ot);
	}
	for (unsigned i = 0; i < dut->device.ports; i++)
		switch_note_event(dut, i);
}

/* A short time is not worth it: the calendar has to be looked through. */
static void do_events(struct switch_device *dut, uint64_t until_ot)
{
	enum { LEAST_OT = 1024 };

	while (earliest_ot(&dut->events) < until_ot) {
		const uint64_t from_ot = earliest_ot(&dut->events);
		const uint64_t end_ot = until_ot - from_ot < CALENDAR_OT ? until_ot : from_ot + CALENDAR_OT;

		dut->calendar.from_ot = from_ot;
		if (end_ot - from_ot >= LEAST_OT && in_order(dut)) {
			decide_many(dut, end_ot);
			continue;
		}
		while (earliest_ot(&dut->events) < end_ot)
			do_event(dut, earliest_port(&dut->events), earliest_ot(&dut->events));
	}
}

void switch_do_events(struct switch_device *dut, uint64_t until_ot)
{
	do_events(dut, until_ot);
	tell_seen(dut);
	if (switch_places_later(&dut->settings))
		switch_place(dut);
}
