// SPDX-License-Identifier: Apache-2.0
/* A device that reads frames stands between all ports, so that these are played together: in windows of time, the
 * frames of every sender go into it, and what leaves goes to the receivers. A port in loopback has no part in that: it
 * sends nothing to the device, and what the device sends to it, nobody sees. */
#include "sim/twin/clocks.h"
#include "sim/twin/twin.h"

/* Long enough for blocks of frames to be worth it, short enough for them to stay in the cache. */
enum { WINDOW_OT = 16384 };

bool twin_exchanges(const struct twin *twin, unsigned port)
{
	return twin->device->reads_frames && !twin->looped[port];
}

static struct receiver *receiver_of(struct twin *twin, unsigned port)
{
	return twin->looped[port] ? &twin->unseen[port] : &twin->receivers[port];
}

/* Room for the records of a block. */
static int make_room(struct twin *twin, unsigned port)
{
	struct records *records = &twin->records[port];
	const uint64_t next = twin->directions[port].sender.next_id;
	uint64_t oldest;

	if (!records_full(records, next, SENDER_BLOCK_FRAMES))
		return 0;
	oldest = dut_device_oldest_id(twin->device, port);
	if (oldest > next)
		oldest = next;
	for (unsigned i = 0; i < twin->port_count; i++)
		oldest = receiver_oldest_id(receiver_of(twin, i), port, oldest);
	return records_drop(records, oldest, next, SENDER_BLOCK_FRAMES);
}

/* A frame that does not end as it should never arrives whole at the device. */
static void put(struct twin *twin, unsigned port, const struct dut_frame *sent)
{
	const struct records *records = &twin->records[port];
	const struct record *record = &records->ring[sent->id & records->mask];
	const uint32_t flow = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);
	uint8_t header[DUT_HEADER_OCTETS] = {0}; /* beyond the addresses no device reads */
	struct dut_frame frame = *sent;

	contents_take(twin->contents[port], flow, frame.octets, header);
	if (frame.flags & DUT_FRAME_BROKEN)
		return;
	if (record->start & RECORD_BAD_FCS)
		frame.flags |= DUT_FRAME_BAD_FCS;
	dut_device_put(twin->device, port, &frame, header);
}

/* Puts in the frames of a port that start before until_ot. */
static int send(struct twin *twin, unsigned port, uint64_t clock, uint64_t until_ot)
{
	struct sender *sender = &twin->directions[port].sender;
	size_t made;

	do {
		if (make_room(twin, port) != 0)
			return -1;
		made = sender_make(sender, &twin->records[port], until_ot, SENDER_BLOCK_FRAMES);
		for (size_t i = 0; i < made; i++)
			put(twin, port, &sender->block[sender->pending + i]);
		sender_measure(sender, made, clock);
	} while (made != 0);
	return 0;
}

static int receive(struct twin *twin, unsigned port, uint64_t clock)
{
	struct receiver *receiver = receiver_of(twin, port);
	size_t given;

	do {
		struct dut_frame *out = receiver_room(receiver, SENDER_BLOCK_FRAMES);

		if (out == NULL)
			return -1;
		given = dut_device_take(twin->device, port, out, SENDER_BLOCK_FRAMES);
		for (size_t i = 0; i < given; i++)
			if (receiver_admit(receiver, out[i].from) != 0)
				return -1;
		receiver->end += given;
	} while (given == SENDER_BLOCK_FRAMES);
	receiver_count(receiver, twin->records, clock);
	return 0;
}

/* End of the next window: without frames before until_ot, that. */
static uint64_t window_end_ot(const struct twin *twin, uint64_t until_ot)
{
	uint64_t next_ot = UINT64_MAX;

	for (unsigned i = 0; i < twin->port_count; i++)
		if (!twin->looped[i] && sender_next_ot(&twin->directions[i].sender) < next_ot)
			next_ot = sender_next_ot(&twin->directions[i].sender);
	return next_ot < until_ot && until_ot - next_ot > WINDOW_OT ? next_ot + WINDOW_OT : until_ot;
}

static int play_window(struct twin *twin, uint64_t clock, uint64_t end_ot)
{
	for (unsigned i = 0; i < twin->port_count; i++)
		if (!twin->looped[i] && send(twin, i, clock, end_ot) != 0)
			return -1;
	dut_device_known(twin->device, end_ot);
	for (unsigned i = 0; i < twin->port_count; i++)
		if (receive(twin, i, clock) != 0)
			return -1;
	return twin->device->failed ? -1 : 0;
}

/* Makes the frames that start before until_ot. Promises to the device never go back, so a request for less than has
 * been made is one for as much. */
static int exchange(struct twin *twin, uint64_t clock, uint64_t until_ot)
{
	uint64_t end_ot;

	if (clock <= twin->exchanged_clock && until_ot <= twin->exchanged_ot)
		return 0;
	if (until_ot < twin->exchanged_ot)
		until_ot = twin->exchanged_ot;
	do {
		end_ot = window_end_ot(twin, until_ot);
		if (play_window(twin, clock, end_ot) != 0)
			return -1;
	} while (end_ot != until_ot);
	twin->exchanged_clock = clock;
	twin->exchanged_ot = until_ot;
	return 0;
}

bool twin_play_port(struct twin *twin, unsigned port, uint64_t clock, bool to_the_end)
{
	const bool done = twin_exchanges(twin, port)
	                          ? exchange(twin, clock, (clock + TX_COUNT_LEAD + 1) * WORD_OCTETS) == 0
	                          : direction_play(&twin->directions[port], clock, to_the_end) == 0;

	return done || twin_fail(twin, "out of memory for the frames in the DUT");
}

bool twin_play_port_ahead(struct twin *twin, unsigned port, uint64_t clock, uint64_t word)
{
	const bool done = twin_exchanges(twin, port) ? exchange(twin, clock, (word + 1) * WORD_OCTETS) == 0
	                                             : direction_play_ahead(&twin->directions[port], clock, word) == 0;

	return done || twin_fail(twin, "out of memory for the frames in the DUT");
}

bool twin_exchange_at_rest(struct twin *twin, unsigned port)
{
	if (dut_device_oldest_id(twin->device, port) != UINT64_MAX || receiver_of(twin, port)->end != 0)
		return false;
	for (unsigned i = 0; i < twin->port_count; i++)
		if (receiver_oldest_id(receiver_of(twin, i), port, UINT64_MAX) != UINT64_MAX)
			return false;
	return true;
}
