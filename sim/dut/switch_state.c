// SPDX-License-Identifier: Apache-2.0
/* The state of a switch, for jumps over periods in which it does the same again (device.h).
 *
 * Everything up to the last promise and the lead behind it has been decided: the front. A time before the front that is
 * only compared with times to come is as good as none, so it is not in the state.
 *
 * The table is not compared either: as long as no address is added, forgotten or moved, its answers are the same. An
 * address that is seen in a period is seen in every one, so that it is never older than a period; the time to live must
 * be longer. The others stand, until the oldest of them is forgotten. */
#include <string.h>

#include "sim/dut/switch_buffer.h"
#include "sim/dut/switch_uplink.h"

/* Sizes of what describes the state, in words. */
enum { FIXED = 4, PER_PORT = 10, PER_UPLINK = 2, PER_ARRIVAL = 6, PER_WAITING = 6, PER_RELEASE = 2 };

/* The place where the state is written. */
struct sink {
	uint8_t *at;
	uint64_t base_ot, front_ot;
};

static void put(struct sink *sink, uint64_t value)
{
	memcpy(sink->at, &value, sizeof(value));
	sink->at += sizeof(value);
}

static void put_time(struct sink *sink, uint64_t ot)
{
	put(sink, ot - sink->base_ot);
}

/* A time that nothing depends on once it is over. */
static void put_due(struct sink *sink, uint64_t ot, uint64_t part)
{
	const bool over = ot < sink->front_ot;

	put(sink, over ? UINT64_MAX : ot - sink->base_ot);
	put(sink, over ? 0 : part);
}

/* Frames of several ports of the tester come from another switch. */
static void put_frame(struct sink *sink, const struct dut_frame *frame, const uint64_t *base_ids)
{
	put_time(sink, frame->start_ot);
	put(sink, base_ids[frame->from] - frame->id);
	put(sink, (uint64_t)frame->octets << 32 | (uint64_t)frame->from << 16 | frame->flags);
}

static uint64_t entries_of(const struct ring *ring)
{
	return ring->end - ring->first;
}

static uint64_t words_of(const struct switch_device *dut)
{
	uint64_t words = FIXED;

	for (unsigned i = 0; i < dut->device.ports; i++)
		words += PER_PORT + (dut->ports[i].uplink != NULL) * (uint64_t)PER_UPLINK +
		         PER_ARRIVAL * entries_of(&dut->ports[i].arrivals) +
		         PER_WAITING * entries_of(&dut->ports[i].waiting) +
		         PER_RELEASE * entries_of(&dut->ports[i].releases);
	return words;
}

static void put_arrivals(struct sink *sink, const struct ring *ring, const uint64_t *base_ids)
{
	for (uint64_t i = ring->first; i != ring->end; i++) {
		const struct switch_arrival *arrival = ring_at(ring, i, sizeof(*arrival));

		put_frame(sink, &arrival->frame, base_ids);
		put_time(sink, arrival->decided_ot);
		put(sink, arrival->source);
		put(sink, arrival->destination);
	}
}

static void put_waiting(struct sink *sink, const struct ring *ring, const uint64_t *base_ids)
{
	for (uint64_t i = ring->first; i != ring->end; i++) {
		const struct switch_waiting *waiting = ring_at(ring, i, sizeof(*waiting));

		put_frame(sink, &waiting->frame, base_ids);
		put_due(sink, waiting->decided_ot, 0);
		put(sink, waiting->outputs);
	}
}

static void put_releases(struct sink *sink, const struct ring *ring)
{
	for (uint64_t i = ring->first; i != ring->end; i++) {
		const struct switch_release *release = ring_at(ring, i, sizeof(*release));

		put_time(sink, release->ot);
		put(sink, release->cost);
	}
}

static void put_port(struct sink *sink, const struct switch_port *port, const uint64_t *base_ids)
{
	put(sink, entries_of(&port->arrivals));
	put(sink, entries_of(&port->waiting));
	put(sink, entries_of(&port->releases));
	put(sink, port->used);
	put_due(sink, port->line.free_ot, 0);
	put_due(sink, port->head_ot, 0);
	put_due(sink, port->broadcast.due, port->broadcast.due_part);
	if (port->uplink != NULL)
		put_due(sink, port->uplink->free.whole, port->uplink->free.part);
	put_arrivals(sink, &port->arrivals, base_ids);
	put_waiting(sink, &port->waiting, base_ids);
	put_releases(sink, &port->releases);
}

