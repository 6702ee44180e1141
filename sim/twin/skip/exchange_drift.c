// SPDX-License-Identifier: Apache-2.0
/* Ports of a device that reads frames go on by themselves between what is not known before: the frame of a rule, one
 * that the host asks for, the end of a trial. */
#include "sim/twin/skip/exchange_drift.h"

#include <string.h>

#include "sim/dut/output_queue.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"
#include "sim/twin/skip/direction_skip.h"
#include "sim/twin/skip/drift_flows.h"
#include "sim/twin/skip/drift_queue.h"
#include "sim/twin/skip/exchange_jump.h"
#include "sim/twin/skip/foresee.h"

enum {
	/* Frames that start so far apart are decided on in the order of their starts, whatever their lengths. */
	APART_OT = 2 * DUT_MAX_FRAME_OCTETS + 8192,
	SHORT_FRAMES = 1 << 11, /* frames to play until it may be worth it again */
};

/* State of all ports, as far as it is known. */
struct outlook {
	uint64_t first_ot, event_ot; /* when the next frame starts, and the next one that is not like the others */
	bool sends[DUT_MAX_PORTS];
	unsigned output[DUT_MAX_PORTS]; /* output of a port that sends, except for flows that are lost in the device */
	bool gone[DUT_MAX_PORTS][TURNS_FLOWS];
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t due_ot(const struct sender *sender, uint64_t due_octets)
{
	return due_octets != UINT64_MAX ? sender_origin_ot(sender) + due_octets : UINT64_MAX;
}

/* -- outlook ------------------------------------------------------------------------------------------------------- */

static void look_at_times(const struct play *play, struct outlook *outlook)
{
	*outlook = (struct outlook){.first_ot = UINT64_MAX, .event_ot = UINT64_MAX};
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct sender *sender = &play->directions[i].sender;
		const uint64_t next_ot = sender_next_ot(sender);

		if (play->looped[i] || next_ot == UINT64_MAX)
			continue;
		if (sender->settings.turns.flows == 0) {
			outlook->event_ot = smaller(outlook->event_ot, next_ot);
			continue;
		}
		outlook->sends[i] = true;
		outlook->first_ot = smaller(outlook->first_ot, next_ot);
		outlook->event_ot = smaller(outlook->event_ot, due_ot(sender, sender->rules.due_octets));
	}
}

/* The flows that have a turn all go to one output, or nowhere. */
static bool find_output(const struct play *play, unsigned port, const struct drift_flows *flows,
                        struct outlook *outlook)
{
	const struct sender *sender = &play->directions[port].sender;
	bool found = false;

	for (size_t i = 0; i < flows->flows; i++) {
		const uint8_t number = flows->number[i];
		unsigned output = 0;
		const enum dut_way way = foresee_flow(play->device, port, play->posts[port], number,
		                                      sender->settings.turns.frame_octets, &output);

		if (way == DUT_WAY_OPEN || (way == DUT_WAY_OUT && found && output != outlook->output[port]))
			return false;
		outlook->gone[port][number] = way == DUT_WAY_NOWHERE;
		outlook->output[port] = way == DUT_WAY_OUT ? output : outlook->output[port];
		found = found || way == DUT_WAY_OUT;
	}
	return found;
}

static bool find_outputs(struct play *play, struct outlook *outlook)
{
	bool taken[DUT_MAX_PORTS] = {false};

	for (unsigned i = 0; i < play->port_count; i++) {
		struct drift_flows flows;

		if (!outlook->sends[i])
			continue;
		if (!leap_describe_turns(&play->directions[i], NULL, &flows) ||
		    !find_output(play, i, &flows, outlook) || taken[outlook->output[i]])
			return false;
		taken[outlook->output[i]] = true;
	}
	return true;
}

/* -- settling ------------------------------------------------------------------------------------------------------ */

/* True if some port has played as many frames as it should, and no frame comes soon that is not like the others. */
static bool is_time(const struct play *play, const struct outlook *outlook, uint64_t clock)
{
	if (outlook->first_ot == UINT64_MAX || outlook->event_ot < outlook->first_ot ||
	    outlook->event_ot - outlook->first_ot < 2 * APART_OT ||
	    clock * WORD_OCTETS < outlook->first_ot + 2 * APART_OT)
		return false;
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct direction *direction = &play->directions[i];

		if (outlook->sends[i] && direction->sender.next_id >= direction->skip->drift.from_id &&
		    clock > direction->skip->drift.short_clock)
			return true;
	}
	return false;
}

/* All frames inside leave the device, and are counted as far as they have by this clock. */
static bool settle(struct play *play, uint64_t clock)
{
	if (!dut_device_settle(play->device))
		return false;
	for (unsigned i = 0; i < play->port_count; i++) {
		if (!play->looped[i])
			sender_measure(&play->directions[i].sender, 0, clock);
		if (exchange_receive(play, i, clock) != 0)
			play->device->failed = true;
	}
	return !play->device->failed;
}

