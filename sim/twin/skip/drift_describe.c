// SPDX-License-Identifier: Apache-2.0
/* Describes a direction as a load and a fifo. */
#include "sim/twin/skip/drift_leap.h"

#include "host/base/uint128.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/direction.h"
#include "sim/twin/skip/drift_flows.h"

/* Factors of products that must fit in 63 bits; and how old what matters may be. */
static const uint64_t MOST_PARTS = UINT64_C(1) << 40, MOST_OT = UINT64_C(1) << 20;
/* The longest that a full fifo may take to empty. */
static const uint64_t MOST_AHEAD_OT = UINT64_C(1) << 40;

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* -- whether ------------------------------------------------------------------------------------------------------- */

/* Frames of one length, with nothing special about any of them, forever. */
static bool is_plain(const struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	const struct receiver *receiver = direction->receiver;
	const uint32_t octets = sender->settings.turns.frame_octets;

	return sender->settings.turns.flows != 0 && sender->summary.fixed_octets && sender->summary.flags == 0 &&
	       sender->settings.bad_fcs_every == 0 && octets >= MIN_FRAME_OCTETS &&
	       octets <= receiver->settings[RECEIVER_MAX_FRAME_OCTETS] &&
	       sender->settings.run_id == receiver->settings[RECEIVER_RUN_ID];
}

/* Everything has begun that begins only once. */
static bool is_under_way(const struct direction *direction)
{
	const struct sender *sender = &direction->sender;
	const struct receiver *receiver = direction->receiver;

	return sender->meter.started && sender->meter.ended && receiver->meter.started && receiver->meter.ended &&
	       sender->last.octets == sender->settings.turns.frame_octets && receiver->counts.received != 0 &&
	       receiver->streams[sender->port] != NULL;
}

uint64_t leap_undisturbed_until(const struct direction *direction, uint64_t clock)
{
	const struct sender *sender = &direction->sender;
	const uint64_t octets = sender->settings.turns.frame_octets;
	uint64_t until_ot = (clock - TX_METER_LAG + 1) * WORD_OCTETS - DUT_PREAMBLE_OCTETS - octets;

	until_ot = smaller(until_ot, sender->end_ot);
	if (sender->pacer.due_octets != UINT64_MAX)
		until_ot = smaller(until_ot, sender_origin_ot(sender) + sender->pacer.due_octets);
	if (sender->rules.due_octets != UINT64_MAX)
		until_ot = smaller(until_ot, sender_origin_ot(sender) + sender->rules.due_octets);
	if (sender->tag_armed)
		until_ot = smaller(until_ot, sender->tag_due_ot);
	return until_ot;
}
bool leap_is_plain(const struct direction *direction)
{
	return is_plain(direction) && is_under_way(direction);
}

/* -- whose frames -------------------------------------------------------------------------------------------------- */

/* Index of a flow, which may be new; DRIFT_FLOWS: too many. */
static size_t index_of(struct drift_flows *flows, uint8_t number)
{
	size_t i = 0;

	while (i < flows->flows && flows->number[i] != number)
		i++;
	if (i == flows->flows && i < DRIFT_FLOWS)
		flows->number[flows->flows++] = number;
	return i;
}

/* Flows that the receiver follows. The stream of none of them is ahead, as it may be after a clear between the sender
 * and the receiver of a frame. */
static bool describe_flows(const struct direction *direction, struct drift_flows *flows)
{
	const struct sender *sender = &direction->sender;
	const struct receiver *receiver = direction->receiver;

	for (size_t i = 0; i < flows->flows; i++) {
		const uint32_t number = flows->number[i];
		const struct stream *stream = &receiver->streams[sender->port][number];

		if (!flows->gone[i] && (!receiver_expects(receiver->settings, sender->port, number) ||
		                        stream->next > sender->sent[number]))
			return false;
		flows->behind[i] = (int64_t)(sender->sent[number] - stream->next);
		flows->window[i] = stream->window;
	}
	return true;
}

