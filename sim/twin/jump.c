// SPDX-License-Identifier: Apache-2.0
/* Moments, periods and jumps of a direction. */
#include "sim/twin/jump.h"

#include <stdlib.h>
#include <string.h>

#include "sim/twin/clocks.h"
#include "sim/twin/direction.h"
#include "sim/twin/divisor.h"

enum {
	LEAST_SPACING_FRAMES = 256,
	CREDIT_PER_FRAME = 8, /* octets of state: at some GB/s, a fraction of the time it takes to play a frame */
};

static const uint64_t MOST_SPACING_FRAMES = UINT64_C(1) << 40;

void jump_release(struct jump *jump)
{
	free(jump->state.data);
	free(jump->now.data);
	jump->state = jump->now = (struct octets){0};
}

void jump_forget(struct jump *jump)
{
	jump->saved = jump->found = false;
	jump->looks = 0;
	jump->renew = 1;
}

/* More frames than the rest of the trial can have, if it has an end. */
static uint64_t frames_left(const struct sender *sender)
{
	const uint64_t least_octets = DUT_PREAMBLE_OCTETS + TURNS_LEAST_OCTETS + sender->pacer.gap.octets;
	const uint64_t by_count = sender->frames - sender->pacer.frame;
	const uint64_t next_ot = sender_next_ot(sender);
	const uint64_t by_time = next_ot < sender->end_ot ? (sender->end_ot - next_ot) / least_octets + 1 : 0;

	return by_count < by_time ? by_count : by_time;
}

void jump_start(struct jump *jump, const struct sender *sender)
{
	const struct sender_settings *settings = &sender->settings;
	uint64_t octets;
	uint64_t period = turns_period_frames(&settings->turns, &sender->tables, MOST_SPACING_FRAMES, &octets);

	jump_forget(jump);
	jump->phase = sender->pacer.phase;
	if (period != 0)
		period = pacer_period_frames(&sender->pacer, &settings->pacer, period, octets, MOST_SPACING_FRAMES);
	if (settings->bad_fcs_every != 0)
		period = least_common_multiple(period, settings->bad_fcs_every, MOST_SPACING_FRAMES);
	if (period == 0 || !jump->enabled || period > frames_left(sender) / 2)
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

/* Appends a value; there must be room. */
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

static void put_sender(struct octets *octets, const struct sender *sender, uint64_t base_ot)
{
	put(octets, sender->pacer.ideal_octets % GROUP_OCTETS);
	put(octets, sender->pacer.fraction);
	put(octets, sender->pacer.burst_left);
	put(octets, sender->turns.turn);
	put(octets, sender->bad_fcs_left);
	put(octets, sender->meter.started);
	put(octets, sender->meter.ended);
	put(octets, base_ot - sender->meter.ended_ot);
}

/* Those of its frames at the receiver, which are there as soon as a frame has been made. */
static const struct stream *streams_of(const struct direction *direction)
{
	return direction->receiver->streams[direction->sender.port];
}

/* True if the receiver follows the sequence numbers of a flow: it expects it, and good frames with a signature come. */
static bool follows(const struct direction *direction, uint32_t flow)
{
	const struct receiver *receiver = direction->receiver;

	return receiver_expects(receiver->settings, direction->sender.port, flow) &&
	       direction->sender.tables.flow[flow].flags == 0;
}

/* How far the receiver is behind with a flow, if that matters. */
static uint64_t behind(const struct direction *direction, uint32_t flow)
{
	if (!follows(direction, flow))
		return 0;
	return direction->sender.sent[flow] - streams_of(direction)[flow].next;
}

/* Each stream, described by what its next frame will look like to the receiver. */
static void put_streams(struct octets *octets, const struct direction *direction, uint32_t flows)
{
	for (uint32_t i = 0; i < flows; i++) {
		put(octets, behind(direction, i));
		put(octets, streams_of(direction)[i].window);
	}
}

/* The frames that the DUT holds: its state has their ids, this is their content. */
static void put_records(struct octets *octets, const struct direction *direction, uint64_t oldest, uint64_t base_ot)
{
	const struct sender *sender = &direction->sender;

	for (uint64_t id = oldest; id != sender->next_id; id++) {
		const struct record *record = &direction->records->ring[id & direction->records->mask];
		uint64_t entry = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);

		put(octets, (base_ot - record->start) & RECORD_START_MASK);
		put(octets, record->start & ~RECORD_START_MASK);
		put(octets, sender->sent[entry] - (record->sequence & RECORD_SEQUENCE_MASK));
		put(octets, record->sequence & ~RECORD_SEQUENCE_MASK);
	}
}

