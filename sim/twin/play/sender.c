// SPDX-License-Identifier: Apache-2.0
/* Trials of a port: from the start strobe to the end. hw/rtl/tx defines what happens in which clock. */
#include "sim/twin/play/sender.h"

#include <string.h>

enum {
	TAIL_OCTETS = 4,
	LEAST_GAP_OCTETS = 11, /* RFC 2889 5.6.3.2; the MAC needs 4 between two frames */
};

static uint64_t group_up(uint64_t octets)
{
	return (octets + GROUP_OCTETS - 1) / GROUP_OCTETS * GROUP_OCTETS;
}

int sender_init(struct sender *sender, unsigned port)
{
	*sender = (struct sender){.port = port, .uncounted_ot = TX_CLEARED_LEAD * WORD_OCTETS};
	line_meter_clear(&sender->meter, (TX_GAP_SWEEP_CLOCKS - TX_CLEARED_METER_LAG) * WORD_OCTETS);
	return hold_init(&sender->hold);
}

const char *sender_refuses(const struct sender *sender, const struct sender_settings *settings)
{
	const struct pacer_settings *pacer = &settings->pacer;
	struct turns_summary summary;

	turns_summarise(&settings->turns, &sender->tables, &summary);
	if (summary.uses_frame_octets && settings->turns.frame_octets < TURNS_LEAST_OCTETS)
		return "tx_frame_octets is below 54";
	if (pacer->gap[0].octets < LEAST_GAP_OCTETS)
		return "tx_gap_octets is below 11";
	if (pacer->burst_frames != 0 && pacer->burst_gap_octets < LEAST_GAP_OCTETS)
		return "tx_burst_gap_octets is below 11";
	if (pacer->gap[0].numerator >= pacer->gap[0].denominator)
		return "tx_gap_numerator is not below tx_gap_denominator";
	if (pacer->phases > PACER_PHASES)
		return "tx_phases is above 7";
	for (uint32_t phase = 1; phase <= pacer->phases; phase++) {
		if (pacer->gap[phase].octets < LEAST_GAP_OCTETS)
			return "tx_phase_gap_octets is below 11";
		if (pacer->gap[phase].numerator >= pacer->gap[phase].denominator)
			return "tx_phase_gap_numerator is not below tx_phase_gap_denominator";
	}
	return NULL;
}

/* -- strobes ------------------------------------------------------------------------------------------------------- */

/* The pacer runs TX_LATENCY clocks ahead of the line. */
static uint64_t pacer_word(const struct sender *sender)
{
	return sender->origin_word - TX_LATENCY;
}

static enum sender_choice choice_of(const struct turns_settings *settings, const struct turns_summary *summary)
{
	if (!summary->fixed_octets || settings->every != 0 || summary->flags != 0 || settings->order == ORDER_TABLE)
		return CHOICE_DESCRIBED;
	if (settings->flows == 1)
		return CHOICE_ONE_FLOW;
	return settings->order == ORDER_DRAWN ? CHOICE_DRAWN : CHOICE_IN_TURN;
}

static void note_flows(struct sender *sender, uint32_t flows)
{
	if (sender->flows < flows)
		sender->flows = flows;
}

/* A frame without a turn may be sent. */
static void note_frame(struct sender *sender, const struct descriptor *frame)
{
	sender->flags |= frame->flags;
	note_flows(sender, frame->flow + 1u);
}

