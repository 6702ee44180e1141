// SPDX-License-Identifier: Apache-2.0
/* Moments, periods and jumps of a direction. */
#include "sim/twin/jump.h"

#include <stdlib.h>
#include <string.h>

#include "sim/twin/clocks.h"
#include "sim/twin/direction.h"

enum {
	LEAST_SPACING_FRAMES = 256,
	CREDIT_PER_FRAME = 8, /* octets of state: at some GB/s a fraction of the time that playing a frame takes */
};

static const uint64_t MOST_SPACING_FRAMES = UINT64_C(1) << 40;

void jump_release(struct jump *jump)
{
	free(jump->saved.state.data);
	free(jump->now.data);
	jump->saved.state = jump->now = (struct octets){0};
}

void jump_forget(struct jump *jump)
{
	jump->ready = false;
	jump->looks = 0;
	jump->renew = 1;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* 0 is beyond all bounds, and stays so. */
static uint64_t least_common_multiple(uint64_t a, uint64_t b)
{
	uint64_t product;

	if (a == 0 || b == 0 || __builtin_mul_overflow(a, b / gcd(a, b), &product) || product > MOST_SPACING_FRAMES)
		return 0;
	return product;
}

void jump_start(struct jump *jump, const struct sender *sender)
{
	const struct sender_settings *settings = &sender->settings;
	uint64_t period = pacer_period_frames(&settings->pacer);

	jump_forget(jump);
	if (!settings->random && settings->destinations - 1 < SENDER_ENTRIES)
		period = least_common_multiple(period, settings->destinations);
	else if (!settings->random)
		period = least_common_multiple(period, SENDER_ENTRIES);
	else if (settings->destinations > 1)
		period = 0; /* drawn */
	if (settings->bad_fcs_every != 0)
		period = least_common_multiple(period, settings->bad_fcs_every);
	if (period == 0 || !jump->enabled || period > sender->frames / 2)
		jump->spacing_frames = 0;
	else
		jump->spacing_frames = (LEAST_SPACING_FRAMES + period - 1) / period * period;
}

size_t jump_frames(const struct jump *jump, const struct sender *sender, size_t most)
{
	uint64_t left;

	if (jump->spacing_frames == 0)
		return most;
	left = jump->spacing_frames - sender->pacer.frame % jump->spacing_frames;
	return left < most ? (size_t)left : most;
}

/* -- moments ------------------------------------------------------------------------------------------------------ */

static bool reserve(struct octets *octets, size_t size)
{
	uint8_t *data;

	if (size <= octets->capacity)
		return true;
	data = realloc(octets->data, 2 * size);
	if (data == NULL)
		return false;
	octets->data = data;
	octets->capacity = 2 * size;
	return true;
}

/* There must be room. */
static void put(struct octets *octets, uint64_t value)
{
	memcpy(octets->data + octets->size, &value, sizeof(value));
	octets->size += sizeof(value);
}

static uint64_t oldest_inside(const struct direction *direction)
{
	uint64_t oldest = dut_oldest_id(direction->dut);

	return oldest < direction->sender.next_id ? oldest : direction->sender.next_id;
}

static uint64_t entries_in_use(const struct sender *sender)
{
	uint64_t entries = sender->settings.destinations;

	return entries - 1 < SENDER_ENTRIES ? entries : SENDER_ENTRIES;
}

static void put_sender(struct octets *octets, const struct sender *sender, uint64_t base_ot)
{
	put(octets, sender->pacer.ideal_octets % GROUP_OCTETS);
	put(octets, sender->pacer.fraction);
	put(octets, sender->pacer.burst_left);
	put(octets, sender->turn);
	put(octets, sender->bad_fcs_left);
	put(octets, sender->meter.started);
	put(octets, sender->meter.ended);
	put(octets, base_ot - sender->meter.ended_ot);
}

/* A stream by what its next frame will be to the receiver. */
static void put_streams(struct octets *octets, const struct direction *direction, uint64_t entries)
{
	for (uint64_t i = 0; i < entries; i++) {
		const struct stream *stream = &direction->receiver.counts.streams[i];

		put(octets, direction->sender.sent[i] - stream->next);
		put(octets, stream->window);
	}
}

/* Frames that the DUT holds: it names them, here is what they are. */
static void put_records(struct octets *octets, const struct direction *direction, uint64_t oldest, uint64_t base_ot)
{
	const struct sender *sender = &direction->sender;

	for (uint64_t id = oldest; id != sender->next_id; id++) {
		const struct record *record = &direction->records.ring[id & direction->records.mask];
		uint64_t entry = record->sequence >> RECORD_ENTRY_LSB & (SENDER_ENTRIES - 1);

		put(octets, base_ot - (record->start & RECORD_START_MASK));
		put(octets, record->start & ~RECORD_START_MASK);
		put(octets, sender->sent[entry] - (record->sequence & RECORD_SEQUENCE_MASK));
		put(octets, record->sequence & ~RECORD_SEQUENCE_MASK);
	}
}

/* Writes the state down; false when it cannot be or must not be jumped over. */
static bool describe(const struct direction *direction, struct octets *octets)
{
	enum { FIXED = 16, PER_STREAM = 2, PER_RECORD = 4 };
	const uint64_t base_ot = sender_next_ot(&direction->sender);
	const uint64_t base_id = direction->sender.next_id;
	const uint64_t oldest = oldest_inside(direction);
	const uint64_t entries = entries_in_use(&direction->sender);
	size_t most = (FIXED + PER_STREAM * entries + PER_RECORD * (base_id - oldest)) * sizeof(uint64_t);
	size_t of_dut;

	octets->size = 0;
	if (!reserve(octets, most))
		return false;
	put_sender(octets, &direction->sender, base_ot);
	put_streams(octets, direction, entries);
	put(octets, direction->receiver.counts.received != 0);
	put(octets, direction->receiver.meter.started);
	put(octets, direction->receiver.meter.ended);
	put(octets, base_id - oldest);
	put_records(octets, direction, oldest, base_ot);

	of_dut = dut_state(direction->dut, base_ot, base_id, octets->data + octets->size,
	                   octets->capacity - octets->size);
	if (of_dut == 0)
		return false;
	if (of_dut > octets->capacity - octets->size) {
		if (!reserve(octets, octets->size + of_dut))
			return false;
		dut_state(direction->dut, base_ot, base_id, octets->data + octets->size,
		          octets->capacity - octets->size);
	}
	octets->size += of_dut;
	return true;
}

static bool save(struct direction *direction)
{
	struct jump *jump = &direction->jump;
	struct moment *saved = &jump->saved;

	jump->ready = false;
	if (!describe(direction, &saved->state))
		return false;
	saved->frame = direction->sender.pacer.frame;
	saved->start_ot = sender_next_ot(&direction->sender);
	saved->steady_until_ot = dut_steady_until(direction->dut);
	saved->tag_due_ot = direction->sender.tag_due_ot;
	memcpy(saved->sent, direction->sender.sent, sizeof(saved->sent));
	saved->bad_fcs_frames = direction->sender.bad_fcs_frames;
	saved->sent_line = direction->sender.meter;
	saved->received_line = direction->receiver.meter;
	saved->counts = direction->receiver.counts;
	jump->ready = true;
	return true;
}

/* All that is made has gone through, and nothing that was asked for in the past still waits for frames to come. */
static bool is_moment(const struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	const struct receiver *receiver = &direction->receiver;
	uint64_t base_ot = sender_next_ot(sender);

	return sender->pacer.frame % direction->jump.spacing_frames == 0 && base_ot != UINT64_MAX &&
	       sender->pending == 0 && sender->bad_fcs_pending == 0 && sender->uncounted_ot <= base_ot &&
	       receiver->end == 0 && receiver->change_count == 0 && receiver->from_ot <= base_ot &&
	       receiver->meter.from_ot <= base_ot;
}

/* A time of the past that still matters: it must stand where it stood, or have moved on by the period. */
static bool stands_or_moved(uint64_t before_ot, uint64_t now_ot, uint64_t period_ot)
{
	return now_ot == before_ot || now_ot - before_ot == period_ot;
}

/* The saved moment again? The cheap questions first. */
static bool same_again(struct direction *direction)
{
	struct jump *jump = &direction->jump;
	const struct moment *saved = &jump->saved;
	const struct receiver *receiver = &direction->receiver;
	uint64_t period_ot = sender_next_ot(&direction->sender) - saved->start_ot;

	if (!stands_or_moved(saved->received_line.ended_ot, receiver->meter.ended_ot, period_ot) ||
	    !stands_or_moved(saved->counts.last_ot, receiver->counts.last_ot, period_ot) ||
	    direction->sender.sent[0] - receiver->counts.streams[0].next !=
	            saved->sent[0] - saved->counts.streams[0].next)
		return false;
	if (jump->credit_octets < saved->state.size)
		return false;
	jump->credit_octets = 0;
	return describe(direction, &jump->now) && jump->now.size == saved->state.size &&
	       memcmp(jump->now.data, saved->state.data, jump->now.size) == 0;
}

/* -- jumps -------------------------------------------------------------------------------------------------------- */

/* How many periods fit before a time. */
static uint64_t fit(uint64_t from_ot, uint64_t until_ot, uint64_t period_ot)
{
	return from_ot < until_ot ? (until_ot - from_ot) / period_ot : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Periods that can be left out: what they would have been must be over by the clock, and nothing may be due in them. */
static uint64_t periods_to_jump(const struct direction *direction, uint64_t clock)
{
	const struct sender *sender = &direction->sender;
	const struct moment *saved = &direction->jump.saved;
	const uint64_t base_ot = sender_next_ot(sender);
	const uint64_t period_ot = base_ot - saved->start_ot;
	const uint64_t last_ot = direction->receiver.meter.ended_ot;
	uint64_t periods = (sender->frames - sender->pacer.frame) / (sender->pacer.frame - saved->frame);

	periods = smaller(periods, fit(base_ot, (clock - TX_METER_LAG + 1) * WORD_OCTETS, period_ot));
	if (clock < RX_COMMIT_LAG)
		return 0;
	periods = smaller(periods, fit(last_ot, (clock - RX_COMMIT_LAG + 1) * WORD_OCTETS - 1, period_ot));
	if (sender->tag_armed)
		periods = smaller(periods, fit(base_ot, sender->tag_due_ot, period_ot));
	if (saved->steady_until_ot != UINT64_MAX) {
		periods = smaller(periods, fit(base_ot, saved->steady_until_ot, period_ot));
		periods = smaller(periods, fit(last_ot, saved->steady_until_ot, period_ot));
	}
	return periods;
}

/* A count goes on by what it went on in the period, and the saved moment goes along: it stays one period behind. */
static void more(uint64_t *count, uint64_t *before, uint64_t periods)
{
	uint64_t step = periods * (*count - *before);

	*count += step;
	*before += step;
}

static void later(uint64_t *time_ot, uint64_t *before_ot, uint64_t by_ot)
{
	if (*time_ot == *before_ot)
		return;
	*time_ot += by_ot;
	*before_ot += by_ot;
}

static void jump_line(struct line_meter *now, struct line_meter *before, uint64_t periods, uint64_t by_ot)
{
	more(&now->counts.frames, &before->counts.frames, periods);
	more(&now->counts.octets, &before->counts.octets, periods);
	more(&now->counts.gaps, &before->counts.gaps, periods);
	more(&now->counts.gap_sum_octets, &before->counts.gap_sum_octets, periods);
	more(&now->counts.short_gaps, &before->counts.short_gaps, periods);
	later(&now->last_ot, &before->last_ot, by_ot);
	later(&now->ended_ot, &before->ended_ot, by_ot);
}

static void jump_counts(struct receiver_counts *now, struct receiver_counts *before, uint64_t periods, uint64_t by_ot)
{
	unsigned __int128 latency = (now->latency_sum_groups - before->latency_sum_groups) * periods;

	more(&now->frames, &before->frames, periods);
	more(&now->octets, &before->octets, periods);
	more(&now->bad_short, &before->bad_short, periods);
	more(&now->bad_long, &before->bad_long, periods);
	more(&now->bad_fcs, &before->bad_fcs, periods);
	more(&now->other_run, &before->other_run, periods);
	more(&now->wrong_port, &before->wrong_port, periods);
	more(&now->received, &before->received, periods);
	more(&now->lost, &before->lost, periods);
	more(&now->duplicated, &before->duplicated, periods);
	more(&now->reordered, &before->reordered, periods);
	more(&now->late, &before->late, periods);
	more(&now->gaps, &before->gaps, periods);
	now->latency_sum_groups += latency;
	before->latency_sum_groups += latency;
	later(&now->last_ot, &before->last_ot, by_ot);
	later(&now->last_loss_ot, &before->last_loss_ot, by_ot);
}

static void jump_tables(struct receiver_counts *now, struct receiver_counts *before, uint64_t periods)
{
	for (size_t i = 0; i < RECEIVER_BINS; i++)
		more(&now->bins[i], &before->bins[i], periods);
	for (size_t i = 0; i < RECEIVER_STREAMS; i++) {
		struct stream *stream = &now->streams[i], *old = &before->streams[i];

		more(&stream->next, &old->next, periods);
		more(&stream->received, &old->received, periods);
		more(&stream->lost, &old->lost, periods);
		more(&stream->duplicated, &old->duplicated, periods);
		more(&stream->reordered, &old->reordered, periods);
		more(&stream->late, &old->late, periods);
		more(&stream->gaps, &old->gaps, periods);
		stream->next &= RECORD_SEQUENCE_MASK;
		stream->lost &= RECORD_SEQUENCE_MASK;
	}
}

/* The frames that the DUT holds are others now, later ones of the same streams. */
static bool jump_records(struct direction *direction, uint64_t frames, uint64_t periods, uint64_t by_ot)
{
	struct records *records = &direction->records;
	const uint64_t oldest = oldest_inside(direction);
	const size_t count = (size_t)(direction->sender.next_id - oldest);
	struct record *held = count != 0 ? malloc(count * sizeof(*held)) : NULL;

	if (count != 0 && held == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		held[i] = records->ring[(oldest + i) & records->mask];
	for (size_t i = 0; i < count; i++) {
		uint64_t entry = held[i].sequence >> RECORD_ENTRY_LSB & (SENDER_ENTRIES - 1);
		uint64_t sent = direction->sender.sent[entry] - direction->jump.saved.sent[entry];
		uint64_t sequence = (held[i].sequence + periods * sent) & RECORD_SEQUENCE_MASK;

		held[i].start += by_ot;
		held[i].sequence = (held[i].sequence & ~RECORD_SEQUENCE_MASK) | sequence;
		records->ring[(oldest + frames + i) & records->mask] = held[i];
	}
	records->oldest = oldest + frames;
	free(held);
	return true;
}

static void leap(struct direction *direction, uint64_t periods)
{
	struct sender *sender = &direction->sender;
	struct moment *saved = &direction->jump.saved;
	uint64_t frames = (sender->pacer.frame - saved->frame) * periods;
	uint64_t by_ot = (sender_next_ot(sender) - saved->start_ot) * periods;

	if (!jump_records(direction, frames, periods, by_ot))
		return;
	dut_shift(direction->dut, by_ot, frames);
	pacer_jump(&sender->pacer, frames, by_ot);
	sender->next_id += frames;
	for (size_t i = 0; i < SENDER_ENTRIES; i++)
		more(&sender->sent[i], &saved->sent[i], periods);
	more(&sender->bad_fcs_frames, &saved->bad_fcs_frames, periods);
	jump_line(&sender->meter, &saved->sent_line, periods, by_ot);
	jump_line(&direction->receiver.meter, &saved->received_line, periods, by_ot);
	jump_counts(&direction->receiver.counts, &saved->counts, periods, by_ot);
	jump_tables(&direction->receiver.counts, &saved->counts, periods);
	saved->frame += frames;
	saved->start_ot += by_ot;
}

void jump_look(struct direction *direction, size_t played, uint64_t clock)
{
	struct jump *jump = &direction->jump;
	uint64_t periods;

	jump->credit_octets += played * CREDIT_PER_FRAME;
	if (jump->spacing_frames == 0 || !is_moment(direction))
		return;
	if (jump->ready && (jump->saved.steady_until_ot != dut_steady_until(direction->dut) ||
	                    jump->saved.tag_due_ot != direction->sender.tag_due_ot))
		jump_forget(jump);
	if (jump->ready && same_again(direction)) {
		periods = periods_to_jump(direction, clock);
		if (periods != 0)
			leap(direction, periods);
		else
			save(direction); /* what comes next may fit again, and it shall be one period, not two */
		return;
	}
	if (++jump->looks < jump->renew)
		return;
	jump->looks = 0;
	jump->renew *= 2;
	if (!save(direction))
		jump->spacing_frames = 0;
}