/* Writes the state; false if it cannot be written or must not be jumped over. */
static bool describe(const struct direction *direction, struct octets *octets)
{
	enum { FIXED = 16, PER_STREAM = 2, PER_RECORD = 4 };
	const uint64_t base_ot = sender_next_ot(&direction->sender);
	const uint64_t base_id = direction->sender.next_id;
	const uint64_t oldest = oldest_inside(direction);
	const uint32_t flows = direction->sender.summary.flows;
	size_t most = (FIXED + PER_STREAM * flows + PER_RECORD * (base_id - oldest)) * sizeof(uint64_t);
	size_t of_dut;

	octets->size = 0;
	if (!reserve(octets, most))
		return false;
	put_sender(octets, &direction->sender, base_ot);
	put_streams(octets, direction, flows);
	put(octets, direction->receiver->counts.received != 0);
	put(octets, direction->receiver->meter.started);
	put(octets, direction->receiver->meter.ended);
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

static void save(struct direction *direction)
{
	struct jump *jump = &direction->jump;

	jump->saved = describe(direction, &jump->state);
	if (!jump->saved)
		return;
	jump->frame = direction->sender.pacer.frame;
	jump->start_ot = sender_next_ot(&direction->sender);
	tally_take(&jump->tally, &direction->sender, direction->receiver);
}

/* True if all frames made have gone through, and nothing requested earlier still waits for frames to come. */
static bool is_moment(const struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	const struct receiver *receiver = direction->receiver;
	uint64_t base_ot = sender_next_ot(sender);

	return base_ot != UINT64_MAX && sender->pending == 0 && sender->bad_fcs_pending == 0 &&
	       sender->uncounted_ot <= base_ot && sender->meter.from_ot <= base_ot && receiver->end == 0 &&
	       receiver->change_count == 0 && receiver->from_ot <= base_ot && receiver->meter.from_ot <= base_ot;
}

/* -- the search --------------------------------------------------------------------------------------------------- */

/* For a past time that still matters: it must be the same as before, or have advanced by the period. */
static bool stands_or_moved(uint64_t before_ot, uint64_t now_ot, uint64_t period_ot)
{
	return now_ot == before_ot || now_ot - before_ot == period_ot;
}

/* Is this the saved moment again? Cheap checks first. */
static bool same_again(struct direction *direction)
{
	struct jump *jump = &direction->jump;
	const struct receiver *receiver = direction->receiver;
	const struct tally *before = &jump->tally;
	uint64_t period_ot = sender_next_ot(&direction->sender) - jump->start_ot;

	if (!stands_or_moved(before->received_line.ended_ot, receiver->meter.ended_ot, period_ot) ||
	    !stands_or_moved(before->counts.last_ot, receiver->counts.last_ot, period_ot) ||
	    (follows(direction, 0) && behind(direction, 0) != before->sent[0] - before->streams[0].next))
		return false;
	if (jump->credit_octets < jump->state.size)
		return false;
	jump->credit_octets = 0;
	return describe(direction, &jump->now) && jump->now.size == jump->state.size &&
	       memcmp(jump->now.data, jump->state.data, jump->now.size) == 0;
}

/* The time from the saved moment to this one was a period. */
static void found(struct direction *direction)
{
	struct jump *jump = &direction->jump;

	jump->found = true;
	jump->saved = false;
	jump->period_frames = direction->sender.pacer.frame - jump->frame;
	jump->period_ot = sender_next_ot(&direction->sender) - jump->start_ot;
	tally_step(&jump->tally, &direction->sender, direction->receiver);
}

/* When the time of something that the DUT does by itself has come, whatever was found is no longer valid. */
static void check_steady(struct direction *direction)
{
	uint64_t steady_until_ot = dut_steady_until(direction->dut);

	if (steady_until_ot != direction->jump.steady_until_ot)
		jump_forget(&direction->jump);
	direction->jump.steady_until_ot = steady_until_ot;
}

void jump_look(struct direction *direction, size_t played)
{
	struct jump *jump = &direction->jump;

	jump->credit_octets += played * CREDIT_PER_FRAME;
	if (played == 0 || jump->spacing_frames == 0 || !is_moment(direction))
		return;
	check_steady(direction);
	if (jump->found || direction->sender.pacer.frame % jump->spacing_frames != 0)
		return;
	if (jump->saved && same_again(direction)) {
		found(direction);
		return;
	}
	if (++jump->looks < jump->renew)
		return;
	jump->looks = 0;
	jump->renew *= 2;
	save(direction); /* a state that cannot be written now may be later */
}

/* -- jumps -------------------------------------------------------------------------------------------------------- */

/* How many periods fit before the given time. */
static uint64_t fit(uint64_t from_ot, uint64_t until_ot, uint64_t period_ot)
{
	return from_ot < until_ot ? (until_ot - from_ot) / period_ot : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Periods that are over by this clock, as counted by the sender's line and the receiver. */
static uint64_t periods_by(const struct direction *direction, uint64_t clock)
{
	const uint64_t period_ot = direction->jump.period_ot;

	if (clock < RX_COMMIT_LAG)
		return 0;
	return smaller(
	        fit(sender_next_ot(&direction->sender), (clock - TX_METER_LAG + 1) * WORD_OCTETS, period_ot),
	        fit(direction->receiver->meter.ended_ot, (clock - RX_COMMIT_LAG + 1) * WORD_OCTETS - 1, period_ot));
}

/* Periods until something is due: the end of the trial, a phase, a rule, a tag, or what the DUT does by itself. */
static uint64_t periods_undisturbed(const struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	const struct jump *jump = &direction->jump;
	const uint64_t base_ot = sender_next_ot(sender);
	uint64_t periods = (sender->frames - sender->pacer.frame) / jump->period_frames;

	if (sender->end_ot != UINT64_MAX)
		periods = smaller(periods, fit(base_ot, sender->end_ot, jump->period_ot));
	if (sender->pacer.due_octets != UINT64_MAX)
		periods = smaller(periods,
		                  fit(base_ot, sender_origin_ot(sender) + sender->pacer.due_octets, jump->period_ot));
	if (sender->rules.due_octets != UINT64_MAX)
		periods = smaller(periods,
		                  fit(base_ot, sender_origin_ot(sender) + sender->rules.due_octets, jump->period_ot));
	if (sender->tag_armed)
		periods = smaller(periods, fit(base_ot, sender->tag_due_ot, jump->period_ot));
	if (jump->steady_until_ot != UINT64_MAX) {
		uint64_t last_ot = direction->receiver->meter.ended_ot;

		periods = smaller(periods, fit(base_ot, jump->steady_until_ot, jump->period_ot));
		periods = smaller(periods, fit(last_ot, jump->steady_until_ot, jump->period_ot));
	}
	return periods;
}

/* The frames that the DUT holds become later ones of the same streams. False: out of memory, or the DUT holds a tagged
 * frame, which is unique. */
static bool jump_records(struct direction *direction, uint64_t frames, uint64_t periods, uint64_t by_ot)
{
	struct records *records = direction->records;
	const uint64_t oldest = oldest_inside(direction);
	const size_t count = (size_t)(direction->sender.next_id - oldest);
	struct record *held = count != 0 ? malloc(count * sizeof(*held)) : NULL;
	uint64_t tags = 0;

	if (count != 0 && held == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		held[i] = records->ring[(oldest + i) & records->mask];
		tags |= held[i].start & RECORD_TAG;
	}
	for (size_t i = 0; i < count && tags == 0; i++) {
		uint64_t entry = held[i].sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);
		uint64_t sequence = held[i].sequence + periods * direction->jump.tally.sent[entry];

		held[i].start = (held[i].start & ~RECORD_START_MASK) | ((held[i].start + by_ot) & RECORD_START_MASK);
		held[i].sequence = (held[i].sequence & ~RECORD_SEQUENCE_MASK) | (sequence & RECORD_SEQUENCE_MASK);
		records->ring[(oldest + frames + i) & records->mask] = held[i];
	}
	if (tags == 0)
		records->oldest = oldest + frames;
	free(held);
	return tags == 0;
}

static bool leap(struct direction *direction, uint64_t periods)
{
	struct sender *sender = &direction->sender;
	uint64_t frames = direction->jump.period_frames * periods;
	uint64_t by_ot = direction->jump.period_ot * periods;

	if (!jump_records(direction, frames, periods, by_ot))
		return false;
	dut_shift(direction->dut, by_ot, frames);
	pacer_jump(&sender->pacer, frames, by_ot);
	sender->last.start_ot += by_ot;
	sender->next_id += frames;
	tally_repeat(&direction->jump.tally, periods, by_ot, sender, direction->receiver);
	return true;
}

bool jump_ahead(struct direction *direction, uint64_t clock)
{
	uint64_t periods;

	if (!direction->jump.found || !is_moment(direction))
		return false;
	check_steady(direction);
	if (!direction->jump.found)
		return false;
	periods = smaller(periods_by(direction, clock), periods_undisturbed(direction));
	return (periods == 0 || leap(direction, periods)) && periods_by(direction, clock) == 0;
}
