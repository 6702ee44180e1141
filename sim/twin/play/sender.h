/* SPDX-License-Identifier: Apache-2.0 */
/* The transmit side of a port: hw/rtl/tx and the line meter behind it, frame by frame.
 *
 * Clocks are line words counted from reset; the caller says in which clock something happens, and advances time. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_SENDER_H
#define FPGAUGE_SIM_TWIN_PLAY_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/connections.h"
#include "sim/twin/play/frame_octets.h"
#include "sim/twin/play/hold.h"
#include "sim/twin/play/line_meter.h"
#include "sim/twin/play/pacer.h"
#include "sim/twin/play/records.h"
#include "sim/twin/play/rules.h"
#include "sim/twin/play/turns.h"

enum {
	SENDER_BLOCK_FRAMES = 256,  /* they fit in the first-level cache with their records and results */
	SENDER_SEGMENT_OCTETS = 64, /* least length of a frame, by padding */
	SENDER_PENDING_FRAMES = 64, /* made, but not yet taken by the meter: the table is 14 words ahead of it */
};

/* The settings that a start strobe latches (tx_* in docs/registers.md). */
struct sender_settings {
	struct pacer_settings pacer;
	struct turns_settings turns;
	struct rules_settings rules;
	uint64_t stop_frames, duration;
	bool tag_enable;
	uint64_t tag_first, tag_interval;
	uint32_t bad_fcs_every;
	bool obey_pause;
	uint8_t run_id;
};

/* Ways to choose the frames of a trial. With all but the last, frames have one length, and nothing is special about
 * them. */
enum sender_choice { CHOICE_ONE_FLOW, CHOICE_IN_TURN, CHOICE_DRAWN, CHOICE_DESCRIBED };

/* The next frame that the pacer has for a port with connections: taken when the frame before it starts, a segment if
 * there is one (hw/rtl/tx/tx.v). */
enum sender_prepared {
	PREPARED_NOTHING, /* a segment is waited for, as the port has no flows */
	PREPARED_TURN,
	PREPARED_SEGMENT,
};

struct sender_tcp {
	struct connections *connections;   /* borrowed; NULL: the port has none in this trial */
	const struct frame_tables *tables; /* borrowed: what is in the frames of flows */
	uint8_t flow;                      /* flow of connection 0 */
	uint8_t header_octets;
	enum sender_prepared prepared;
	uint64_t prepared_clock; /* the clock from which it is prepared */
	struct connections_sent segment;
};

struct sender {
	/* the current trial, or the last one */
	struct sender_settings settings;
	struct turns_summary summary;
	enum sender_choice choice;
	uint32_t flags;        /* FLOW_: that any frame has, those of rules included */
	struct pacer pacer;    /* the next frame: when, */
	struct turns turns;    /* and what, */
	struct rules rules;    /* unless it is of a rule */
	uint64_t origin_word;  /* the word of the line where the trial begins */
	uint64_t frames;       /* limit on frames that pass; UINT64_MAX: none */
	uint64_t end_ot;       /* frames that start at this time or later do not pass */
	uint64_t close_clock;  /* the last clock in which the trial goes on, unless `frames` closes it earlier */
	struct dut_frame last; /* made; octets 0: none yet */
	bool tag_armed;
	uint64_t tag_due_ot;
	uint32_t bad_fcs_left;

	struct hold hold; /* decides if the next frame may start */
	struct sender_tcp tcp;

	struct turns_tables tables; /* they may change while not sending */
	uint64_t sent[TURNS_FLOWS]; /* the next sequence number of a flow */
	uint32_t flows;             /* all frames that it has ever sent are of flows below this number */
	uint64_t uncounted_ot;      /* frames that start before this have number 0 and do not count, after a clear */

	struct line_meter meter;
	uint64_t gap_bins[LINE_METER_BINS];
	uint64_t bad_fcs_frames;
	uint64_t bad_fcs_word[SENDER_PENDING_FRAMES]; /* words of those to come */
	size_t bad_fcs_pending;