void sender_start(struct sender *sender, const struct sender_settings *settings, uint64_t clock)
{
	sender->hold.held_words = sender_held_words(sender, clock + TX_LATENCY);
	sender->settings = *settings;
	turns_summarise(&settings->turns, &sender->tables, &sender->summary);
	sender->choice = choice_of(&settings->turns, &sender->summary);
	sender->flags = sender->summary.flags;
	note_flows(sender, sender->summary.flows);
	for (uint32_t i = 0; i < settings->rules.rules; i++)
		note_frame(sender, &settings->rules.rule[i].frame);
	sender->origin_word = clock + START_DELAY;
	pacer_init(&sender->pacer, &settings->pacer);
	turns_init(&sender->turns, &settings->turns);
	rules_init(&sender->rules, &settings->rules);
	sender->frames = settings->stop_frames != 0 ? settings->stop_frames : UINT64_MAX;
	sender->end_ot = UINT64_MAX;
	sender->close_clock = UINT64_MAX;
	if (settings->duration != 0) {
		sender->end_ot = sender_origin_ot(sender) + group_up(settings->duration);
		sender->close_clock = pacer_word(sender) + 1 + group_up(settings->duration) / WORD_OCTETS;
	}
	sender->last.octets = 0;
	sender->tag_armed = settings->tag_enable;
	sender->tag_due_ot = sender_origin_ot(sender) + settings->tag_first;
	sender->bad_fcs_left = settings->bad_fcs_every;
}

/* A start in the pacer's word in the clock before the strobe still passes. */
void sender_stop(struct sender *sender, uint64_t clock)
{
	const uint64_t end_ot = (clock + TX_LATENCY) * WORD_OCTETS;
	/* The clock after the start strobe belongs to the trial in any case. */
	const uint64_t least_clock = sender->origin_word - START_DELAY + 1;
	const uint64_t close_clock = clock > least_clock ? clock : least_clock;

	if (sender->origin_word == 0)
		return;
	if (end_ot < sender->end_ot)
		sender->end_ot = end_ot;
	if (close_clock < sender->close_clock)
		sender->close_clock = close_clock;
	if (sender->tcp.connections != NULL)
		connections_end(sender->tcp.connections, close_clock);
}

void sender_clear(struct sender *sender, uint64_t clock)
{
	sender_clear_counts(sender, clock);
	hold_clear(&sender->hold, clock);
	memset(sender->sent, 0, sizeof(sender->sent));
	sender->uncounted_ot = (clock + TX_CLEARED_LEAD + 1) * WORD_OCTETS;
}

/* -- what is being sent -------------------------------------------------------------------------------------------- */

/* The frames of a trial beyond those made, which are few. */
struct view {
	struct pacer pacer;
	struct turns turns;
	struct rules rules;
	struct dut_frame last; /* the last frame that passes */
};

/* UINT64_MAX: none comes. */
static uint64_t view_start_ot(const struct sender *sender, const struct view *view)
{
	const uint64_t start_octets = sender_start_octets(sender, &view->pacer, &view->rules);

	return start_octets != UINT64_MAX ? sender_origin_ot(sender) + start_octets : UINT64_MAX;
}

static bool view_passes(const struct sender *sender, const struct view *view)
{
	return view->pacer.frame < sender->frames && view_start_ot(sender, view) < sender->end_ot;
}

static void view_next(const struct sender *sender, struct view *view)
{
	const uint64_t start_ot = view_start_ot(sender, view);
	const bool passes = view_passes(sender, view);
	const struct descriptor next = sender_take(sender, &view->pacer, &view->turns, &view->rules);

	if (passes)
		view->last = (struct dut_frame){.start_ot = start_ot, .octets = next.octets};
}

/* Goes on to the first frame that starts in this word of the line or later, or that no longer passes. */
static void view_to(const struct sender *sender, uint64_t word, struct view *view)
{
	*view = (struct view){
	        .pacer = sender->pacer, .turns = sender->turns, .rules = sender->rules, .last = sender->last};
	while (view_passes(sender, view) && view_start_ot(sender, view) < word * WORD_OCTETS)
		view_next(sender, view);
}

/* Word of the line that the pacer is at. */
static uint64_t paced_word(uint64_t clock)
{
	return clock + TX_LATENCY;
}

/* True if a frame starts in this word, or would if the trial had not just ended. */
static bool starts_in_word(const struct sender *sender, struct view *view, uint64_t word)
{
	while (view_start_ot(sender, view) < word * WORD_OCTETS)
		view_next(sender, view);
	return view_start_ot(sender, view) / WORD_OCTETS == word;
}

/* A frame counts as being sent until its last word before the FCS has been built and the drain count has run out. */
static uint64_t drain_clock(const struct dut_frame *frame)
{
	return (dut_frame_end_ot(frame) - TAIL_OCTETS - 1) / WORD_OCTETS + TX_DRAIN_CLOCKS;
}

