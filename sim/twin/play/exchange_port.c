// SPDX-License-Identifier: Apache-2.0
/* Frames on their way into a device and out of it, block by block. */
#include "sim/twin/play/exchange_port.h"

#include <string.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"
#include "sim/twin/play/play_state.h"

struct receiver *exchange_receiver(struct play *play, unsigned port)
{
	return play->looped[port] ? &play->unseen[port] : &play->receivers[port];
}

uint64_t exchange_oldest_inside(const struct play *play, unsigned port)
{
	const uint64_t oldest = dut_device_oldest_id(play->device, port);
	const uint64_t next = play->directions[port].sender.next_id;

	return oldest < next ? oldest : next;
}

uint64_t exchange_disturbances(const struct play *play)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < play->port_count; i++)
		sum += play->directions[i].sender.pacer.phase + play->directions[i].sender.rules.begun;
	return sum;
}

bool exchange_may_hold(const struct play *play)
{
	if (!dut_device_speaks(play->device))
		return false;
	for (unsigned i = 0; i < play->port_count; i++)
		if (!play->looped[i] && play->directions[i].sender.hold.obeys)
			return true;
	return false;
}

/* True if what is not known yet can still change when a frame starts. */
static bool some_may_be_held(const struct play *play)
{
	for (unsigned i = 0; exchange_may_hold(play) && i < play->port_count; i++) {
		const struct sender *sender = &play->directions[i].sender;

		if (!play->looped[i] && sender->hold.obeys && sender_has_due(sender) &&
		    play->exchanged_ot < sender->end_ot)
			return true;
	}
	return false;
}

uint64_t exchange_window_end_ot(const struct play *play, uint64_t until_ot)
{
	const uint64_t answers_ot = play->exchanged_ot + CONNECTIONS_WINDOW_WORDS * WORD_OCTETS;
	uint64_t next_ot = UINT64_MAX;

	if (play->tcp && until_ot > answers_ot)
		until_ot = answers_ot;

	if (some_may_be_held(play)) {
		const uint64_t known_ot = (play->exchanged_ot / WORD_OCTETS + TX_HOLD_LAG) * WORD_OCTETS;

		return known_ot < until_ot ? known_ot : until_ot;
	}
	for (unsigned i = 0; i < play->port_count; i++)
		if (!play->looped[i] && sender_next_ot(&play->directions[i].sender) < next_ot)
			next_ot = sender_next_ot(&play->directions[i].sender);
	return next_ot < until_ot && until_ot - next_ot > EXCHANGE_WINDOW_OT ? next_ot + EXCHANGE_WINDOW_OT : until_ot;
}

int exchange_make_room(struct play *play, unsigned port, uint64_t oldest)
{
	struct records *records = &play->records[port];
	const uint64_t next = play->directions[port].sender.next_id;

	if (!records_full(records, next, SENDER_BLOCK_FRAMES))
		return 0;
	if (oldest > next)
		oldest = next;
	for (unsigned i = 0; i < play->port_count; i++)
		oldest = receiver_oldest_id(exchange_receiver(play, i), port, oldest);
	letters_drop_below(&play->posts[port]->sent, oldest);
	return records_drop(records, oldest, next, SENDER_BLOCK_FRAMES);
}

/* -- into the device ----------------------------------------------------------------------------------------------- */

bool exchange_is_plain(const struct play *play)
{
	for (unsigned i = 0; i < play->port_count; i++)
		if (play->posts[i]->follows || !letters_empty(&play->posts[i]->sent))
			return false;
	return dut_device_reads_addresses(play->device) && !dut_device_speaks(play->device);
}

/* Puts frames with any contents: those that vary are made here, and one that does not end as it should never arrives
 * whole at the device. */
static void put_block(struct play *play, unsigned port, const struct dut_frame *frames, size_t count)
{
	struct contents *contents = &play->posts[port]->contents;
	struct dut_addresses addresses[SENDER_BLOCK_FRAMES];
	struct dut_frame whole[SENDER_BLOCK_FRAMES];
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		uint8_t header[CONTENTS_OCTETS];

		contents_take(contents, frames[i].from, frames[i].octets, header);
		addresses[left] = dut_addresses_of(header);
		whole[left] = frames[i];
		whole[left].from = (uint16_t)left;
		left += !(frames[i].flags & DUT_FRAME_BROKEN);
	}
	dut_device_put_many(play->device, port, whole, left, addresses);
}

void exchange_put(struct play *play, unsigned port, const struct dut_frame *frames, size_t count)
{
	const struct contents *contents = &play->posts[port]->contents;

	if (contents->constant && !(play->directions[port].sender.flags & FLOW_CODE_ERROR)) {
		dut_device_put_many(play->device, port, frames, count, contents->addresses);
		return;
	}
	for (size_t i = 0; i < count; i += SENDER_BLOCK_FRAMES)
		put_block(play, port, frames + i, count - i < SENDER_BLOCK_FRAMES ? count - i : SENDER_BLOCK_FRAMES);
}

/* True if more of a frame is of interest than its addresses. */
static bool is_read(const struct play *play, unsigned port, const struct record *record)
{
	const struct post *post = play->posts[port];

	return post->follows_all || (post->follows && record->start & RECORD_UNSIGNED) ||
	       play->device->header_octets > CONTENTS_OCTETS;
}

/* Makes what the device reads of the next frame. 0, or -1: out of memory. */
static int make_header(struct play *play, unsigned port, const struct record *record, const struct dut_frame *frame,
                       uint8_t *header)
{
	struct post *post = play->posts[port];
	const uint32_t flow = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);

	if (is_read(play, port, record))
		return post_sent(post, record, frame, header, play->device->header_octets);
	contents_take(&post->contents, flow, frame->octets, header);
	return 0;
}

