// SPDX-License-Identifier: Apache-2.0
/* Frames on their way into a device and out of it, block by block. */
#include "sim/twin/exchange_port.h"

#include <string.h>

#include "sim/twin/twin.h"

struct receiver *exchange_receiver(struct twin *twin, unsigned port)
{
	return twin->looped[port] ? &twin->unseen[port] : &twin->receivers[port];
}

uint64_t exchange_oldest_inside(const struct twin *twin, unsigned port)
{
	const uint64_t oldest = dut_device_oldest_id(twin->device, port);
	const uint64_t next = twin->directions[port].sender.next_id;

	return oldest < next ? oldest : next;
}

uint64_t exchange_disturbances(const struct twin *twin)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < twin->port_count; i++)
		sum += twin->directions[i].sender.pacer.phase + twin->directions[i].sender.rules.begun;
	return sum;
}

bool exchange_may_hold(const struct twin *twin)
{
	if (!dut_device_speaks(twin->device))
		return false;
	for (unsigned i = 0; i < twin->port_count; i++)
		if (!twin->looped[i] && twin->directions[i].sender.hold.obeys)
			return true;
	return false;
}

/* Whether what is not known yet may change when a frame starts. */
static bool some_may_be_held(const struct twin *twin)
{
	for (unsigned i = 0; exchange_may_hold(twin) && i < twin->port_count; i++) {
		const struct sender *sender = &twin->directions[i].sender;

		if (!twin->looped[i] && sender->hold.obeys && sender_has_due(sender) &&
		    twin->exchanged_ot < sender->end_ot)
			return true;
	}
	return false;
}

uint64_t exchange_window_end_ot(const struct twin *twin, uint64_t until_ot)
{
	const uint64_t answers_ot = twin->exchanged_ot + CONNECTIONS_WINDOW_WORDS * WORD_OCTETS;
	uint64_t next_ot = UINT64_MAX;

	if (twin->tcp && until_ot > answers_ot)
		until_ot = answers_ot;

	if (some_may_be_held(twin)) {
		const uint64_t known_ot = (twin->exchanged_ot / WORD_OCTETS + TX_HOLD_LAG) * WORD_OCTETS;

		return known_ot < until_ot ? known_ot : until_ot;
	}
	for (unsigned i = 0; i < twin->port_count; i++)
		if (!twin->looped[i] && sender_next_ot(&twin->directions[i].sender) < next_ot)
			next_ot = sender_next_ot(&twin->directions[i].sender);
	return next_ot < until_ot && until_ot - next_ot > EXCHANGE_WINDOW_OT ? next_ot + EXCHANGE_WINDOW_OT : until_ot;
}

int exchange_make_room(struct twin *twin, unsigned port, uint64_t oldest)
{
	struct records *records = &twin->records[port];
	const uint64_t next = twin->directions[port].sender.next_id;

	if (!records_full(records, next, SENDER_BLOCK_FRAMES))
		return 0;
	if (oldest > next)
		oldest = next;
	for (unsigned i = 0; i < twin->port_count; i++)
		oldest = receiver_oldest_id(exchange_receiver(twin, i), port, oldest);
	letters_drop_below(&twin->posts[port]->sent, oldest);
	return records_drop(records, oldest, next, SENDER_BLOCK_FRAMES);
}

/* -- into the device ----------------------------------------------------------------------------------------------- */

bool exchange_is_plain(const struct twin *twin)
{
	for (unsigned i = 0; i < twin->port_count; i++)
		if (twin->posts[i]->follows || !letters_empty(&twin->posts[i]->sent))
			return false;
	return dut_device_reads_addresses(twin->device) && !dut_device_speaks(twin->device);
}

/* Whatever is in the frames: those that vary are made here, and one that does not end as it should never arrives whole
 * at the device. */
static void put_block(struct twin *twin, unsigned port, const struct dut_frame *frames, size_t count)
{
	struct contents *contents = &twin->posts[port]->contents;
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
	dut_device_put_many(twin->device, port, whole, left, addresses);
}

void exchange_put(struct twin *twin, unsigned port, const struct dut_frame *frames, size_t count)
{
	const struct contents *contents = &twin->posts[port]->contents;

	if (contents->constant && !(twin->directions[port].sender.flags & FLOW_CODE_ERROR)) {
		dut_device_put_many(twin->device, port, frames, count, contents->addresses);
		return;
	}
	for (size_t i = 0; i < count; i += SENDER_BLOCK_FRAMES)
		put_block(twin, port, frames + i, count - i < SENDER_BLOCK_FRAMES ? count - i : SENDER_BLOCK_FRAMES);
}

/* True if more of a frame is of interest than its addresses. */
static bool is_read(const struct twin *twin, unsigned port, const struct record *record)
{
	const struct post *post = twin->posts[port];

	return post->follows_all || (post->follows && record->start & RECORD_UNSIGNED) ||
	       twin->device->header_octets > CONTENTS_OCTETS;
}

/* What the device reads of the next frame. 0, or -1: out of memory. */
static int make_header(struct twin *twin, unsigned port, const struct record *record, const struct dut_frame *frame,
                       uint8_t *header)
{
	struct post *post = twin->posts[port];
	const uint32_t flow = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);

	if (is_read(twin, port, record))
		return post_sent(post, record, frame, header, twin->device->header_octets);
	contents_take(&post->contents, flow, frame->octets, header);
	return 0;
}