/* The last clock in which the trial goes on: with a limit of frames, the one after the start of the last in the pacer.
 * next_frame, last: as far as that matters, which is the pacer's word. */
static uint64_t close_clock(const struct sender *sender, uint64_t next_frame, const struct dut_frame *last)
{
	uint64_t last_clock;

	if (next_frame < sender->frames || last->octets == 0)
		return sender->close_clock;
	last_clock = last->start_ot / WORD_OCTETS - TX_LATENCY + 1;
	return last_clock < sender->close_clock ? last_clock : sender->close_clock;
}

uint64_t sender_held_words(const struct sender *sender, uint64_t clock)
{
	const uint64_t until_ot = (clock + TX_HELD_LEAD + 1) * WORD_OCTETS, origin_ot = sender_origin_ot(sender);
	const uint64_t end_ot = sender->end_ot < until_ot ? sender->end_ot : until_ot;
	uint64_t words = sender->hold.held_words;
	struct view view = {
	        .pacer = sender->pacer, .turns = sender->turns, .rules = sender->rules, .last = sender->last};

	if (!sender->hold.obeys || sender->origin_word == 0)
		return words;
	while (view.pacer.frame < sender->frames) {
		const uint64_t due_octets = sender_due_octets(sender, &view.pacer, &view.rules);
		const uint64_t due_ot = due_octets != UINT64_MAX ? origin_ot + due_octets : UINT64_MAX;
		uint64_t held_to_ot = view_start_ot(sender, &view);

		if (due_ot >= end_ot)
			break;
		/* Only those words of the trial count that begin, with the group in which the frame is due, before its
		 * end. */
		if (held_to_ot > end_ot)
			held_to_ot = due_ot + (end_ot - due_ot + WORD_OCTETS - 1) / WORD_OCTETS * WORD_OCTETS;
		words += hold_words(&sender->hold, due_ot / WORD_OCTETS, held_to_ot / WORD_OCTETS);
		if (held_to_ot >= end_ot)
			break;
		view_next(sender, &view);
	}
	return words;
}

bool sender_sending_depends(const struct sender *sender, uint64_t clock)
{
	return sender_next_ot(sender) != UINT64_MAX && (clock > sender->close_clock || sender->frames != UINT64_MAX);
}

bool sender_sending(const struct sender *sender, uint64_t clock)
{
	uint64_t closed;
	struct view view;

	if (sender->origin_word == 0)
		return false;
	if (clock <= sender->close_clock && sender->frames == UINT64_MAX)
		return true;
	view_to(sender, paced_word(clock), &view);
	closed = close_clock(sender, view.pacer.frame, &view.last);
	if (clock <= closed || (view.last.octets != 0 && clock <= drain_clock(&view.last)))
		return true;
	/* A start that comes too late is seen for one clock. */
	return clock == closed + 1 && starts_in_word(sender, &view, paced_word(closed));
}

bool sender_asks_table(const struct sender *sender, uint64_t clock)
{
	const uint64_t word = paced_word(clock - TX_ASK_CLOCKS);
	struct view view;

	if (sender->origin_word == 0)
		return false;
	/* Frames have been made that far if there are connections. */
	for (size_t i = sender->pending; i > 0 && sender->block[i - 1].start_ot >= word * WORD_OCTETS; i--)
		if (sender->block[i - 1].start_ot / WORD_OCTETS == word)
			return true;
	view_to(sender, word, &view);
	return view_passes(sender, &view) && view_start_ot(sender, &view) / WORD_OCTETS == word;
}

void sender_ask(struct sender *sender, const struct descriptor *frame, uint64_t clock)
{
	const uint64_t from_word = clock + TX_SEND_LEAD;

	if (sender->origin_word == 0 || clock > close_clock(sender, sender->pacer.frame, &sender->last) ||
	    sender->rules.asked)
		return;
	rules_ask(&sender->rules, frame,
	          from_word > sender->origin_word ? (from_word - sender->origin_word) * WORD_OCTETS : 0);
	note_frame(sender, frame);
}
