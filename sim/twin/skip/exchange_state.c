// SPDX-License-Identifier: Apache-2.0
/* The state of all ports and of the device between them at a moment. Streams are not in it: how far they are behind is
 * compared with what was sent since (exchange_jump.c), because most streams of a mesh get none of a flow. */
#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"
#include "sim/twin/skip/exchange_jump.h"

/* Sizes of parts of the state, in words. */
enum { PER_PORT = 16, PER_FLOW = 1 + 2 * CONTENTS_FIELDS, PER_RECORD = 4 };

static bool sender_rests(const struct sender *sender, uint64_t base_ot)
{
	return sender->pending == 0 && sender->bad_fcs_pending == 0 && sender->uncounted_ot <= base_ot &&
	       sender->meter.from_ot <= base_ot;
}

static bool receiver_rests(const struct receiver *receiver, uint64_t base_ot)
{
	return receiver->end == 0 && receiver->change_count == 0 && receiver->from_ot <= base_ot &&
	       receiver->meter.from_ot <= base_ot;
}

bool exchange_is_moment(const struct play *play, uint64_t base_ot)
{
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct receiver *receiver = play->looped[i] ? &play->unseen[i] : &play->receivers[i];

		if (!receiver_rests(receiver, base_ot) ||
		    (!play->looped[i] && !sender_rests(&play->directions[i].sender, base_ot)))
			return false;
	}
	return true;
}

/* Writes the state of a sender; if it sends nothing any more, its line is as it was. */
static void put_sender(struct octets *octets, const struct sender *sender, uint64_t base_ot)
{
	const uint64_t next_ot = sender_next_ot(sender);
	const bool sends = next_ot != UINT64_MAX;

	octets_put(octets, sends);
	octets_put(octets, sends ? next_ot - base_ot : 0);
	octets_put(octets, sender->pacer.ideal_octets % GROUP_OCTETS);
	octets_put(octets, sender->pacer.fraction);
	octets_put(octets, sender->pacer.burst_left);
	octets_put(octets, sender->turns.turn);
	octets_put(octets, sender->bad_fcs_left);
	octets_put(octets, sender->meter.started);
	octets_put(octets, sender->meter.ended);
	octets_put(octets, sends ? base_ot - sender->meter.ended_ot : 0);
}

static void put_receiver(struct octets *octets, const struct receiver *receiver)
{
	octets_put(octets, receiver->counts.received != 0);
	octets_put(octets, receiver->meter.started);
	octets_put(octets, receiver->meter.ended);
	octets_put(octets, receiver->meter.open);
}

/* Writes where the fields of the addresses are; false: they are drawn. */
static bool put_contents(struct octets *octets, const struct contents *contents, uint32_t flows)
{
	for (uint32_t i = 0; i < flows; i++) {
		const struct contents_flow *flow = &contents->flow[i];

		octets_put(octets, flow->used);
		for (unsigned j = 0; j < CONTENTS_FIELDS; j++) {
			const enum contents_course course = contents_course(&flow->field[j]);

			if (course == CONTENTS_DRAWN)
				return false;
			if (course == CONTENTS_CONSTANT)
				continue;
			octets_put(octets, flow->field[j].position);
			octets_put(octets, flow->field[j].offset);
		}
	}
	return true;
}

/* The frames in the device: its state has their ids, this is what is in them. */
static void put_records(struct octets *octets, const struct play *play, unsigned port, uint64_t base_ot)
{
	const struct sender *sender = &play->directions[port].sender;
	const struct records *records = &play->records[port];
	const uint64_t oldest = exchange_oldest_inside(play, port);

	octets_put(octets, sender->next_id - oldest);
	for (uint64_t id = oldest; id != sender->next_id; id++) {
		const struct record *record = &records->ring[id & records->mask];
		const uint64_t entry = record->sequence >> RECORD_ENTRY_LSB & (RECORD_ENTRIES - 1);

		octets_put(octets, (base_ot - record->start) & RECORD_START_MASK);
		octets_put(octets, record->start & ~RECORD_START_MASK);
		octets_put(octets, sender->sent[entry] - (record->sequence & RECORD_SEQUENCE_MASK));
		octets_put(octets, record->sequence & ~RECORD_SEQUENCE_MASK);
	}
}

static bool put_ports(struct play *play, uint64_t base_ot, struct octets *octets)
{
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct sender *sender = &play->directions[i].sender;

		put_receiver(octets, play->looped[i] ? &play->unseen[i] : &play->receivers[i]);
		if (play->looped[i]) /* it sends nothing to the device */
			continue;
		put_sender(octets, sender, base_ot);
		put_records(octets, play, i, base_ot);
		if (sender_next_ot(sender) ==
		    UINT64_MAX) /* no frame of its tables leaves any more, whoever follows them */
			continue;
		if (post_follows(play->posts[i], sender->flags) ||
		    !put_contents(octets, &play->posts[i]->contents, sender->summary.flows))
			return false;
	}
	return true;
}

bool exchange_describe(struct play *play, uint64_t base_ot, struct octets *octets)
{
	uint64_t ids[DUT_MAX_PORTS], words = 0;
	size_t size;

	for (unsigned i = 0; i < play->port_count; i++) {
		ids[i] = play->directions[i].sender.next_id;
		words += PER_PORT + (uint64_t)PER_FLOW * play->directions[i].sender.summary.flows +
		         PER_RECORD * (ids[i] - exchange_oldest_inside(play, i));
	}
	octets->size = 0;
	if (!octets_reserve(octets, words * sizeof(uint64_t)) || !put_ports(play, base_ot, octets))
		return false;
	size = dut_device_state(play->device, base_ot, ids, octets->data + octets->size,
	                        octets->capacity - octets->size);
	if (size > octets->capacity - octets->size) {
		if (!octets_reserve(octets, octets->size + size))
			return false;
		dut_device_state(play->device, base_ot, ids, octets->data + octets->size,
		                 octets->capacity - octets->size);
	}
	octets->size += size;
	return size != 0;
}
