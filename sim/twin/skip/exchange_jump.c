// SPDX-License-Identifier: Apache-2.0
/* Moments, periods and jumps of all ports together. */
#include "sim/twin/skip/exchange_jump.h"

#include <stdlib.h>
#include <string.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/divisor.h"
#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"
#include "sim/twin/skip/jump.h"

enum {
	LEAST_SPACING_OT = 16384,
	CREDIT_PER_FRAME = 8, /* octets of state, as in jump.c */
};

static const uint64_t MOST_SPACING_OT = UINT64_C(1) << 50;

struct ports_skip *exchange_jump_make(unsigned ports)
{
	struct ports_skip *jump = calloc(1, sizeof(*jump));

	if (jump == NULL)
		return NULL;
	jump->ports = ports;
	exchange_jump_forget(jump);
	return jump;
}

void exchange_jump_release(struct ports_skip *jump)
{
	octets_release(&jump->state);
	octets_release(&jump->now);
	for (unsigned i = 0; jump->tally != NULL && i < jump->ports; i++)
		for (unsigned source = 0; source < RECEIVER_SOURCES; source++)
			free(jump->tally[i].streams[source]);
	free(jump->tally);
	free(jump);
}

void exchange_jump_forget(struct ports_skip *jump)
{
	jump->searching = jump->saved = jump->found = jump->drifts = jump->early = false;
	jump->looks = 0;
	jump->renew = 1;
}

uint64_t exchange_jump_window(const struct ports_skip *jump, uint64_t end_ot)
{
	return jump->searching && jump->next_ot < end_ot ? jump->next_ot : end_ot;
}

/* -- moments ------------------------------------------------------------------------------------------------------- */

/* The end of what a sender does, as far as it is known. */
static uint64_t until_of(const struct sender *sender)
{
	const uint64_t next_ot = sender_next_ot(sender), left = sender->frames - sender->pacer.frame;
	uint64_t frames_ot;

	/* A frame takes more than this of the line. */
	if (sender->frames == UINT64_MAX || __builtin_mul_overflow(left, TURNS_LEAST_OCTETS, &frames_ot) ||
	    __builtin_add_overflow(next_ot, frames_ot, &frames_ot) || frames_ot > sender->end_ot)
		return sender->end_ot;
	return frames_ot;
}

/* Sets when to compare: never, if a port is drawn or the trial is over before. */
static void begin_search(struct play *play, uint64_t base_ot)
{
	struct ports_skip *jump = play->skip;
	uint64_t cycle_ot = 1, until_ot = UINT64_MAX;

	jump->searching = true;
	jump->next_ot = UINT64_MAX;
	if (!dut_device_repeats(play->device))
		return;
	for (unsigned i = 0; i < play->port_count && cycle_ot != 0; i++) {
		const struct sender *sender = &play->directions[i].sender;
		uint64_t own_ot = 0;

		jump->cycle_frames[i] = 0;
		if (play->looped[i] || sender_next_ot(sender) == UINT64_MAX)
			continue;
		jump->cycle_frames[i] = jump_period_frames(sender, &own_ot);
		cycle_ot = least_common_multiple(cycle_ot, jump->cycle_frames[i] != 0 ? own_ot : 0, MOST_SPACING_OT);
		until_ot = until_of(sender) < until_ot ? until_of(sender) : until_ot;
	}
	if (cycle_ot <= 1 || until_ot <= base_ot)
		return;
	jump->spacing_ot = (LEAST_SPACING_OT + cycle_ot - 1) / cycle_ot * cycle_ot;
	if (jump->spacing_ot <= (until_ot - base_ot) / 2)
		jump->next_ot = (base_ot + jump->spacing_ot - 1) / jump->spacing_ot * jump->spacing_ot;
}

static uint64_t frames_of(const struct play *play)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < play->port_count; i++)
		sum += play->directions[i].sender.next_id;
	return sum;
}

/* -- saving -------------------------------------------------------------------------------------------------------- */