size_t switch_state(struct dut_device *device, uint64_t base_ot, const uint64_t *base_ids, uint8_t *buffer, size_t size)
{
	struct switch_device *dut = (struct switch_device *)device;
	struct sink sink = {buffer, base_ot, base_ot + switch_lead_ot(&dut->settings)};
	uint64_t octets;

	/* The state does not say who is held, and because of what. */
	if (dut->settings.back_pressure)
		return 0;
	/* Buffers are freed when a frame asks for room, so some that are free already still count. */
	for (unsigned i = 0; i < device->ports; i++)
		switch_release_until(dut, i, sink.front_ot);
	octets = words_of(dut) * sizeof(uint64_t);
	if (octets > size)
		return octets;
	put(&sink, dut->addresses.changes);
	put(&sink, dut->used);
	put_due(&sink, dut->learning.due, dut->learning.due_part);
	for (unsigned i = 0; i < device->ports; i++)
		put_port(&sink, &dut->ports[i], base_ids);
	return (size_t)(sink.at - buffer);
}

uint64_t switch_steady_until(const struct dut_device *device, uint64_t since_ot, uint64_t base_ot)
{
	const struct switch_device *dut = (const struct switch_device *)device;
	const uint64_t lead_ot = switch_lead_ot(&dut->settings);
	const uint64_t forget_ot = addresses_forget_ot(&dut->addresses);

	if (base_ot - since_ot >= dut->addresses.ageing_ot)
		return base_ot;
	/* If even the oldest one has been seen in the period, none stands. */
	if (forget_ot == UINT64_MAX || forget_ot - dut->addresses.ageing_ot >= since_ot + lead_ot)
		return UINT64_MAX;
	return forget_ot > lead_ot ? forget_ot - lead_ot : 0;
}

static void shift_frames(struct ring *arrivals, struct ring *waiting, uint64_t ot, const uint64_t *ids)
{
	for (uint64_t i = arrivals->first; i != arrivals->end; i++) {
		struct switch_arrival *arrival = ring_at(arrivals, i, sizeof(*arrival));

		arrival->frame.start_ot += ot;
		arrival->frame.id += ids[arrival->frame.from];
		arrival->decided_ot += ot;
	}
	for (uint64_t i = waiting->first; i != waiting->end; i++) {
		struct switch_waiting *entry = ring_at(waiting, i, sizeof(*entry));

		entry->frame.start_ot += ot;
		entry->frame.id += ids[entry->frame.from];
		entry->decided_ot += ot;
	}
}

/* Times that are over are later then, too, and still over. */
static void shift_port(struct switch_device *dut, unsigned number, uint64_t ot, const uint64_t *ids)
{
	struct switch_port *port = &dut->ports[number];

	shift_frames(&port->arrivals, &port->waiting, ot, ids);
	for (uint64_t i = port->releases.first; i != port->releases.end; i++)
		((struct switch_release *)ring_at(&port->releases, i, sizeof(struct switch_release)))->ot += ot;
	port->line.free_ot += ot;
	if (port->uplink != NULL)
		port->uplink->free.whole += ot;
	port->head_ot += ot;
	port->broadcast.due += ot;
	if (dut->events.ot[number] != UINT64_MAX)
		earliest_set(&dut->events, number, dut->events.ot[number] + ot);
	if (dut->releases.ot[number] != UINT64_MAX)
		earliest_set(&dut->releases, number, dut->releases.ot[number] + ot);
}

void switch_shift(struct dut_device *device, uint64_t since_ot, uint64_t ot, const uint64_t *ids)
{
	struct switch_device *dut = (struct switch_device *)device;

	for (unsigned i = 0; i < device->ports; i++)
		shift_port(dut, i, ot, ids);
	dut->learning.due += ot;
	addresses_shift(&dut->addresses, since_ot + switch_lead_ot(&dut->settings), ot);
}
