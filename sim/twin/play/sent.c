// SPDX-License-Identifier: Apache-2.0
/* Counts what left a port: the line meter behind the sender, and the count of wrong FCS. */
#include <string.h>

#include "sim/twin/play/sender.h"

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

/* The meter counts frames that end with a terminate character; the gap after any other is a gap all the same. */
static void uncount_broken(struct sender *sender, size_t over)
{
	struct line_meter *meter = &sender->meter;

	for (size_t i = 0; i < over; i++) {
		const struct dut_frame *frame = &sender->block[i];

		if (!(frame->flags & DUT_FRAME_BROKEN) || dut_frame_end_ot(frame) < meter->from_ot)
			continue;
		meter->counts.frames--;
		meter->counts.octets -= frame->octets;
	}
}

static void take_line(struct sender *sender, size_t made, uint64_t end_ot)
{
	const size_t count = sender->pending + made;
	const bool even = sender->even && sender->pending == 0;
	const size_t over =
	        even ? line_meter_take_even(&sender->meter, sender->block, count, end_ot, 0, sender->gap_bins)
	             : line_meter_take(&sender->meter, sender->block, count, end_ot, 0, sender->gap_bins);

	if (sender->flags & FLOW_CODE_ERROR)
		uncount_broken(sender, over);
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
	return line_meter_measures(&sender->meter, sender->block, sender->pending,
	                           (clock - TX_GAP_ASK_CLOCKS) * WORD_OCTETS, WORD_OCTETS);
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

void sender_clear_counts(struct sender *sender, uint64_t clock)
{
	line_meter_clear(&sender->meter, (clock + TX_GAP_SWEEP_CLOCKS - TX_CLEARED_METER_LAG + 1) * WORD_OCTETS);
	memset(sender->gap_bins, 0, sizeof(sender->gap_bins));
	count_bad_fcs(sender, clock + TX_BAD_FCS_CLEAR_LEAD);
	sender->bad_fcs_frames = 0;
}