static bool save_streams(struct play *play, unsigned port)
{
	for (unsigned source = 0; source < play->port_count; source++) {
		const struct stream *streams = exchange_receiver(play, port)->streams[source];
		struct stream **saved = &play->skip->tally[port].streams[source];

		if (streams == NULL) {
			free(*saved);
			*saved = NULL;
			continue;
		}
		if (*saved == NULL)
			*saved = streams_make(RECEIVER_STREAMS);
		if (*saved == NULL)
			return false;
		memcpy(*saved, streams, play->directions[source].sender.flows * sizeof(**saved));
	}
	return true;
}

static bool save(struct play *play, uint64_t base_ot)
{
	struct ports_skip *jump = play->skip;

	if (jump->tally == NULL)
		jump->tally = calloc(play->port_count, sizeof(*jump->tally));
	if (jump->tally == NULL || !exchange_describe(play, base_ot, &jump->state))
		return false;
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct sender *sender = &play->directions[i].sender;

		jump->frames[i] = sender->pacer.frame;
		jump->ids[i] = sender->next_id;
		tally_take_sent(&jump->tally[i].sent, sender);
		tally_take_received(&jump->tally[i].received, exchange_receiver(play, i));
		if (!save_streams(play, i))
			return false;
	}
	jump->base_ot = base_ot;
	return true;
}

/* -- the search ---------------------------------------------------------------------------------------------------- */

/* Has every stream in which frames arrived kept its distance from its sender? */
static bool streams_keep_up(struct play *play, unsigned port, unsigned source)
{
	const struct stream *before = play->skip->tally[port].streams[source];
	const struct stream *now = exchange_receiver(play, port)->streams[source];
	const uint64_t *sent = play->directions[source].sender.sent;
	const uint64_t *sent_before = play->skip->tally[source].sent.sent;

	if ((before == NULL) != (now == NULL))
		return false;
	for (uint32_t i = 0; before != NULL && i < play->directions[source].sender.flows; i++)
		if (now[i].received != before[i].received &&
		    (sent[i] - now[i].next != sent_before[i] - before[i].next || now[i].window != before[i].window))
			return false;
	return true;
}

/* Times in the past that still matter are the same as before, or have moved by a period. */
static bool receiver_moved(struct play *play, unsigned port, uint64_t period_ot)
{
	const struct receiver *receiver = exchange_receiver(play, port);
	const struct tally_received *before = &play->skip->tally[port].received;
	const uint64_t ended_ot = receiver->meter.ended_ot - before->line.ended_ot;
	const uint64_t last_ot = receiver->counts.last_ot - before->counts.last_ot;

	return (ended_ot == 0 || ended_ot == period_ot) && (last_ot == 0 || last_ot == period_ot);
}

/* Is this the saved moment again? Cheap checks first. */
static bool same_again(struct play *play, uint64_t base_ot)
{
	struct ports_skip *jump = play->skip;
	const uint64_t period_ot = base_ot - jump->base_ot;

	for (unsigned i = 0; i < play->port_count; i++) {
		const uint64_t frames = play->directions[i].sender.pacer.frame - jump->frames[i];
		const bool repeats = jump->cycle_frames[i] == 0 ? frames == 0 : frames % jump->cycle_frames[i] == 0;

		if (!receiver_moved(play, i, period_ot) || (!play->looped[i] && !repeats))
			return false;
	}
	if (jump->credit_octets < jump->state.size)
		return false;
	jump->credit_octets = 0;
	if (!exchange_describe(play, base_ot, &jump->now) || !octets_equal(&jump->now, &jump->state))
		return false;
	for (unsigned i = 0; i < play->port_count; i++)
		for (unsigned source = 0; source < play->port_count; source++)
			if (!streams_keep_up(play, i, source))
				return false;
	return true;
}

