// SPDX-License-Identifier: Apache-2.0
/* Sums over periods. */
#include "sim/twin/tally.h"

#include <string.h>

void tally_take(struct tally *tally, const struct sender *sender, const struct receiver *receiver)
{
	memcpy(tally->sent, sender->sent, sizeof(tally->sent));
	tally->bad_fcs_frames = sender->bad_fcs_frames;
	memcpy(tally->gap_bins, sender->gap_bins, sizeof(tally->gap_bins));
	tally->sent_line = sender->meter;
	tally->received_line = receiver->meter;
	tally->counts = receiver->counts;
}

/* -- what has been added ------------------------------------------------------------------------------------------- */

static void step_of_line(struct line_meter *step, const struct line_meter *now)
{
	step->counts.frames = now->counts.frames - step->counts.frames;
	step->counts.octets = now->counts.octets - step->counts.octets;
	step->counts.gaps = now->counts.gaps - step->counts.gaps;
	step->counts.gap_sum_octets = now->counts.gap_sum_octets - step->counts.gap_sum_octets;
	step->counts.short_gaps = now->counts.short_gaps - step->counts.short_gaps;
	step->last_ot = now->last_ot != step->last_ot;
	step->ended_ot = now->ended_ot != step->ended_ot;
}

static void step_of_counts(struct receiver_counts *step, const struct receiver_counts *now)
{
	step->frames = now->frames - step->frames;
	step->octets = now->octets - step->octets;
	step->bad_short = now->bad_short - step->bad_short;
	step->bad_long = now->bad_long - step->bad_long;
	step->bad_fcs = now->bad_fcs - step->bad_fcs;
	step->other_run = now->other_run - step->other_run;
	step->wrong_port = now->wrong_port - step->wrong_port;
	step->received = now->received - step->received;
	step->lost = now->lost - step->lost;
	step->duplicated = now->duplicated - step->duplicated;
	step->reordered = now->reordered - step->reordered;
	step->late = now->late - step->late;
	step->gaps = now->gaps - step->gaps;
	step->latency_sum_groups = now->latency_sum_groups - step->latency_sum_groups;
	step->last_ot = now->last_ot != step->last_ot;
	step->last_loss_ot = now->last_loss_ot != step->last_loss_ot;
	for (size_t i = 0; i < RECEIVER_BINS; i++)
		step->bins[i] = now->bins[i] - step->bins[i];
	for (size_t i = 0; i < RECEIVER_STREAMS; i++) {
		struct stream *stream = &step->streams[i];

		stream->next = now->streams[i].next - stream->next;
		stream->received = now->streams[i].received - stream->received;
		stream->lost = now->streams[i].lost - stream->lost;
		stream->duplicated = now->streams[i].duplicated - stream->duplicated;
		stream->reordered = now->streams[i].reordered - stream->reordered;
		stream->late = now->streams[i].late - stream->late;
		stream->gaps = now->streams[i].gaps - stream->gaps;
	}
}

void tally_step(struct tally *step, const struct sender *sender, const struct receiver *receiver)
{
	for (size_t i = 0; i < SENDER_ENTRIES; i++)
		step->sent[i] = sender->sent[i] - step->sent[i];
	step->bad_fcs_frames = sender->bad_fcs_frames - step->bad_fcs_frames;
	for (size_t i = 0; i < LINE_METER_BINS; i++)
		step->gap_bins[i] = sender->gap_bins[i] - step->gap_bins[i];
	step_of_line(&step->sent_line, &sender->meter);
	step_of_line(&step->received_line, &receiver->meter);
	step_of_counts(&step->counts, &receiver->counts);
}

/* -- many times ---------------------------------------------------------------------------------------------------- */

static void jump_line(struct line_meter *meter, const struct line_meter *step, uint64_t periods, uint64_t by_ot)
{
	meter->counts.frames += periods * step->counts.frames;
	meter->counts.octets += periods * step->counts.octets;
	meter->counts.gaps += periods * step->counts.gaps;
	meter->counts.gap_sum_octets += periods * step->counts.gap_sum_octets;
	meter->counts.short_gaps += periods * step->counts.short_gaps;
	meter->last_ot += step->last_ot * by_ot;
	meter->ended_ot += step->ended_ot * by_ot;
}

static void jump_counts(struct receiver_counts *counts, const struct receiver_counts *step, uint64_t periods,
                        uint64_t by_ot)
{
	counts->frames += periods * step->frames;
	counts->octets += periods * step->octets;
	counts->bad_short += periods * step->bad_short;
	counts->bad_long += periods * step->bad_long;
	counts->bad_fcs += periods * step->bad_fcs;
	counts->other_run += periods * step->other_run;
	counts->wrong_port += periods * step->wrong_port;
	counts->received += periods * step->received;
	counts->lost += periods * step->lost;
	counts->duplicated += periods * step->duplicated;
	counts->reordered += periods * step->reordered;
	counts->late += periods * step->late;
	counts->gaps += periods * step->gaps;
	counts->latency_sum_groups += step->latency_sum_groups * periods;
	counts->last_ot += step->last_ot * by_ot;
	counts->last_loss_ot += step->last_loss_ot * by_ot;
}

static void jump_tables(struct receiver_counts *counts, const struct receiver_counts *step, uint64_t periods)
{
	for (size_t i = 0; i < RECEIVER_BINS; i++)
		counts->bins[i] += periods * step->bins[i];
	for (size_t i = 0; i < RECEIVER_STREAMS; i++) {
		struct stream *stream = &counts->streams[i];

		stream->next = (stream->next + periods * step->streams[i].next) & RECORD_SEQUENCE_MASK;
		stream->received += periods * step->streams[i].received;
		stream->lost = (stream->lost + periods * step->streams[i].lost) & RECORD_SEQUENCE_MASK;
		stream->duplicated += periods * step->streams[i].duplicated;
		stream->reordered += periods * step->streams[i].reordered;
		stream->late += periods * step->streams[i].late;
		stream->gaps += periods * step->streams[i].gaps;
	}
}

void tally_repeat(const struct tally *step, uint64_t periods, uint64_t by_ot, struct sender *sender,
                  struct receiver *receiver)
{
	for (size_t i = 0; i < SENDER_ENTRIES; i++)
		sender->sent[i] += periods * step->sent[i];
	sender->bad_fcs_frames += periods * step->bad_fcs_frames;
	for (size_t i = 0; i < LINE_METER_BINS; i++)
		sender->gap_bins[i] += periods * step->gap_bins[i];
	jump_line(&sender->meter, &step->sent_line, periods, by_ot);
	jump_line(&receiver->meter, &step->received_line, periods, by_ot);
	jump_counts(&receiver->counts, &step->counts, periods, by_ot);
	jump_tables(&receiver->counts, &step->counts, periods);
}
