// SPDX-License-Identifier: Apache-2.0
/* The output queues of a switch, one after the other: each takes in all that was decided for it, with its state in
 * registers. */
#include "sim/dut/switch.h"

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

/* As switch_admit() (switch_buffer.h). */
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

/* Gives a frame its place on the line. False: out of memory. */
static inline bool place(struct queue *queue, uint32_t gap_octets, uint32_t cost, struct dut_frame *frame)
{
	const uint64_t frame_octets = (uint64_t)frame->octets + DUT_PREAMBLE_OCTETS;
	struct ring *releases = &queue->releases;
	struct switch_release *release;

	if (ring_make_room(releases, sizeof(*release)) != 0)
		return false;
	frame->start_ot = line_out_take_octets(&queue->line, frame->start_ot, frame_octets + gap_octets);
	release = ring_at(releases, releases->end++, sizeof(*release));
	*release = (struct switch_release){.ot = frame->start_ot + frame_octets, .cost = cost};
	return true;
}

/* Those that find no room are lost: the others move up. */
static void place_port(struct switch_device *dut, struct switch_port *port)
{
	const struct switch_settings settings = dut->settings;
	struct queue queue = {.releases = port->releases, .line = port->line, .used = port->used};
	const struct ring out = port->out;
	uint64_t placed = port->placed;

	for (uint64_t i = placed; i != out.end; i++) {
		struct dut_frame frame = *(const struct dut_frame *)ring_at(&out, i, sizeof(frame));
		const uint32_t cost = switch_cost(&settings, frame.octets);

		if (!admit(&queue, settings.buffer, cost, frame.start_ot))
			continue;
		if (!place(&queue, settings.gap_octets, cost, &frame)) {
			dut->device.failed = true;
			break;
		}
		*(struct dut_frame *)ring_at(&out, placed++, sizeof(frame)) = frame;
	}
	dut->used += queue.used - port->used;
	port->releases = queue.releases;
	port->line = queue.line;
	port->used = queue.used;
	port->placed = port->out.end = placed;
}

void switch_place(struct switch_device *dut)
{
	for (unsigned i = 0; i < dut->device.ports; i++)
		if (dut->ports[i].placed != dut->ports[i].out.end)
			place_port(dut, &dut->ports[i]);
}