/* -- going on ------------------------------------------------------------------------------------------------------ */

static void account(struct play *play, unsigned port, unsigned output, uint64_t received,
                    const uint64_t sent[TURNS_FLOWS])
{
	const struct sender *sender = &play->directions[port].sender;
	struct post *post = play->posts[port];
	struct dut_passage passage = {.input = port,
	                              .output = output,
	                              .octets = sender->settings.turns.frame_octets,
	                              .out = exchange_receiver(play, output)->counts.received - received};
	uint64_t frames[TURNS_FLOWS];

	for (unsigned i = 0; i < TURNS_FLOWS; i++) {
		frames[i] = sender->sent[i] - sent[i];
		passage.in += frames[i];
		passage.in_unicast += post->tables.flow[i].header[0] & 1 ? 0 : frames[i];
	}
	contents_skip(&post->contents, frames);
	dut_device_account(play->device, &passage);
}

static enum drift_outcome go_on(struct play *play, unsigned port, const struct outlook *outlook, uint64_t clock)
{
	const unsigned output = outlook->output[port];
	struct direction *direction = &play->directions[port];
	struct receiver *usual = direction->receiver, *receiver = exchange_receiver(play, output);
	struct dut_queue queue = dut_device_queue(play->device, output, direction->sender.settings.turns.frame_octets);
	struct leap_server server = leap_server_of_queue(&queue);
	const uint64_t received = receiver->counts.received;
	uint64_t sent[TURNS_FLOWS];
	enum drift_outcome outcome;

	memcpy(sent, direction->sender.sent, sizeof(sent));
	server.gone = outlook->gone[port];
	direction->receiver = receiver;
	outcome = drift_try(direction, &server, outlook->event_ot - APART_OT, clock);
	direction->receiver = usual;
	if (outcome == DRIFT_ON)
		account(play, port, output, received, sent);
	return outcome;
}

/* More frames come before this clock, but not like the others. */
static bool is_cut_short(const struct sender *sender, uint64_t event_ot, uint64_t clock)
{
	const uint64_t own_ot = smaller(sender->end_ot, due_ot(sender, sender->pacer.due_octets));
	const uint64_t tag_ot = sender->tag_armed ? sender->tag_due_ot : UINT64_MAX;

	return smaller(smaller(own_ot, event_ot), tag_ot) < clock * WORD_OCTETS;
}

static bool go_on_port(struct play *play, unsigned port, const struct outlook *outlook, uint64_t clock)
{
	struct direction *direction = &play->directions[port];
	struct drift *drift = &direction->skip->drift;

	switch (go_on(play, port, outlook, clock)) {
	case DRIFT_ON:
		drift_start(drift, direction->sender.next_id);
		drift->from_id = direction->sender.next_id;
		play->skip->drifts = true;
		return true;
	case DRIFT_SHORT:
		if (is_cut_short(&direction->sender, outlook->event_ot, clock))
			drift->from_id = direction->sender.next_id + SHORT_FRAMES;
		else
			drift->short_clock = clock;
		play->skip->drifts = true;
		return false;
	default:
		drift_wait(drift, direction->sender.next_id);
		return false;
	}
}

/* soon: as it is only frames inside that are in the way, or on their way to a receiver after this clock. */
static void wait_all(struct play *play, const struct outlook *outlook, bool soon)
{
	for (unsigned i = 0; i < play->port_count; i++) {
		struct direction *direction = &play->directions[i];

		if (outlook->sends[i] && soon)
			direction->skip->drift.from_id = direction->sender.next_id + SHORT_FRAMES;
		else if (outlook->sends[i])
			drift_wait(&direction->skip->drift, direction->sender.next_id);
	}
}

bool exchange_drift_ahead(struct play *play, uint64_t clock)
{
	struct outlook outlook;
	bool went_on = false;

	if (play->skip->found || !dut_device_can_be_foreseen(play->device))
		return false;
	look_at_times(play, &outlook);
	if (!is_time(play, &outlook, clock))
		return false;
	if (!find_outputs(play, &outlook)) {
		wait_all(play, &outlook, false);
		return false;
	}
	if (!settle(play, clock) || !exchange_is_moment(play, outlook.first_ot)) {
		wait_all(play, &outlook, true);
		return false;
	}
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct direction *direction = &play->directions[i];

		if (outlook.sends[i] && direction->sender.next_id >= direction->skip->drift.from_id &&
		    clock > direction->skip->drift.short_clock)
			went_on = go_on_port(play, i, &outlook, clock) || went_on;
	}
	return went_on;
}

bool exchange_drift_is_calm(const struct play *play, uint64_t clock)
{
	struct outlook outlook;

	if (!play->skip->drifts)
		return false;
	look_at_times(play, &outlook);
	return outlook.event_ot > (clock + 1) * WORD_OCTETS;
}