	uint64_t next_id;
	size_t pending; /* frames at the front of block that the meter has not passed */
	bool even;      /* the frames just made have one length and one average gap, without a burst in between */
	struct dut_frame block[SENDER_PENDING_FRAMES + SENDER_BLOCK_FRAMES];
	unsigned port; /* the port that it belongs to */
};

int sender_init(struct sender *sender, unsigned port); /* 0, or -1: out of memory */

/* NULL, or the reason why these settings cannot be played with the sender's tables. */
const char *sender_refuses(const struct sender *sender, const struct sender_settings *settings);

/* The strobes. start: only while not sending. */
void sender_start(struct sender *sender, const struct sender_settings *settings, uint64_t clock);
void sender_stop(struct sender *sender, uint64_t clock);
void sender_clear(struct sender *sender, uint64_t clock);

/* tx_send in a clock. The frames up to the word of sender_begun() must have been made: as soon as one that was asked
 * for has begun, the next one may be. */
void sender_ask(struct sender *sender, const struct descriptor *frame, uint64_t clock);

/* Word of the line that the pacer was at in the clock before this one. */
static inline uint64_t sender_begun(uint64_t clock)
{
	return clock + TX_LATENCY - 1;
}

/* `sending` of tx.v in this clock, up to which everything has been played if sender_sending_depends(). */
bool sender_sending(const struct sender *sender, uint64_t clock);
bool sender_sending_depends(const struct sender *sender, uint64_t clock);

/* True if a frame accesses the table of counts in this clock, up to which everything has been played. */
bool sender_asks_table(const struct sender *sender, uint64_t clock);

static inline uint64_t sender_origin_ot(const struct sender *sender)
{
	return sender->origin_word * WORD_OCTETS;
}

/* The clock in which the pacer is at a word of the line. */
static inline uint64_t sender_paced_clock(uint64_t start_ot)
{
	return start_ot / WORD_OCTETS - TX_LATENCY;
}

/* A place in time waits for a segment, a word at a time, if there are no flows. UINT64_MAX: none is known. */
static inline uint64_t sender_segment_wait(const struct sender *sender, uint64_t place_octets)
{
	const uint64_t clock = sender_paced_clock(sender_origin_ot(sender) + place_octets);

	if (sender->tcp.prepared != PREPARED_SEGMENT)
		return UINT64_MAX;
	return place_octets +
	       (sender->tcp.prepared_clock > clock ? (sender->tcp.prepared_clock - clock) * WORD_OCTETS : 0);
}

/* Octet time from the origin at which the next frame is due; UINT64_MAX: there is none without flows. */
static inline uint64_t sender_due_octets(const struct sender *sender, const struct pacer *pacer,
                                         const struct rules *rules)
{
	const uint64_t start_octets = pacer_start_octets(pacer);
	uint64_t by_rule, by_segment;

	if (sender->settings.turns.flows != 0)
		return start_octets;
	by_rule = rules_wait(rules, start_octets);
	by_segment = sender_segment_wait(sender, start_octets);
	return by_rule < by_segment ? by_rule : by_segment;
}

/* Octet time from the origin at which it starts, as far as is known: later, if it is held. */
static inline uint64_t sender_start_octets(const struct sender *sender, const struct pacer *pacer,
                                           const struct rules *rules)
{
	const uint64_t due_octets = sender_due_octets(sender, pacer, rules);

	if (!sender->hold.obeys || due_octets == UINT64_MAX)
		return due_octets;
	return hold_start_ot(&sender->hold, sender_origin_ot(sender) + due_octets) - sender_origin_ot(sender);
}

/* The frame of the segment that is next. */
static inline struct descriptor sender_segment(const struct sender *sender)
{
	const uint16_t octets = sender->tcp.segment.octets;

	return (struct descriptor){.flow = (uint8_t)(sender->tcp.flow + sender->tcp.segment.connection),
	                           .flags = FLOW_UNSIGNED,
	                           .octets = octets < SENDER_SEGMENT_OCTETS ? (uint16_t)SENDER_SEGMENT_OCTETS : octets};
}

