// SPDX-License-Identifier: Apache-2.0
/* The state of a direction at a moment. */
#include "sim/twin/skip/jump_state.h"

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/direction.h"
#include "sim/twin/skip/jump.h"

uint64_t jump_oldest_inside(const struct direction *direction)
{
	uint64_t oldest = dut_oldest_id(direction->dut);

	return oldest < direction->sender.next_id ? oldest : direction->sender.next_id;
}

static void put_sender(struct octets *octets, const struct sender *sender, uint64_t base_ot)
{
	octets_put(octets, sender->pacer.ideal_octets % GROUP_OCTETS);
	octets_put(octets, sender->pacer.fraction);
	octets_put(octets, sender->pacer.burst_left);
	octets_put(octets, sender->turns.turn);
	octets_put(octets, sender->bad_fcs_left);
	octets_put(octets, sender->meter.started);
	octets_put(octets, sender->meter.ended);
	octets_put(octets, base_ot - sender->meter.ended_ot);
}

/* Streams of its frames at the receiver, which are there as soon as a frame has been made. */
static const struct stream *streams_of(const struct direction *direction)
{
	return direction->receiver->streams[direction->sender.port];
}

bool jump_follows(const struct direction *direction, uint32_t flow)
{
	const struct receiver *receiver = direction->receiver;

	return receiver_expects(receiver->settings, direction->sender.port, flow) &&
	       direction->sender.tables.flow[flow].flags == 0;
}

uint64_t jump_behind(const struct direction *direction, uint32_t flow)
{
	if (!jump_follows(direction, flow))
		return 0;
	return direction->sender.sent[flow] - streams_of(direction)[flow].next;
}

/* Each stream, described by what its next frame will look like to the receiver. */
static void put_streams(struct octets *octets, const struct direction *direction, uint32_t flows)
{
	for (uint32_t i = 0; i < flows; i++) {
		octets_put(octets, jump_behind(direction, i));
		octets_put(octets, streams_of(direction)[i].window);
	}
}

/* The frames that the DUT holds: its state has their ids, this is their content. */
static void put_records(struct octets *octets, const struct direction *direction, uint64_t oldest, uint64_t base_ot)
{
	const struct sender *sender = &direction->sender;

	for (uint64_t id = oldest; id != sender->next_id; id++) {
		const struct record *record = &direction->records->ring[id & direction->records->mask];
		uint64_t entry = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);

		octets_put(octets, (base_ot - record->start) & RECORD_START_MASK);
		octets_put(octets, record->start & ~RECORD_START_MASK);
		octets_put(octets, sender->sent[entry] - (record->sequence & RECORD_SEQUENCE_MASK));
		octets_put(octets, record->sequence & ~RECORD_SEQUENCE_MASK);
	}
}

bool jump_describe(const struct direction *direction, struct octets *octets)
{
	enum { FIXED = 16, PER_STREAM = 2, PER_RECORD = 4 };
	const uint64_t base_ot = sender_next_ot(&direction->sender);
	const uint64_t base_id = direction->sender.next_id;
	const uint64_t oldest = jump_oldest_inside(direction);
	const uint32_t flows = direction->sender.summary.flows;
	size_t most = (FIXED + PER_STREAM * flows + PER_RECORD * (base_id - oldest)) * sizeof(uint64_t);
	size_t of_dut;

	octets->size = 0;
	/* A frame with an error character is one for which nothing is drawn. */
	if (direction->sender.flags & FLOW_CODE_ERROR && dut_spares(direction->dut, 0) != UINT64_MAX)
		return false;
	if (!octets_reserve(octets, most))
		return false;
	put_sender(octets, &direction->sender, base_ot);
	put_streams(octets, direction, flows);
	octets_put(octets, direction->receiver->counts.received != 0);
	octets_put(octets, direction->receiver->meter.started);
	octets_put(octets, direction->receiver->meter.ended);
	octets_put(octets, base_id - oldest);
	put_records(octets, direction, oldest, base_ot);

	of_dut = dut_state(direction->dut, base_ot, base_id, octets->data + octets->size,
	                   octets->capacity - octets->size);
	if (of_dut == 0)
		return false;
	if (of_dut > octets->capacity - octets->size) {
		if (!octets_reserve(octets, octets->size + of_dut))
			return false;
		dut_state(direction->dut, base_ot, base_id, octets->data + octets->size,
		          octets->capacity - octets->size);
	}
	octets->size += of_dut;
	return true;
}

bool jump_is_moment(const struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	const struct receiver *receiver = direction->receiver;
	uint64_t base_ot = sender_next_ot(sender);

	return base_ot != UINT64_MAX && sender->pending == 0 && sender->bad_fcs_pending == 0 &&
	       sender->uncounted_ot <= base_ot && sender->meter.from_ot <= base_ot && receiver->end == 0 &&
	       receiver->change_count == 0 && receiver->from_ot <= base_ot && receiver->meter.from_ot <= base_ot;
}
