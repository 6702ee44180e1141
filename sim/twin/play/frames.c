// SPDX-License-Identifier: Apache-2.0
/* The frames of a trial, with their records. hw/rtl/tx decides what is in them. */
#include "sim/twin/play/sender.h"

enum { TAIL_OCTETS = 4, FLAGS = 8 };

/* The part of a record that the frames of a flow have in common. */
static inline struct record record_of(const struct sender *sender, uint32_t flow)
{
	return (struct record){.start = (uint64_t)sender->port << RECORD_SOURCE_LSB,
	                       .sequence = (uint64_t)flow << RECORD_ENTRY_LSB | (uint64_t)sender->settings.run_id
	                                                                                << RECORD_RUN_LSB};
}

/* Meaning of the flags of a flow to its receiver; a wrong FCS is marked where it is counted, in make_frame(). */
static inline uint64_t marks_of(uint32_t flags)
{
	return (flags & FLOW_UNSIGNED ? RECORD_UNSIGNED : 0) | (flags & FLOW_CODE_ERROR ? RECORD_CODE_ERROR : 0);
}

static inline uint16_t frame_flags_of(uint32_t flags)
{
	return flags & FLOW_CODE_ERROR ? DUT_FRAME_BROKEN : 0;
}

static bool takes_tag(struct sender *sender, uint64_t start_ot)
{
	if (!sender->tag_armed || start_ot < sender->tag_due_ot)
		return false;
	sender->tag_armed = sender->settings.tag_interval != 0;
	sender->tag_due_ot += sender->settings.tag_interval;
	return true;
}

static bool takes_bad_fcs(struct sender *sender, uint32_t flags)
{
	if (sender->settings.bad_fcs_every != 0 && --sender->bad_fcs_left == 0) {
		sender->bad_fcs_left = sender->settings.bad_fcs_every;
		return true;
	}
	return flags & FLOW_BAD_FCS;
}

/* Makes one frame, with everything that may be special about it. */
static void make_frame(struct sender *sender, struct records *records, struct dut_frame *frame, bool described)
{
	const uint64_t start_ot = sender_next_ot(sender), rule_frames = sender->rules.begun;
	const uint64_t due_ot = sender_due_ot(sender);
	struct record_segment segment = {.is = false};
	struct descriptor is;

	if (sender->tcp.prepared == PREPARED_SEGMENT)
		sender_note_segment(sender, &segment);
	is = sender_take(sender, &sender->pacer, &sender->turns, &sender->rules);
	const bool counted = start_ot >= sender->uncounted_ot, of_rule = sender->rules.begun != rule_frames;
	struct record *record = &records->ring[sender->next_id & records->mask];

	segment.is = segment.is && !of_rule;
	if (records->segments != NULL)
		records->segments[sender->next_id & records->mask] = segment;
	if (sender->tcp.connections != NULL)
		sender_prepare_next(sender, start_ot, of_rule);
	*frame = (struct dut_frame){
	        .start_ot = start_ot, .id = sender->next_id++, .octets = is.octets, .flags = frame_flags_of(is.flags)};
	frame->from = described ? is.flow : 0;
	*record = record_of(sender, is.flow);
	sender->hold.held_words += hold_words(&sender->hold, due_ot / WORD_OCTETS, start_ot / WORD_OCTETS);
	record->start |= (start_ot & RECORD_START_MASK) | marks_of(is.flags);
	record->sequence |= counted ? sender->sent[is.flow]++ : 0;
	if (takes_tag(sender, start_ot))
		record->start |= RECORD_TAG;
	if (takes_bad_fcs(sender, is.flags)) {
		record->start |= RECORD_BAD_FCS;
		frame->flags |= described ? DUT_FRAME_BAD_FCS : 0;
		sender->bad_fcs_word[sender->bad_fcs_pending++] =
		        (dut_frame_end_ot(frame) - TAIL_OCTETS - 1) / WORD_OCTETS;
	}
}

/* Values that the loop of make_run() does not change. */
struct course {
	uint64_t until_ot, step_ot; /* step: from one ideal start to the next, without fractions and the frame itself */
	uint64_t numerator, denominator;
	struct record first;
	struct record *ring;
	size_t mask;
	uint32_t flows, octets, from_mask;
};

/* Makes frames that are not special, in the middle of a burst and of a phase. Returns how many. With one flow the table
 * of counts stays out of the loop, where each frame would have to wait for the one before. */
static inline __attribute__((always_inline)) size_t make_run(struct sender *sender, const struct course *course,
                                                             struct dut_frame *out, size_t most,
                                                             enum sender_choice choice)
{
	const uint64_t origin = sender_origin_ot(sender), first_id = sender->next_id;
	uint64_t ideal_ot = origin + sender->pacer.ideal_octets, fraction = sender->pacer.fraction;
	uint32_t turn = sender->turns.turn, draw = sender->turns.draw;
	uint64_t sequence = sender->sent[0], id = first_id;