/* The time from the saved moment to this one was a period. */
static void found(struct play *play, uint64_t base_ot)
{
	struct ports_skip *jump = play->skip;

	jump->found = true;
	jump->saved = false;
	jump->next_ot = UINT64_MAX;
	jump->period_ot = base_ot - jump->base_ot;
	jump->steady_until_ot = dut_device_steady_until(play->device, jump->base_ot, base_ot);
	for (unsigned i = 0; i < play->port_count; i++) {
		struct exchange_tally *tally = &jump->tally[i];

		jump->frames[i] = play->looped[i] ? 0 : play->directions[i].sender.next_id - jump->ids[i];
		tally_step_sent(&tally->sent, &play->directions[i].sender);
		tally_step_received(&tally->received, exchange_receiver(play, i));
		for (unsigned source = 0; source < play->port_count; source++)
			if (tally->streams[source] != NULL)
				tally_step_streams(tally->streams[source], exchange_receiver(play, i)->streams[source],
				                   play->directions[source].sender.flows);
	}
}

static bool some_send(const struct play *play)
{
	for (unsigned i = 0; i < play->port_count; i++)
		if (!play->looped[i] && sender_next_ot(&play->directions[i].sender) != UINT64_MAX)
			return true;
	return false;
}

void exchange_jump_look(struct play *play, uint64_t base_ot)
{
	struct ports_skip *jump = play->skip;
	const uint64_t disturbances = exchange_disturbances(play), frames = frames_of(play);

	if (disturbances != jump->disturbances)
		exchange_jump_forget(jump);
	jump->disturbances = disturbances;
	jump->credit_octets += (frames - jump->credited_frames) * CREDIT_PER_FRAME;
	jump->credited_frames = frames;
	if (!jump->searching)
		begin_search(play, base_ot);
	jump->early = false;
	if (base_ot < jump->next_ot)
		return;
	while (jump->next_ot <= base_ot)
		jump->next_ot += jump->spacing_ot;
	if (!some_send(play)) { /* so that a long silence is not played moment by moment */
		jump->next_ot = UINT64_MAX;
		return;
	}
	if (base_ot % jump->spacing_ot != 0)
		return;
	jump->early = !exchange_is_moment(play, base_ot);
	if (jump->early)
		return;
	if (jump->saved && same_again(play, base_ot)) {
		found(play, base_ot);
		return;
	}
	if (++jump->looks < jump->renew)
		return;
	jump->looks = 0;
	jump->renew *= 2;
	jump->saved = save(play, base_ot);
}

void exchange_jump_look_again(struct play *play, uint64_t base_ot)
{
	play->skip->next_ot = base_ot;
	exchange_jump_look(play, base_ot);
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Number of periods that fit before the given time. */
static uint64_t fit(const struct ports_skip *jump, uint64_t from_ot, uint64_t until_ot)
{
	return from_ot < until_ot ? (until_ot - from_ot) / jump->period_ot : 0;
}

/* Periods until a port has something else to do: its trial ends, a phase, a rule or a tag is due. */
static uint64_t periods_of_sender(const struct ports_skip *jump, const struct sender *sender, uint64_t base_ot,
                                  uint64_t frames)
{
	const uint64_t origin_ot = sender_origin_ot(sender);
	uint64_t periods = UINT64_MAX;

	if (frames == 0)
		return periods;
	if (sender->frames != UINT64_MAX)
		periods = (sender->frames - sender->pacer.frame) / frames;
	periods = smaller(periods, fit(jump, base_ot, sender->end_ot));
	if (sender->pacer.due_octets != UINT64_MAX)
		periods = smaller(periods, fit(jump, base_ot, origin_ot + sender->pacer.due_octets));
	if (sender->rules.due_octets != UINT64_MAX)
		periods = smaller(periods, fit(jump, base_ot, origin_ot + sender->rules.due_octets));
	if (sender->tag_armed)
		periods = smaller(periods, fit(jump, base_ot, sender->tag_due_ot));
	return periods;
}

/* Periods that are over by this clock, as counted at every port. */
static uint64_t periods_by(struct play *play, uint64_t base_ot, uint64_t clock)
{
	const struct ports_skip *jump = play->skip;
	const uint64_t sent_ot = (clock - TX_METER_LAG + 1) * WORD_OCTETS;
	const uint64_t received_ot = (clock - RX_COMMIT_LAG + 1) * WORD_OCTETS - 1;
	uint64_t periods = fit(jump, base_ot, jump->steady_until_ot);

	if (clock < RX_COMMIT_LAG)
		return 0;
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct sender *sender = &play->directions[i].sender;
		const struct receiver *receiver = exchange_receiver(play, i);

		if (!play->looped[i])
			periods = smaller(periods, smaller(fit(jump, later(base_ot, sender->meter.ended_ot), sent_ot),
			                                   periods_of_sender(jump, sender, base_ot, jump->frames[i])));
		periods = smaller(periods, fit(jump, later(base_ot, receiver->meter.ended_ot), received_ot));
	}
	return periods;
}