/* Takes the next frame, at its start, and goes on to the one after it. The frame of a rule takes the place in time of
 * the one whose turn it is, which has the next place. */
static inline struct descriptor sender_take(const struct sender *sender, struct pacer *pacer, struct turns *turns,
                                            struct rules *rules)
{
	const struct sender_settings *settings = &sender->settings;
	const uint64_t start_octets = sender_start_octets(sender, pacer, rules);
	struct descriptor frame;

	pacer->ideal_octets += start_octets - pacer_start_octets(pacer);
	if (start_octets >= rules->due_octets) {
		frame = rules_take(rules, &settings->rules, start_octets);
	} else {
		if (start_octets >= pacer->due_octets)
			pacer_begin_phase(pacer, &settings->pacer);
		frame = sender->tcp.prepared == PREPARED_SEGMENT ? sender_segment(sender)
		                                                 : turns_take(turns, &settings->turns, &sender->tables);
	}
	pacer_step(pacer, &settings->pacer, frame.octets);
	return frame;
}

/* -- frames.c ------------------------------------------------------------------------------------------------------ */

/* Makes the frames that may start before until_ot, after the pending ones in block; room is at most
 * SENDER_BLOCK_FRAMES. There must be room for their records. Returns how many; if it is none, none is left before
 * until_ot. described: for a device that reads them, frames have their flow as `from`, and a wrong FCS as a flag. */
size_t sender_make(struct sender *sender, struct records *records, uint64_t until_ot, size_t room, bool described);

/* Start of the next frame if the trial goes on and has one; else UINT64_MAX. */
static inline uint64_t sender_next_ot(const struct sender *sender)
{
	const uint64_t start_octets = sender_start_octets(sender, &sender->pacer, &sender->rules);
	const uint64_t start_ot = sender_origin_ot(sender) + start_octets;

	return start_octets != UINT64_MAX && sender->pacer.frame < sender->frames && start_ot < sender->end_ot
	               ? start_ot
	               : UINT64_MAX;
}

/* Octet time at which the next frame is due, which is before its start if it is held. */
static inline uint64_t sender_due_ot(const struct sender *sender)
{
	return sender_origin_ot(sender) + sender_due_octets(sender, &sender->pacer, &sender->rules);
}

/* True if the next frame may start in the trial: it does not if it is held up to the end. */
static inline bool sender_has_due(const struct sender *sender)
{
	return sender_due_octets(sender, &sender->pacer, &sender->rules) != UINT64_MAX &&
	       sender->pacer.frame < sender->frames && sender_due_ot(sender) < sender->end_ot;
}

/* -- segments.c ---------------------------------------------------------------------------------------------------- */

/* Plays the connections, if there are any, as far as frames may be made that start before until_ot: to the next segment
 * of a port without flows that waits for one, or to the end. */
void sender_play_connections(struct sender *sender, uint64_t until_ot);

/* A frame that has just been taken, of a rule or not, started at this time: what is next. */
void sender_prepare_next(struct sender *sender, uint64_t start_ot, bool of_rule);

/* Notes what a frame with the segment that is next has in it besides its record. */
void sender_note_segment(const struct sender *sender, struct record_segment *segment);

/* The strobe of a start, after sender_start(). */
void sender_start_connections(struct sender *sender, uint64_t clock);

/* -- sent.c -------------------------------------------------------------------------------------------------------- */

/* Adds the frames just made to the pending ones; then advances the meter and the count of wrong FCS to a clock. */
void sender_measure(struct sender *sender, size_t made, uint64_t clock);

/* Words in which a frame was due and was held, as a snapshot in this clock sees them. */
uint64_t sender_held_words(const struct sender *sender, uint64_t clock);

/* First and last time as a snapshot in this clock sees them. */
void sender_times(const struct sender *sender, uint64_t clock, uint64_t *first_ot, uint64_t *last_ot);

/* True if a gap accesses the histogram in this clock, up to which everything has been played. */
bool sender_asks_gaps(const struct sender *sender, uint64_t clock);

/* Clears the counts, as the strobe of a clear does. */
void sender_clear_counts(struct sender *sender, uint64_t clock);

#endif