	for (const struct dut_frame *end = out + most; out != end; out++) {
		const uint64_t start_ot = ideal_ot & ~(uint64_t)(GROUP_OCTETS - 1);
		struct descriptor is = {.octets = (uint16_t)course->octets};
		struct record record = course->first;
		bool carry;

		if (start_ot >= course->until_ot)
			break;
		if (choice == CHOICE_DESCRIBED)
			is = turns_take(&sender->turns, &sender->settings.turns, &sender->tables);
		else if (choice == CHOICE_DRAWN)
			is.flow = (uint8_t)turns_take_drawn(&draw, course->flows);
		else if (choice == CHOICE_IN_TURN)
			is.flow = (uint8_t)turns_take_in_turn(&turn, course->flows);
		if (choice != CHOICE_ONE_FLOW) {
			record.start |= choice == CHOICE_DESCRIBED ? marks_of(is.flags) : 0;
			record.sequence |= (uint64_t)is.flow << RECORD_ENTRY_LSB;
			sequence = sender->sent[is.flow]++;
		}
		course->ring[id & course->mask] =
		        (struct record){record.start | (start_ot & RECORD_START_MASK), record.sequence | sequence};
		*out = (struct dut_frame){.start_ot = start_ot,
		                          .id = id,
		                          .octets = is.octets,
		                          .flags = frame_flags_of(is.flags),
		                          .from = (uint16_t)(is.flow & course->from_mask)};
		id++;
		sequence++;
		fraction += course->numerator;
		carry = fraction >= course->denominator;
		fraction -= carry ? course->denominator : 0;
		ideal_ot += is.octets + course->step_ot + carry;
	}
	sender->pacer.ideal_octets = ideal_ot - origin;
	sender->pacer.fraction = (uint32_t)fraction;
	if (choice == CHOICE_ONE_FLOW)
		sender->sent[0] = sequence;
	if (choice == CHOICE_IN_TURN)
		sender->turns.turn = turn;
	if (choice == CHOICE_DRAWN)
		sender->turns.draw = draw;
	sender->next_id = id;
	return (size_t)(id - first_id);
}

static size_t smaller(size_t a, uint64_t b)
{
	return a < b ? a : (size_t)b;
}

/* Number of frames before the next one that is special or the last of its burst; 0 if the next frame is. Those that
 * start at *until_ot or later may be. */
static size_t plain_frames(const struct sender *sender, uint64_t *until_ot, size_t most)
{
	const uint64_t phase_octets = sender->pacer.due_octets, rule_octets = sender->rules.due_octets;
	const uint64_t due_octets = phase_octets < rule_octets ? phase_octets : rule_octets;
	const uint64_t due_ot = due_octets != UINT64_MAX ? sender_origin_ot(sender) + due_octets : UINT64_MAX;

	if (sender_next_ot(sender) < sender->uncounted_ot || sender->summary.flags & FLOW_BAD_FCS ||
	    sender->settings.turns.flows == 0 || sender->tcp.connections != NULL)
		return 0;
	if (sender->hold.obeys) {
		const uint64_t next_ot = sender_origin_ot(sender) + pacer_start_octets(&sender->pacer);
		const uint64_t hold_ot = hold_next_ot(&sender->hold, next_ot);

		if (sender_next_ot(sender) != next_ot)
			return 0;
		if (hold_ot < *until_ot)
			*until_ot = hold_ot;
	}
	most = smaller(most, sender->frames - sender->pacer.frame);
	if (sender->settings.pacer.burst_frames != 0)
		most = smaller(most, sender->pacer.burst_left - 1);
	if (sender->settings.bad_fcs_every != 0)
		most = smaller(most, sender->bad_fcs_left - 1);
	if (sender->tag_armed && sender->tag_due_ot < *until_ot)
		*until_ot = sender->tag_due_ot;
	if (sender->end_ot < *until_ot)
		*until_ot = sender->end_ot;
	if (due_ot < *until_ot)
		*until_ot = due_ot;
	return most;
}

static size_t make_chosen(struct sender *sender, const struct course *course, struct dut_frame *out, size_t most)
{
	switch (sender->choice) {
	case CHOICE_ONE_FLOW:
		return make_run(sender, course, out, most, CHOICE_ONE_FLOW);
	case CHOICE_IN_TURN:
		return make_run(sender, course, out, most, CHOICE_IN_TURN);
	case CHOICE_DRAWN:
		return make_run(sender, course, out, most, CHOICE_DRAWN);
	default:
		return make_run(sender, course, out, most, CHOICE_DESCRIBED);
	}
}

static size_t make_plain(struct sender *sender, struct records *records, uint64_t until_ot, struct dut_frame *out,
                         size_t most, bool described)
{
	const struct pacer_gap *gap = &sender->pacer.gap;
	const struct course course = {.until_ot = until_ot,
	                              .step_ot = DUT_PREAMBLE_OCTETS + gap->octets,
	                              .numerator = gap->numerator,
	                              .denominator = gap->denominator,
	                              .first = record_of(sender, 0),
	                              .ring = records->ring,
	                              .mask = records->mask,
	                              .flows = sender->settings.turns.flows,
	                              .octets = sender->settings.turns.frame_octets,
	                              .from_mask = described ? TURNS_FLOWS - 1 : 0};
	const size_t made = make_chosen(sender, &course, out, most);

	sender->pacer.frame += made;
	sender->pacer.burst_left -= sender->settings.pacer.burst_frames != 0 ? (uint32_t)made : 0;
	return made;
}

size_t sender_make(struct sender *sender, struct records *records, uint64_t until_ot, size_t room, bool described)
{
	struct dut_frame *out = sender->block + sender->pending;
	size_t made = 0;

	sender->even = false;
	sender_play_connections(sender, until_ot);
	while (made < room && sender->bad_fcs_pending < SENDER_PENDING_FRAMES && sender_next_ot(sender) < until_ot) {
		uint64_t plain_until_ot = until_ot;
		size_t plain = plain_frames(sender, &plain_until_ot, room - made);

		plain = make_plain(sender, records, plain_until_ot, out + made, plain, described);
		if (sender->settings.bad_fcs_every != 0)
			sender->bad_fcs_left -= (uint32_t)plain;
		sender->even = made == 0 && plain != 0 && sender->choice != CHOICE_DESCRIBED;
		made += plain;
		if (plain == 0) {
			make_frame(sender, records, &out[made++], described);
			sender_play_connections(sender, until_ot);
		}
	}
	if (made != 0)
		sender->last = out[made - 1];
	return made;
}