/* Moves on what is in the device. False: out of memory, or it has a frame with a tag, which is unique. */
static bool leap_inside(struct play *play, uint64_t base_ot, uint64_t periods)
{
	const struct ports_skip *jump = play->skip;
	const uint64_t by_ot = jump->period_ot * periods;
	uint64_t ids[DUT_MAX_PORTS];

	for (unsigned i = 0; i < play->port_count; i++)
		if (!records_repeat(&play->records[i], exchange_oldest_inside(play, i),
		                    play->directions[i].sender.next_id))
			return false;
	for (unsigned i = 0; i < play->port_count; i++) {
		ids[i] = jump->frames[i] * periods;
		if (play->looped[i] || ids[i] == 0)
			continue;
		if (!records_jump(&play->records[i], &(struct records_leap){.oldest = exchange_oldest_inside(play, i),
		                                                            .next = play->directions[i].sender.next_id,
		                                                            .frames = ids[i],
		                                                            .by_ot = by_ot,
		                                                            .periods = periods,
		                                                            .sent = jump->tally[i].sent.sent})) {
			play->device->failed = true; /* some have moved: nothing can go on */
			return false;
		}
	}
	dut_device_shift(play->device, base_ot - jump->period_ot, by_ot, ids);
	return true;
}

static void leap_port(struct play *play, unsigned port, uint64_t periods)
{
	const struct ports_skip *jump = play->skip;
	const struct exchange_tally *step = &jump->tally[port];
	const uint64_t by_ot = jump->period_ot * periods, frames = jump->frames[port] * periods;
	struct receiver *receiver = exchange_receiver(play, port);
	struct sender *sender = &play->directions[port].sender;

	if (frames != 0) {
		pacer_jump(&sender->pacer, frames, by_ot);
		sender->last.start_ot += by_ot;
		sender->next_id += frames;
		tally_repeat_sent(&step->sent, periods, by_ot, sender);
	}
	tally_repeat_received(&step->received, periods, by_ot, receiver);
	for (unsigned source = 0; source < play->port_count; source++)
		if (step->streams[source] != NULL)
			tally_repeat_streams(step->streams[source], periods, receiver->streams[source],
			                     play->directions[source].sender.flows);
}

uint64_t exchange_jump_ahead(struct play *play, uint64_t base_ot, uint64_t clock)
{
	struct ports_skip *jump = play->skip;
	uint64_t periods;

	if (!jump->found)
		return base_ot;
	if (base_ot > jump->steady_until_ot) {
		exchange_jump_forget(jump);
		return base_ot;
	}
	if (!exchange_is_moment(play, base_ot))
		return base_ot;
	periods = periods_by(play, base_ot, clock);
	if (periods == 0 || !leap_inside(play, base_ot, periods))
		return base_ot;
	for (unsigned i = 0; i < play->port_count; i++)
		leap_port(play, i, periods);
	jump->credited_frames = frames_of(play);
	return base_ot + jump->period_ot * periods;
}
