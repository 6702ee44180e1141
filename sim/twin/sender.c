// SPDX-License-Identifier: Apache-2.0
/* Trials, destinations and frames of a port. hw/rtl/tx defines what happens in which clock. */
#include "sim/twin/sender.h"

#include <string.h>

#include "sim/twin/clocks.h"

enum {
	TAIL_OCTETS = 4,
	SHORTEST_OCTETS = 54,  /* header and signature (docs/registers.md) */
	LEAST_GAP_OCTETS = 11, /* RFC 2889 5.6.3.2; the MAC needs 4 between two frames */
	ENTRY_MASK = SENDER_ENTRIES - 1,
};

static uint64_t group_up(uint64_t octets)
{
	return (octets + GROUP_OCTETS - 1) / GROUP_OCTETS * GROUP_OCTETS;
}

/* Marsaglia 2003, shifts 13, 17, 5. */
static inline uint32_t xorshift32(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

void sender_init(struct sender *sender)
{
	*sender = (struct sender){.uncounted_ot = TX_CLEARED_LEAD * WORD_OCTETS};
	line_meter_clear(&sender->meter, (TX_GAP_SWEEP_CLOCKS - TX_CLEARED_METER_LAG) * WORD_OCTETS);
}

const char *sender_refuses(const struct sender_settings *settings)
{
	const struct pacer_settings *pacer = &settings->pacer;
	uint64_t occupied = (uint64_t)settings->frame_octets + DUT_PREAMBLE_OCTETS;

	if (settings->frame_octets < SHORTEST_OCTETS)
		return "tx_frame_octets is below 54";
	if (pacer->step_octets < occupied + LEAST_GAP_OCTETS)
		return "tx_gap_octets is below 11";
	if (pacer->burst_frames != 0 && pacer->burst_step_octets < occupied + LEAST_GAP_OCTETS)
		return "tx_burst_gap_octets is below 11";
	if (pacer->numerator >= pacer->denominator)
		return "tx_gap_numerator is not below tx_gap_denominator";
	return NULL;
}

/* -- the trial ---------------------------------------------------------------------------------------------------- */

static uint64_t origin_ot(const struct sender *sender)
{
	return sender->origin_word * WORD_OCTETS;
}

/* The pacer runs TX_LATENCY clocks ahead of the line. */
static uint64_t pacer_word(const struct sender *sender)
{
	return sender->origin_word - TX_LATENCY;
}

static uint64_t start_of(const struct sender *sender, uint64_t frame)
{
	uint64_t ideal = pacer_ideal_octets(&sender->settings.pacer, frame);

	return origin_ot(sender) + ideal / GROUP_OCTETS * GROUP_OCTETS;
}

/* A frame counts as being sent until its last word before the FCS has been built and the drain count has run out. */
static void set_drain(struct sender *sender)
{
	uint64_t last_octet;

	sender->drain_clock = 0;
	if (sender->frames == 0 || sender->frames == UINT64_MAX)
		return;
	last_octet = start_of(sender, sender->frames - 1) + DUT_PREAMBLE_OCTETS + sender->settings.frame_octets -
	             TAIL_OCTETS - 1;
	sender->drain_clock = last_octet / WORD_OCTETS + TX_DRAIN_CLOCKS;
}

void sender_start(struct sender *sender, const struct sender_settings *settings, uint64_t clock)
{
	uint64_t timed = UINT64_MAX;

	sender->settings = *settings;
	sender->origin_word = clock + START_DELAY;
	pacer_init(&sender->pacer, &settings->pacer);
	sender->frames = UINT64_MAX;
	sender->close_clock = UINT64_MAX;
	if (settings->duration != 0) {
		timed = pacer_first_from(&settings->pacer, group_up(settings->duration));
		sender->frames = timed;
		sender->close_clock = pacer_word(sender) + 1 + group_up(settings->duration) / WORD_OCTETS;
	}
	/* With a frame limit, the last frame ends the trial in the clock after its start in the pacer. */
	if (settings->stop_frames != 0 && settings->stop_frames <= timed) {
		uint64_t last = pacer_ideal_octets(&settings->pacer, settings->stop_frames - 1);
		uint64_t close = pacer_word(sender) + 1 + last / WORD_OCTETS;

		sender->frames = settings->stop_frames;
		if (close < sender->close_clock)
			sender->close_clock = close;
	}
	set_drain(sender);
	sender->turn = 0;
	sender->draw = xorshift32(settings->seed == 0 ? 1 : settings->seed);
	sender->tag_armed = settings->tag_enable;
	sender->tag_due_ot = origin_ot(sender) + settings->tag_first;
	sender->bad_fcs_left = settings->bad_fcs_every;
}

/* A start in the pacer's word in the clock before the strobe still passes. */
void sender_stop(struct sender *sender, uint64_t clock)
{
	uint64_t words = clock > pacer_word(sender) ? clock - pacer_word(sender) : 0;
	uint64_t frames;

	if (sender->origin_word == 0 || clock >= sender->close_clock)
		return;
	frames = pacer_first_from(&sender->settings.pacer, words * WORD_OCTETS);
	if (frames < sender->frames)
		sender->frames = frames;
	/* The clock after a start strobe belongs to the trial in any case. */
	sender->close_clock = words != 0 ? clock : pacer_word(sender) - 1;
	set_drain(sender);
}

static bool starts_in_word(const struct sender *sender, uint64_t word, uint64_t *frame)
{
	const struct pacer_settings *pacer = &sender->settings.pacer;
	uint64_t words = word - pacer_word(sender);

	if (word < pacer_word(sender))
		return false;
	*frame = pacer_first_from(pacer, words * WORD_OCTETS);
	return pacer_ideal_octets(pacer, *frame) / WORD_OCTETS == words;
}

bool sender_sending(const struct sender *sender, uint64_t clock)
{
	uint64_t frame;

	if (sender->origin_word == 0)
		return false;
	if (clock <= sender->close_clock || clock <= sender->drain_clock)
		return true;
	/* A start that comes too late is seen for one clock. */
	return clock == sender->close_clock + 1 && starts_in_word(sender, sender->close_clock, &frame);
}

bool sender_asks_table(const struct sender *sender, uint64_t clock)
{
	uint64_t frame;

	return sender->origin_word != 0 && starts_in_word(sender, clock - TX_ASK_CLOCKS, &frame) &&
	       frame < sender->frames;
}

/* -- frames ------------------------------------------------------------------------------------------------------- */

uint64_t sender_next_ot(const struct sender *sender)
{
	if (sender->origin_word == 0 || sender->pacer.frame >= sender->frames)
		return UINT64_MAX;
	return origin_ot(sender) + sender->pacer.ideal_octets / GROUP_OCTETS * GROUP_OCTETS;
}

/* The entry that a frame goes to; advances to the next one, as hw/rtl/tx/tx_destinations.v. */
static inline uint32_t take_entry(uint32_t destinations, bool random, uint32_t *turn, uint32_t *draw)
{
	uint32_t entry;

	if (random) {
		entry = (*draw >> 16) * destinations >> 16 & ENTRY_MASK;
		*draw = xorshift32(*draw);
		return entry;
	}
	entry = *turn;
	*turn = entry + 1 == destinations ? 0 : (entry + 1) & ENTRY_MASK;
	return entry;
}

/* What the frames to a destination have in common. */
static inline struct record record_of(const struct sender *sender, uint32_t entry)
{
	return (struct record){.start = (uint64_t)sender->entry_port[entry] << RECORD_PORT_LSB,
	                       .sequence = (uint64_t)entry << RECORD_ENTRY_LSB | (uint64_t)sender->settings.run_id
	                                                                                 << RECORD_RUN_LSB};
}

/* Makes one frame, with everything that may be special about it. */
static void make_frame(struct sender *sender, struct records *records, struct dut_frame *frame)
{
	const struct sender_settings *settings = &sender->settings;
	const uint64_t start_ot = sender_next_ot(sender);
	const uint32_t entry = take_entry(settings->destinations, settings->random, &sender->turn, &sender->draw);
	const bool counted = start_ot >= sender->uncounted_ot;
	struct record *record = &records->ring[sender->next_id & records->mask];

	*record = record_of(sender, entry);
	record->start |= start_ot;
	record->sequence |= counted ? sender->sent[entry]++ : 0;
	if (sender->tag_armed && start_ot >= sender->tag_due_ot) {
		record->start |= RECORD_TAG;
		sender->tag_armed = settings->tag_interval != 0;
		sender->tag_due_ot += settings->tag_interval;
	}
	if (settings->bad_fcs_every != 0 && --sender->bad_fcs_left == 0) {
		sender->bad_fcs_left = settings->bad_fcs_every;
		record->start |= RECORD_BAD_FCS;
		sender->bad_fcs_word[sender->bad_fcs_pending++] =
		        (start_ot + DUT_PREAMBLE_OCTETS + settings->frame_octets - TAIL_OCTETS - 1) / WORD_OCTETS;
	}
	*frame = (struct dut_frame){.start_ot = start_ot, .id = sender->next_id++, .octets = settings->frame_octets};
	pacer_step(&sender->pacer);
}

enum choice { ONE_ENTRY, IN_TURN, AT_RANDOM };

/* Makes frames that are not special, in the middle of a burst. Returns how many. With one destination the table of
 * counts stays out of the loop, where each frame would have to wait for the one before. */
static inline __attribute__((always_inline)) size_t make_run(struct sender *sender, struct records *records,
                                                             uint64_t until_ot, struct dut_frame *out, size_t most,
                                                             enum choice choice)
{
	const uint64_t step_octets = sender->pacer.settings.step_octets, origin = origin_ot(sender);
	const uint64_t denominator = sender->pacer.settings.denominator, numerator = sender->pacer.settings.numerator;
	const uint32_t destinations = sender->settings.destinations, octets = sender->settings.frame_octets;
	const struct record first = record_of(sender, 0);
	struct record *const ring = records->ring;
	const size_t mask = records->mask;
	const uint64_t id = sender->next_id;
	uint64_t ideal_ot = origin + sender->pacer.ideal_octets, fraction = sender->pacer.fraction;
	const uint64_t sent = sender->sent[0];
	uint32_t turn = sender->turn, draw = sender->draw;
	size_t made = 0;

	for (; made < most; made++) {
		const uint64_t start_ot = ideal_ot & ~(uint64_t)(GROUP_OCTETS - 1);
		struct record record = first;
		uint64_t sequence = sent + made;
		bool carry;

		if (start_ot >= until_ot)
			break;
		if (choice != ONE_ENTRY) {
			const uint32_t entry = take_entry(destinations, choice == AT_RANDOM, &turn, &draw);

			record = record_of(sender, entry);
			sequence = sender->sent[entry]++;
		}
		ring[(id + made) & mask] = (struct record){record.start | start_ot, record.sequence | sequence};
		out[made] = (struct dut_frame){.start_ot = start_ot, .id = id + made, .octets = octets};
		fraction += numerator;
		carry = fraction >= denominator;
		fraction -= carry ? denominator : 0;
		ideal_ot += step_octets + carry;
	}
	sender->pacer.ideal_octets = ideal_ot - origin;
	sender->pacer.fraction = (uint32_t)fraction;
	sender->pacer.frame += made;
	sender->pacer.burst_left -= sender->pacer.settings.burst_frames != 0 ? (uint32_t)made : 0;
	if (choice == ONE_ENTRY)
		sender->sent[0] = sent + made;
	sender->turn = turn;
	sender->draw = draw;
	sender->next_id += made;
	return made;
}

/* Number of frames before the next one that is special or the last of its burst; 0 if the next frame is. */
static size_t plain_frames(const struct sender *sender, uint64_t *until_ot, size_t most)
{
	const uint64_t left = sender->frames - sender->pacer.frame;

	if (sender->origin_word == 0 || sender_next_ot(sender) < sender->uncounted_ot)
		return 0;
	if (left < most)
		most = (size_t)left;
	if (sender->pacer.settings.burst_frames != 0 && sender->pacer.burst_left - 1 < most)
		most = sender->pacer.burst_left - 1;
	if (sender->settings.bad_fcs_every != 0 && sender->bad_fcs_left - 1 < most)
		most = sender->bad_fcs_left - 1;
	if (sender->tag_armed && sender->tag_due_ot < *until_ot)
		*until_ot = sender->tag_due_ot;
	return most;
}

size_t sender_make(struct sender *sender, struct records *records, uint64_t until_ot, size_t room)
{
	struct dut_frame *out = sender->block + sender->pending;
	size_t made = 0;

	while (made < room && sender->bad_fcs_pending < SENDER_PENDING_FRAMES && sender_next_ot(sender) < until_ot) {
		uint64_t plain_until_ot = until_ot;
		size_t plain = plain_frames(sender, &plain_until_ot, room - made);

		if (sender->settings.random)
			plain = make_run(sender, records, plain_until_ot, out + made, plain, AT_RANDOM);
		else if (sender->settings.destinations == 1)
			plain = make_run(sender, records, plain_until_ot, out + made, plain, ONE_ENTRY);
		else
			plain = make_run(sender, records, plain_until_ot, out + made, plain, IN_TURN);
		if (sender->settings.bad_fcs_every != 0)
			sender->bad_fcs_left -= (uint32_t)plain;
		made += plain;
		if (plain == 0)
			make_frame(sender, records, &out[made++]);
	}
	return made;
}

/* -- what left ---------------------------------------------------------------------------------------------------- */

static void count_bad_fcs(struct sender *sender, uint64_t until_word)
{
	size_t done = 0;

	while (done < sender->bad_fcs_pending && sender->bad_fcs_word[done] <= until_word)
		done++;
	sender->bad_fcs_frames += done;
	sender->bad_fcs_pending -= done;
	memmove(sender->bad_fcs_word, sender->bad_fcs_word + done,
	        sender->bad_fcs_pending * sizeof(*sender->bad_fcs_word));
}

static void take_line(struct sender *sender, size_t made, uint64_t end_ot)
{
	size_t count = sender->pending + made;
	size_t over = line_meter_take(&sender->meter, sender->block, count, end_ot, 0, sender->gap_bins);

	sender->pending = count - over;
	memmove(sender->block, sender->block + over, sender->pending * sizeof(*sender->block));
}

void sender_measure(struct sender *sender, size_t made, uint64_t clock)
{
	take_line(sender, made, (clock - TX_METER_LAG + 1) * WORD_OCTETS);
	count_bad_fcs(sender, clock - TX_BAD_FCS_LAG);
}

bool sender_asks_gaps(const struct sender *sender, uint64_t clock)
{
	const struct line_meter *meter = &sender->meter;
	const uint64_t begin_ot = (clock - TX_GAP_ASK_CLOCKS) * WORD_OCTETS;
	bool ended = meter->ended;

	for (size_t i = 0; i < sender->pending; i++) {
		const struct dut_frame *frame = &sender->block[i];
		const bool started = i == 0 && meter->open;

		if (!started && frame->start_ot >= begin_ot)
			return ended && frame->start_ot < begin_ot + WORD_OCTETS;
		ended = ended || dut_frame_end_ot(frame) >= meter->from_ot;
	}
	return false;
}

void sender_times(const struct sender *sender, uint64_t clock, uint64_t *first_ot, uint64_t *last_ot)
{
	const struct line_meter *meter = &sender->meter;
	uint64_t end_ot = (clock - TX_METER_TIME_LAG + 1) * WORD_OCTETS;
	bool started = meter->started;

	*first_ot = meter->first_ot;
	*last_ot = meter->last_ot;
	for (size_t i = meter->open; i < sender->pending && sender->block[i].start_ot < end_ot; i++) {
		if (sender->block[i].start_ot < meter->from_ot)
			continue;
		if (!started)
			*first_ot = sender->block[i].start_ot;
		started = true;
		*last_ot = sender->block[i].start_ot;
	}
}

void sender_clear(struct sender *sender, uint64_t clock)
{
	line_meter_clear(&sender->meter, (clock + TX_GAP_SWEEP_CLOCKS - TX_CLEARED_METER_LAG + 1) * WORD_OCTETS);
	memset(sender->gap_bins, 0, sizeof(sender->gap_bins));
	count_bad_fcs(sender, clock + TX_BAD_FCS_CLEAR_LEAD);
	sender->bad_fcs_frames = 0;
	memset(sender->sent, 0, sizeof(sender->sent));
	sender->uncounted_ot = (clock + TX_CLEARED_LEAD + 1) * WORD_OCTETS;
}