bool leap_describe_turns(const struct direction *direction, const bool *gone, struct drift_flows *flows)
{
	const struct sender *sender = &direction->sender;
	struct turns turns = sender->turns;
	uint64_t octets;

	flows->flows = 0;
	flows->period = 1;
	flows->turn[0].flow = (uint16_t)index_of(flows, 0);
	if (sender->choice != CHOICE_ONE_FLOW) {
		flows->flows = 0;
		flows->period =
		        (int64_t)turns_period_frames(&sender->settings.turns, &sender->tables, DRIFT_TURNS, &octets);
	}
	for (int64_t k = 0; k < flows->period && sender->choice != CHOICE_ONE_FLOW; k++) {
		const size_t i = index_of(flows, turns_take(&turns, &sender->settings.turns, &sender->tables).flow);

		if (i == DRIFT_FLOWS)
			return false;
		flows->turn[k].flow = (uint16_t)i;
	}
	if (flows->period == 0)
		return false;
	for (size_t i = 0; i < flows->flows; i++)
		flows->gone[i] = gone != NULL && gone[flows->number[i]];
	drift_arrange(flows);
	return flows->gone_turns != flows->period;
}

bool leap_describe_flows(const struct direction *direction, const bool *gone, struct drift_flows *flows)
{
	return leap_describe_turns(direction, gone, flows) && describe_flows(direction, flows);
}

/* -- what it is ---------------------------------------------------------------------------------------------------- */

bool leap_is_near(uint64_t ot, uint64_t base_ot)
{
	return ot + MOST_OT > base_ot && ot < base_ot + MOST_AHEAD_OT;
}

/* Bursts of frames that are a whole number of octets apart: then only the services drift. */
static bool describe_bursts(const struct sender *sender, struct drift_fifo *is)
{
	const struct pacer *pacer = &sender->pacer;
	const struct pacer_settings *settings = &sender->settings.pacer;
	const uint64_t octets = DUT_PREAMBLE_OCTETS + sender->settings.turns.frame_octets;
	uint128 burst_ot = (uint128)(octets + pacer->gap.octets) * (settings->burst_frames - 1);

	burst_ot += (uint128)octets + settings->burst_gap_octets;
	if (pacer->gap.numerator != 0 || pacer->fraction != 0 || burst_ot > MOST_PARTS)
		return false;
	is->burst_frames = settings->burst_frames;
	is->burst_place = settings->burst_frames - pacer->burst_left;
	is->burst_ot = (int64_t)burst_ot;
	return true;
}

bool leap_describe(const struct direction *direction, const struct leap_server *server, struct leap *leap)
{
	struct drift_fifo *is = &leap->is;
	const uint64_t base_ot = leap->base_ot;
	const struct sender *sender = &direction->sender;
	const struct pacer *pacer = &sender->pacer;
	const struct pacer_settings *pacer_settings = &sender->settings.pacer;
	const uint32_t octets = sender->settings.turns.frame_octets;
	const uint64_t unit = pacer_settings->burst_frames != 0 ? pacer->gap.denominator : 1;
	const uint64_t parts = pacer->gap.denominator, ideal_ot = sender_origin_ot(sender) + pacer->ideal_octets;
	const uint128 load = (uint128)(DUT_PREAMBLE_OCTETS + octets + pacer->gap.octets) * parts + pacer->gap.numerator;

	if (pacer_settings->burst_frames != 0 && !describe_bursts(sender, is))
		return false;
	if (load > MOST_PARTS << 1 || ideal_ot - base_ot >= GROUP_OCTETS ||
	    !server->describe(server->state, octets, base_ot, is))
		return false;
	is->load = (int64_t)(load / unit);
	is->load_parts = (int64_t)(parts / unit);
	is->start = (int64_t)(((ideal_ot - base_ot) * parts + pacer->fraction) / unit);
	return true;
}