/* The frames just made, some of which somebody looks into. 0, or -1: out of memory. */
static int put_read(struct play *play, unsigned port, size_t made)
{
	const struct sender *sender = &play->directions[port].sender;
	const struct records *records = &play->records[port];
	uint8_t header[DUT_HEADER_OCTETS] = {0}; /* no device reads beyond the addresses */

	for (size_t i = 0; i < made; i++) {
		const struct dut_frame *frame = &sender->block[sender->pending + i];

		if (make_header(play, port, &records->ring[frame->id & records->mask], frame, header) != 0)
			return -1;
		if (!(frame->flags & DUT_FRAME_BROKEN))
			dut_device_put(play->device, port, frame, header);
	}
	return 0;
}

int exchange_send(struct play *play, unsigned port, uint64_t clock, uint64_t until_ot)
{
	const bool plain = dut_device_reads_addresses(play->device) && !play->posts[port]->follows;
	struct sender *sender = &play->directions[port].sender;
	size_t made;

	do {
		if (exchange_make_room(play, port, dut_device_oldest_id(play->device, port)) != 0)
			return -1;
		made = sender_make(sender, &play->records[port], until_ot, SENDER_BLOCK_FRAMES, true);
		if (plain)
			exchange_put(play, port, sender->block + sender->pending, made);
		else if (put_read(play, port, made) != 0)
			return -1;
		sender_measure(sender, made, clock);
	} while (made != 0);
	return 0;
}

/* -- out of it ----------------------------------------------------------------------------------------------------- */

int exchange_admit(struct receiver *receiver, const struct dut_frame *frames, size_t count)
{
	bool sends[DUT_MAX_PORTS] = {false};

#pragma GCC unroll 4
	for (size_t i = 0; i < count; i++)
		sends[frames[i].from] = true;
	for (unsigned i = 0; i < DUT_MAX_PORTS; i++)
		if (sends[i] && receiver_admit(receiver, i) != 0)
			return -1;
	return 0;
}

/* A frame that the device has made may be a pause frame (IEEE 802.3 annex 31B). 0, or -1: out of memory. */
static int heed(struct play *play, unsigned port, const struct dut_frame *frame, uint64_t clock)
{
	enum { TYPE_OCTETS = 4, QUANTA = 16 };
	static const uint8_t ADDRESS[MAC_OCTETS] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
	static const uint8_t TYPE_AND_OPCODE[TYPE_OCTETS] = {0x88, 0x08, 0x00, 0x01};
	struct sender *sender = &play->directions[port].sender;
	const uint64_t next_ot = sender_has_due(sender) ? sender_due_ot(sender) : play->exchanged_ot;
	uint8_t octets[DUT_OWN_OCTETS] = {0};

	dut_device_own(play->device, port, frame, octets);
	if (memcmp(octets, ADDRESS, sizeof(ADDRESS)) != 0 ||
	    memcmp(octets + AT_TYPE, TYPE_AND_OPCODE, sizeof(TYPE_AND_OPCODE)) != 0)
		return 0;
	return hold_pause(&sender->hold,
	                  &(struct hold_pause){.start_word = frame->start_ot / WORD_OCTETS,
	                                       .end_word = dut_frame_end_ot(frame) / WORD_OCTETS,
	                                       .quanta = get_be16(octets + QUANTA)},
	                  next_ot / WORD_OCTETS, clock);
}

/* A frame at the end of the queue of a receiver. 0, or -1: out of memory. */
static int admit_read(struct play *play, unsigned port, struct receiver *receiver, struct dut_frame *frame,
                      uint64_t clock)
{
	if (frame->flags & DUT_FRAME_OWN && !play->looped[port] && heed(play, port, frame, clock) != 0)
		return -1;
	if (frame->flags & DUT_FRAME_OWN)
		return post_arrives_own(frame, receiver, play->device, port);
	if (records_find(play->records, frame)->start & RECORD_UNSIGNED &&
	    post_arrives(play->posts[frame->from], frame, receiver, play->device, port) != 0)
		return -1;
	frame->flags &= (uint16_t)~DUT_FRAME_REWRITTEN;
	return receiver_admit(receiver, frame->from);
}

/* Returns whether more of some frames is needed than their addresses, or the device sends some of its own. */
static bool some_are_read(const struct play *play)
{
	for (unsigned i = 0; i < play->port_count; i++)
		if (!letters_empty(&play->posts[i]->sent))
			return true;
	return play->device->header_octets > CONTENTS_OCTETS || dut_device_speaks(play->device);
}

static int admit(struct play *play, unsigned port, struct receiver *receiver, struct dut_frame *frames, size_t count,
                 uint64_t clock)
{
	if (!some_are_read(play))
		return exchange_admit(receiver, frames, count);
	for (size_t i = 0; i < count; i++)
		if (admit_read(play, port, receiver, &frames[i], clock) != 0)
			return -1;
	return 0;
}

int exchange_receive(struct play *play, unsigned port, uint64_t clock)
{
	struct receiver *receiver = exchange_receiver(play, port);
	size_t given;

	do {
		struct dut_frame *out = receiver_room(receiver, SENDER_BLOCK_FRAMES);

		if (out == NULL)
			return -1;
		given = dut_device_take(play->device, port, out, SENDER_BLOCK_FRAMES);
		if (admit(play, port, receiver, out, given, clock) != 0)
			return -1;
		receiver->end += given;
	} while (given == SENDER_BLOCK_FRAMES);
	receiver_count(receiver, play->records, clock);
	return 0;
}
