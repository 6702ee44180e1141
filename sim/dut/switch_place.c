// SPDX-License-Identifier: Apache-2.0
/* The output queues of a switch, one after the other: each takes in all that was decided for it, with its state in
 * registers. */
#include <stdlib.h>

#include "sim/dut/switch_uplink.h"

/* The queue of a port while frames come in. */
struct queue {
	struct ring releases;
	struct line_out line;
	uint64_t used;
};

static const struct switch_release *first_release(const struct queue *queue)
{
	return ring_first(&queue->releases, sizeof(struct switch_release));
}

/* Frees what is free by now. */
static inline void release_until(struct queue *queue, uint64_t now_ot)
{
	while (!ring_empty(&queue->releases) && first_release(queue)->ot <= now_ot) {
		queue->used -= first_release(queue)->cost;
		queue->releases.first++;
	}
}

/* Does the same as switch_admit() (switch_buffer.h). */
static inline bool admit(struct queue *queue, uint64_t buffer, uint32_t cost, uint64_t now_ot)
{
	enum { MANY = 32 };

	if (queue->releases.end - queue->releases.first >= MANY || queue->used + cost > buffer) {
		release_until(queue, now_ot);
		if (queue->used + cost > buffer)
			return false;
	}
	queue->used += cost;
	return true;
}

/* Gives a frame its place on the line. */
static inline void place(struct queue *queue, uint32_t gap_octets, uint32_t cost, const struct switch_arrival *arrival,
                         struct dut_frame *frame)
{
	const uint64_t frame_octets = (uint64_t)arrival->frame.octets + DUT_PREAMBLE_OCTETS;
	struct switch_release *release = ring_at(&queue->releases, queue->releases.end++, sizeof(*release));

	*frame = arrival->frame;
	frame->start_ot = line_out_take_octets(&queue->line, arrival->decided_ot, frame_octets + gap_octets);
	*release = (struct switch_release){.ot = frame->start_ot + frame_octets, .cost = cost};
}

/* Places what has been decided on for a port; frames that find no room are lost. False: out of memory. */
static bool place_port(struct switch_device *dut, struct switch_port *port)
{
	const struct switch_settings settings = dut->settings;
	const struct switch_list decided = port->decided;
	struct queue queue;
	struct ring out;

	if (ring_reserve(&port->out, sizeof(struct dut_frame), decided.count) != 0 ||
	    ring_reserve(&port->releases, sizeof(struct switch_release), decided.count) != 0)
		return false;
	queue = (struct queue){.releases = port->releases, .line = port->line, .used = port->used};
	out = port->out;
	for (size_t i = 0; i < decided.count; i++) {
		const struct switch_arrival *arrival = decided.entries[i];
		const uint32_t cost = switch_cost(&settings, arrival->frame.octets);

		if (!admit(&queue, settings.buffer, cost, arrival->decided_ot))
			continue;
		place(&queue, settings.gap_octets, cost, arrival, ring_at(&out, out.end++, sizeof(struct dut_frame)));
	}
	dut->used += queue.used - port->used;
	port->releases = queue.releases;
	port->line = queue.line;
	port->used = queue.used;
	port->out = out;
	port->decided.count = 0;
	return true;
}

/* The same where the line leads to another switch. */
static bool place_uplink(struct switch_device *dut, struct switch_port *port)
{
	const struct switch_list decided = port->decided;
	struct queue queue;

	if (ring_reserve(&port->releases, sizeof(struct switch_release), decided.count) != 0)
		return false;
	queue = (struct queue){.releases = port->releases, .used = port->used};
	for (size_t i = 0; i < decided.count; i++) {
		const struct switch_arrival *arrival = decided.entries[i];
		const uint32_t cost = switch_cost(&dut->settings, arrival->frame.octets);
		struct switch_release *release;

		if (!admit(&queue, dut->settings.buffer, cost, arrival->decided_ot))
			continue;
		release = ring_at(&queue.releases, queue.releases.end++, sizeof(*release));
		*release = (struct switch_release){.ot = arrival->decided_ot, .cost = cost};
		if (switch_cross(port->uplink, arrival, arrival->decided_ot, &release->ot) != 0)
			dut->device.failed = true;
	}
	dut->used += queue.used - port->used;
	port->releases = queue.releases;
	port->used = queue.used;
	port->decided.count = 0;
	return true;
}

void switch_place(struct switch_device *dut)
{
	for (unsigned i = 0; i < dut->device.ports; i++) {
		struct switch_port *port = &dut->ports[i];

		if (port->decided.count == 0)
			continue;
		if (!(port->uplink != NULL ? place_uplink(dut, port) : place_port(dut, port)))
			dut->device.failed = true;
	}
}

int switch_list_reserve(struct switch_list *list, size_t more)
{
	const struct switch_arrival **entries;

	if (list->capacity - list->count >= more)
		return 0;
	entries = realloc(list->entries, 2 * (list->count + more) * sizeof(*entries));
	if (entries == NULL)
		return -1;
	list->entries = entries;
	list->capacity = 2 * (list->count + more);
	return 0;
}
