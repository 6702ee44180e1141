// SPDX-License-Identifier: Apache-2.0
/* Passes frames, block by block, from the sender to the receiver. */
#include "sim/twin/play/direction.h"

#include "sim/twin/play/clocks.h"

int direction_init(struct direction *direction, unsigned port, struct records *records,
                   const struct direction_skips *skips)
{
	*direction = (struct direction){.records = records, .skips = skips};
	if (skips != NULL) {
		direction->skip = skips->make();
		if (direction->skip == NULL)
			return -1;
	}
	if (sender_init(&direction->sender, port) != 0)
		return -1;
	return records_init(records);
}

void direction_release(struct direction *direction)
{
	hold_release(&direction->sender.hold);
	records_release(direction->records);
	if (direction->skip != NULL)
		direction->skips->release(direction->skip);
}

/* Makes room for the records of a block. */
static int make_room(struct direction *direction)
{
	struct records *records = direction->records;
	uint64_t next = direction->sender.next_id, oldest;

	if (!records_full(records, next, SENDER_BLOCK_FRAMES))
		return 0;
	oldest = dut_oldest_id(direction->dut);
	oldest = receiver_oldest_id(direction->receiver, 0, oldest < next ? oldest : next);
	letters_drop_below(&direction->post->sent, oldest);
	return records_drop(records, oldest, next, SENDER_BLOCK_FRAMES);
}

/* The octets of frames without our signature go with them: at most all of a block. */
static int send_letters(struct direction *direction, size_t made)
{
	const struct sender *sender = &direction->sender;
	const struct dut_frame *frames = sender->block + sender->pending;
	uint8_t none;

	if (!post_follows(direction->post, sender->flags))
		return 0;
	for (size_t i = 0; i < made; i++) {
		const struct record *record = records_find(direction->records, &frames[i]);

		if ((direction->post->follows_all || record->start & RECORD_UNSIGNED) &&
		    post_sent(direction->post, record, &frames[i], &none, 0) != 0)
			return -1;
	}
	return 0;
}

static int deliver_letters(struct direction *direction, const struct dut_frame *out, size_t given)
{
	if (letters_empty(&direction->post->sent))
		return 0;
	for (size_t i = 0; i < given; i++)
		if (records_find(direction->records, &out[i])->start & RECORD_UNSIGNED &&
		    post_arrives(direction->post, &out[i], direction->receiver, NULL, 0) != 0)
			return -1;
	return 0;
}

/* Passes a block through the DUT into the queue of the receiver. */
static int pass(struct direction *direction, const struct dut_frame *in, size_t count, uint64_t known_ot)
{
	enum { ROOM = 2 * SENDER_BLOCK_FRAMES };
	size_t given;

	do {
		struct dut_frame *out = receiver_room(direction->receiver, ROOM);
		size_t taken = count;

		if (out == NULL)
			return -1;
		given = dut_pass(direction->dut, in, &taken, known_ot, out, ROOM);
		if (deliver_letters(direction, out, given) != 0)
			return -1;
		direction->receiver->end += given;
		in += taken;
		count -= taken;
	} while (given == ROOM);
	return 0;
}

/* The frames of a block that arrive at the DUT. */
static size_t copy_whole(const struct dut_frame *frames, size_t count, struct dut_frame *whole)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (!(frames[i].flags & DUT_FRAME_BROKEN))
			whole[left++] = frames[i];
	return left;
}

static int pass_made(struct direction *direction, size_t made, uint64_t known_ot)
{
	const struct sender *sender = &direction->sender;
	const struct dut_frame *frames = sender->block + sender->pending;
	struct dut_frame whole[SENDER_BLOCK_FRAMES];
	uint64_t delay_ot;

	if (!(sender->flags & FLOW_CODE_ERROR) || dut_delays_line(direction->dut, &delay_ot))
		return pass(direction, frames, made, known_ot);
	return pass(direction, whole, copy_whole(frames, made, whole), known_ot);
}

/* until_ot: makes the frames that start before this time. */
static int play(struct direction *direction, uint64_t clock, uint64_t until_ot, bool to_the_end)
{
	const struct direction_skips *skips = direction->skips;
	struct sender *sender = &direction->sender;
	size_t made;

	do {
		uint64_t known_ot;
		size_t room = SENDER_BLOCK_FRAMES;

		if (skips != NULL && skips->ahead(direction, clock, to_the_end))
			return 0;
		if (skips != NULL)
			room = skips->frames(direction, room);
		if (make_room(direction) != 0)
			return -1;
		made = sender_make(sender, direction->records, until_ot, room, false);
		if (made != 0 && receiver_admit(direction->receiver, sender->port) != 0)
			return -1;
		if (send_letters(direction, made) != 0)
			return -1;
		known_ot = sender_next_ot(sender);
		if (known_ot > until_ot)
			known_ot = until_ot;
		if (skips != NULL)
			skips->pass(direction, made);
		if (pass_made(direction, made, known_ot) != 0)
			return -1;
		sender_measure(sender, made, clock);
		receiver_count(direction->receiver, direction->records,
		               direction->map != NULL ? cable_clock(direction->map, clock) : clock);
		if (skips != NULL)
			skips->look(direction, made);
	} while (made != 0);
	return 0;
}

int direction_play(struct direction *direction, uint64_t clock, bool to_the_end)
{
	return play(direction, clock, (clock + TX_COUNT_LEAD + 1) * WORD_OCTETS, to_the_end);
}

int direction_play_ahead(struct direction *direction, uint64_t clock, uint64_t word)
{
	return play(direction, clock, (word + 1) * WORD_OCTETS, true);
}

int direction_play_until(struct direction *direction, uint64_t clock, uint64_t until_ot)
{
	return play(direction, clock, until_ot, true);
}

void direction_start(struct direction *direction, const struct sender_settings *settings, uint64_t clock)
{
	sender_start(&direction->sender, settings, clock);
	sender_start_connections(&direction->sender, clock);
	if (direction->skips != NULL)
		direction->skips->start(direction);
}

void direction_disturb(struct direction *direction)
{
	if (direction->skips != NULL)
		direction->skips->forget(direction);
}
