// SPDX-License-Identifier: Apache-2.0
/* Moments, periods and jumps of a direction. */
#include "sim/twin/skip/jump.h"

#include <stdlib.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/direction.h"
#include "sim/twin/play/divisor.h"
#include "sim/twin/skip/direction_skip.h"
#include "sim/twin/skip/jump_state.h"

enum {
	LEAST_SPACING_FRAMES = 256,
	CREDIT_PER_FRAME = 8, /* octets of state: at some GB/s, a fraction of the time it takes to play a frame */
	MOST_STRAYS = 4,
};

static const uint64_t MOST_SPACING_FRAMES = UINT64_C(1) << 40;
/* Frames to draw for in one go. */
static const uint64_t MOST_DRAWS = UINT64_C(1) << 22;

void jump_release(struct jump *jump)
{
	octets_release(&jump->state);
	octets_release(&jump->now);
}

void jump_forget(struct jump *jump)
{
	jump->saved = jump->found = jump->drifts = jump->strayed = false;
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

uint64_t jump_period_frames(const struct sender *sender, uint64_t *period_ot)
{
	const struct sender_settings *settings = &sender->settings;
	uint64_t octets, all;
	uint64_t period = turns_period_frames(&settings->turns, &sender->tables, MOST_SPACING_FRAMES, &octets);

	if (period != 0)
		period = pacer_period_frames(&sender->pacer, &settings->pacer, period, octets, MOST_SPACING_FRAMES,
		                             period_ot);
	if (period == 0 || settings->bad_fcs_every == 0)
		return period;
	all = least_common_multiple(period, settings->bad_fcs_every, MOST_SPACING_FRAMES);
	return __builtin_mul_overflow(*period_ot, all / period, period_ot) ? 0 : all;
}

void jump_start(struct direction *direction)
{
	struct jump *jump = &direction->skip->jump;
	const struct sender *sender = &direction->sender;
	const bool held = post_follows(direction->post, sender->flags);
	uint64_t period_ot;
	const uint64_t period = jump_period_frames(sender, &period_ot);

	jump_forget(jump);
	jump->phase = sender->pacer.phase;
	if (period == 0 || !jump->enabled || held || period > frames_left(sender) / 2)
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

/* -- the search --------------------------------------------------------------------------------------------------- */

static void times_since(const struct direction *direction, uint64_t since_ot[JUMP_RECEIVED])
{
	const struct receiver *receiver = direction->receiver;
	const uint64_t base_ot = sender_next_ot(&direction->sender);

	since_ot[0] = base_ot - receiver->meter.ended_ot;
	since_ot[1] = base_ot - receiver->meter.last_ot;
	since_ot[2] = base_ot - receiver->counts.last_ot;
	since_ot[3] = base_ot - receiver->counts.last_loss_ot;
}

static void save(struct direction *direction)
{
	struct jump *jump = &direction->skip->jump;

	jump->saved = jump_describe(direction, &jump->state);
	if (!jump->saved)
		return;
	jump->frame = direction->sender.pacer.frame;
	jump->start_ot = sender_next_ot(&direction->sender);
	times_since(direction, jump->since_ot);
	tally_take(&jump->tally, &direction->sender, direction->receiver);
}

/* True if a past time that still matters is the same as before, or has advanced by the period. */
static bool stands_or_moved(uint64_t before_ot, uint64_t now_ot, uint64_t period_ot)
{
	return now_ot == before_ot || now_ot - before_ot == period_ot;
}

/* Is this the saved moment again? Cheap checks first. */
static bool same_again(struct direction *direction)
{
	struct jump *jump = &direction->skip->jump;
	const struct receiver *receiver = direction->receiver;
	const struct tally *before = &jump->tally;
	uint64_t period_ot = sender_next_ot(&direction->sender) - jump->start_ot;

	if (!stands_or_moved(before->received.line.ended_ot, receiver->meter.ended_ot, period_ot) ||
	    !stands_or_moved(before->received.counts.last_ot, receiver->counts.last_ot, period_ot) ||
	    (jump_follows(direction, 0) && jump_behind(direction, 0) != before->sent.sent[0] - before->streams[0].next))
		return false;
	if (jump->credit_octets < jump->state.size)
		return false;
	jump->credit_octets = 0;
	return jump_describe(direction, &jump->now) && octets_equal(&jump->now, &jump->state);
}

/* The time from the saved moment to this one was a period. */
static void found(struct direction *direction)
{
	struct jump *jump = &direction->skip->jump;

	jump->found = true;
	jump->saved = false;
	jump->period_frames = direction->sender.pacer.frame - jump->frame;
	jump->period_ot = sender_next_ot(&direction->sender) - jump->start_ot;
	tally_step(&jump->tally, &direction->sender, direction->receiver);
}

/* True if the times of the receiver that advance with the period are as long ago as at the saved moment. */
static bool same_times(const struct direction *direction)
{
	const struct tally_received *step = &direction->skip->jump.tally.received;
	const uint64_t advances[JUMP_RECEIVED] = {step->line.ended_ot, step->line.last_ot, step->counts.last_ot,
	                                          step->counts.last_loss_ot};
	uint64_t since_ot[JUMP_RECEIVED];

	times_since(direction, since_ot);
	for (unsigned i = 0; i < JUMP_RECEIVED; i++)
		if (advances[i] != 0 && since_ot[i] != direction->skip->jump.since_ot[i])
			return false;
	return true;
}

/* Is it back in the period that it has left? */
static void look_back(struct direction *direction)
{
	struct jump *jump = &direction->skip->jump;

	if ((direction->sender.pacer.frame - jump->frame) % jump->period_frames != 0 ||
	    jump->credit_octets < jump->state.size)
		return;
	jump->credit_octets = 0;
	jump->found =
	        same_times(direction) && jump_describe(direction, &jump->now) && octets_equal(&jump->now, &jump->state);
	jump->strayed = !jump->found;
	if (jump->strayed && --jump->strays_left == 0)
		jump_forget(jump);
}

void jump_pass(struct direction *direction, size_t frames)
{
	struct jump *jump = &direction->skip->jump;

	if (jump->spacing_frames == 0 || dut_spares(direction->dut, frames) >= frames)
		return;
	if (jump->found)
		jump->strays_left = MOST_STRAYS;
	if (jump->found || jump->strayed)
		jump->strayed = true;
	else
		jump_forget(jump);
	jump->found = false;
}

/* Forgets whatever was found once the time of something that the DUT does by itself has come. */
static void check_steady(struct direction *direction)
{
	uint64_t steady_until_ot = dut_steady_until(direction->dut);

	if (steady_until_ot != direction->skip->jump.steady_until_ot)
		jump_forget(&direction->skip->jump);
	direction->skip->jump.steady_until_ot = steady_until_ot;
}

/* A phase of the trial is a start of its own; a frame of a rule disturbs a period. */
static void heed_sender(struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	struct jump *jump = &direction->skip->jump;

	if (sender->pacer.phase != jump->phase)
		jump_start(direction);
	else if (sender->rules.begun != jump->rule_frames)
		jump_forget(jump);
	jump->rule_frames = sender->rules.begun;
}

void jump_look(struct direction *direction, size_t played)
{
	struct jump *jump = &direction->skip->jump;

	heed_sender(direction);
	jump->credit_octets += played * CREDIT_PER_FRAME;
	if (played == 0 || jump->spacing_frames == 0 || !jump_is_moment(direction))
		return;
	check_steady(direction);
	if (jump->found || direction->sender.pacer.frame % jump->spacing_frames != 0)
		return;
	if (jump->strayed) {
		look_back(direction);
		return;
	}
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

/* Number of periods that fit before the given time. */
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
	const uint64_t period_ot = direction->skip->jump.period_ot;

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
	const struct jump *jump = &direction->skip->jump;
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

/* Number of these periods that come before the first frame that a draw hits. */
static uint64_t periods_spared(struct direction *direction, uint64_t periods)
{
	const uint64_t frames = direction->skip->jump.period_frames;
	const uint64_t most = smaller(periods, MOST_DRAWS / frames + 1);
	const uint64_t spared = most != 0 ? dut_spares(direction->dut, most * frames) : UINT64_MAX;

	return spared == UINT64_MAX ? periods : spared / frames;
}

static bool leap(struct direction *direction, uint64_t periods)
{
	struct sender *sender = &direction->sender;
	uint64_t frames = direction->skip->jump.period_frames * periods;
	uint64_t by_ot = direction->skip->jump.period_ot * periods;

	if (!records_jump(direction->records, &(struct records_leap){.oldest = jump_oldest_inside(direction),
	                                                             .next = sender->next_id,
	                                                             .frames = frames,
	                                                             .by_ot = by_ot,
	                                                             .periods = periods,
	                                                             .sent = direction->skip->jump.tally.sent.sent}))
		return false;
	dut_shift(direction->dut, by_ot, frames);
	pacer_jump(&sender->pacer, frames, by_ot);
	sender->last.start_ot += by_ot;
	sender->next_id += frames;
	tally_repeat(&direction->skip->jump.tally, periods, by_ot, sender, direction->receiver);
	return true;
}

bool jump_ahead(struct direction *direction, uint64_t clock)
{
	uint64_t periods;

	if (!direction->skip->jump.found || !jump_is_moment(direction))
		return false;
	check_steady(direction);
	if (!direction->skip->jump.found)
		return false;
	periods = smaller(periods_by(direction, clock), periods_undisturbed(direction));
	periods = periods_spared(direction, periods);
	return (periods == 0 || leap(direction, periods)) && periods_by(direction, clock) == 0;
}