/* The frames just made, some of which somebody looks into. 0, or -1: out of memory. */
static int put_read(struct twin *twin, unsigned port, size_t made)
{
	const struct sender *sender = &twin->directions[port].sender;
	const struct records *records = &twin->records[port];
	uint8_t header[DUT_HEADER_OCTETS] = {0}; /* beyond the addresses no device reads */

	for (size_t i = 0; i < made; i++) {
		const struct dut_frame *frame = &sender->block[sender->pending + i];

		if (make_header(twin, port, &records->ring[frame->id & records->mask], frame, header) != 0)
			return -1;
		if (!(frame->flags & DUT_FRAME_BROKEN))
			dut_device_put(twin->device, port, frame, header);
	}
	return 0;
}

int exchange_send(struct twin *twin, unsigned port, uint64_t clock, uint64_t until_ot)
{
	const bool plain = dut_device_reads_addresses(twin->device) && !twin->posts[port]->follows;
	struct sender *sender = &twin->directions[port].sender;
	size_t made;

	do {
		if (exchange_make_room(twin, port, dut_device_oldest_id(twin->device, port)) != 0)
			return -1;
		made = sender_make(sender, &twin->records[port], until_ot, SENDER_BLOCK_FRAMES, true);
		if (plain)
			exchange_put(twin, port, sender->block + sender->pending, made);
		else if (put_read(twin, port, made) != 0)
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
static int heed(struct twin *twin, unsigned port, const struct dut_frame *frame, uint64_t clock)
{
	enum { ADDRESS_OCTETS = 6, TYPE = 12, TYPE_OCTETS = 4, QUANTA = 16 };
	static const uint8_t ADDRESS[ADDRESS_OCTETS] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
	static const uint8_t TYPE_AND_OPCODE[TYPE_OCTETS] = {0x88, 0x08, 0x00, 0x01};
	struct sender *sender = &twin->directions[port].sender;
	const uint64_t next_ot = sender_has_due(sender) ? sender_due_ot(sender) : twin->exchanged_ot;
	uint8_t octets[DUT_OWN_OCTETS] = {0};

	dut_device_own(twin->device, port, frame, octets);
	if (memcmp(octets, ADDRESS, sizeof(ADDRESS)) != 0 ||
	    memcmp(octets + TYPE, TYPE_AND_OPCODE, sizeof(TYPE_AND_OPCODE)) != 0)
		return 0;
	return hold_pause(&sender->hold,
	                  &(struct hold_pause){.start_word = frame->start_ot / WORD_OCTETS,
	                                       .end_word = dut_frame_end_ot(frame) / WORD_OCTETS,
	                                       .quanta = (uint32_t)(octets[QUANTA] << 8 | octets[QUANTA + 1])},
	                  next_ot / WORD_OCTETS, clock);
}

/* A frame at the end of the queue of a receiver. 0, or -1: out of memory. */
static int admit_read(struct twin *twin, unsigned port, struct receiver *receiver, struct dut_frame *frame,
                      uint64_t clock)
{
	if (frame->flags & DUT_FRAME_OWN && !twin->looped[port] && heed(twin, port, frame, clock) != 0)
		return -1;
	if (frame->flags & DUT_FRAME_OWN)
		return post_arrives_own(frame, receiver, twin->device, port);
	if (records_find(twin->records, frame)->start & RECORD_UNSIGNED &&
	    post_arrives(twin->posts[frame->from], frame, receiver, twin->device, port) != 0)
		return -1;
	frame->flags &= (uint16_t)~DUT_FRAME_REWRITTEN;
	return receiver_admit(receiver, frame->from);
}

/* True if more than addresses is of interest of some frames between the ports, or some are of the device itself. */
static bool some_are_read(const struct twin *twin)
{
	for (unsigned i = 0; i < twin->port_count; i++)
		if (!letters_empty(&twin->posts[i]->sent))
			return true;
	return twin->device->header_octets > CONTENTS_OCTETS || dut_device_speaks(twin->device);
}

static int admit(struct twin *twin, unsigned port, struct receiver *receiver, struct dut_frame *frames, size_t count,
                 uint64_t clock)
{
	if (!some_are_read(twin))
		return exchange_admit(receiver, frames, count);
	for (size_t i = 0; i < count; i++)
		if (admit_read(twin, port, receiver, &frames[i], clock) != 0)
			return -1;
	return 0;
}

int exchange_receive(struct twin *twin, unsigned port, uint64_t clock)
{
	struct receiver *receiver = exchange_receiver(twin, port);
	size_t given;

	do {
		struct dut_frame *out = receiver_room(receiver, SENDER_BLOCK_FRAMES);

		if (out == NULL)
			return -1;
		given = dut_device_take(twin->device, port, out, SENDER_BLOCK_FRAMES);
		if (admit(twin, port, receiver, out, given, clock) != 0)
			return -1;
		receiver->end += given;
	} while (given == SENDER_BLOCK_FRAMES);
	receiver_count(receiver, twin->records, clock);
	return 0;
}
