// SPDX-License-Identifier: Apache-2.0
/* Many decisions of a switch, in their order. Most frames come from an address that is known to be where they came in,
 * and go to one that is known to be elsewhere: then nothing is left of a decision but the order. */
#include "sim/dut/switch.h"

/* True if frames change nothing in the table, because each comes from an address that is known to be there, and none is
 * to be forgotten. */
static bool leave_table_alone(const struct switch_device *dut, uint64_t until_ot)
{
	if (!switch_places_later(&dut->settings) || addresses_may_forget(&dut->addresses, until_ot - 1))
		return false;
	for (unsigned i = 0; i < dut->device.ports; i++) {
		const struct switch_port *port = &dut->ports[i];

		if (!ring_empty(&port->arrivals) &&
		    ((int64_t)(port->special - port->arrivals.first) > 0 || port->alike_source != port->source ||
		     port->source_changes != dut->addresses.changes || !port->source_here))
			return false;
	}
	return true;
}

/* Enters the decisions of a port before until_ot in the calendar, and where the frames leave. False: some leave nowhere
 * or at several ports. The table is copied, because to the compiler the calendar could be a part of it. */
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

				switch_decide(dut, number, now_ot);
				dut->ports[number].arrivals.first++;
			}
		}
}

/* The same, of frames that leave the table alone, and each leaves at one port: nothing is left to do but to list them
 * in their order. */
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
					next[number] =
					        (const struct switch_arrival *)dut->ports[number].arrivals.entries;
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

void switch_decide_many(struct switch_device *dut, uint64_t until_ot)
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
}
