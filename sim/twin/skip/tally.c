// SPDX-License-Identifier: Apache-2.0
/* Sums over periods. */
#include "sim/twin/skip/tally.h"

#include <string.h>

void tally_take_sent(struct tally_sent *tally, const struct sender *sender)
{
	memcpy(tally->sent, sender->sent, sizeof(tally->sent));
	tally->bad_fcs_frames = sender->bad_fcs_frames;
	memcpy(tally->gap_bins, sender->gap_bins, sizeof(tally->gap_bins));
	tally->line = sender->meter;
}

void tally_take_received(struct tally_received *tally, const struct receiver *receiver)
{
	memcpy(tally->gap_bins, receiver->gap_bins, sizeof(tally->gap_bins));
	tally->line = receiver->meter;
	tally->counts = receiver->counts;
}

void tally_take(struct tally *tally, const struct sender *sender, const struct receiver *receiver)
{
	tally_take_sent(&tally->sent, sender);
	tally_take_received(&tally->received, receiver);
	memcpy(tally->streams, receiver->streams[sender->port], sender->flows * sizeof(*tally->streams));
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

static void step_of_bins(uint64_t *steps, const uint64_t *now, size_t count)
{
	for (size_t i = 0; i < count; i++)
		steps[i] = now[i] - steps[i];
}

void tally_step_streams(struct stream *steps, const struct stream *now, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct stream *step = &steps[i];

		step->next = now[i].next - step->next;
		step->received = now[i].received - step->received;
		step->latency.sum_groups = now[i].latency.sum_groups - step->latency.sum_groups;
		step->lost = now[i].lost - step->lost;
		step->duplicated = now[i].duplicated - step->duplicated;
		step->reordered = now[i].reordered - step->reordered;
		step->late = now[i].late - step->late;
		step->gaps = now[i].gaps - step->gaps;
		step->unexpected = now[i].unexpected - step->unexpected;
	}
}

static void step_of_counts(struct receiver_counts *step, const struct receiver_counts *now)
{
	step->frames = now->frames - step->frames;
	step->octets = now->octets - step->octets;
	step->bad_code = now->bad_code - step->bad_code;
	step->bad_short = now->bad_short - step->bad_short;
	step->bad_long = now->bad_long - step->bad_long;
	step->bad_fcs = now->bad_fcs - step->bad_fcs;
	step->foreign = now->foreign - step->foreign;
	step->other_run = now->other_run - step->other_run;
	step->bad_payload = now->bad_payload - step->bad_payload;
	step->wrong_port = now->wrong_port - step->wrong_port;
	step->received = now->received - step->received;
	step->sums.lost = now->sums.lost - step->sums.lost;
	step->sums.duplicated = now->sums.duplicated - step->sums.duplicated;
	step->sums.reordered = now->sums.reordered - step->sums.reordered;
	step->sums.late = now->sums.late - step->sums.late;
	step->sums.gaps = now->sums.gaps - step->sums.gaps;
	step->latency.sum_groups = now->latency.sum_groups - step->latency.sum_groups;
	step->last_ot = now->last_ot != step->last_ot;
	step->last_loss_ot = now->last_loss_ot != step->last_loss_ot;
	step_of_bins(step->bins, now->bins, LATENCY_BINS);
	step_of_bins(step->octaves, now->octaves, LATENCY_BINS);
}

void tally_step_sent(struct tally_sent *step, const struct sender *sender)
{
	for (size_t i = 0; i < TURNS_FLOWS; i++)
		step->sent[i] = sender->sent[i] - step->sent[i];
	step->bad_fcs_frames = sender->bad_fcs_frames - step->bad_fcs_frames;
	step_of_bins(step->gap_bins, sender->gap_bins, LINE_METER_BINS);
	step_of_line(&step->line, &sender->meter);
}

void tally_step_received(struct tally_received *step, const struct receiver *receiver)
{
	step_of_bins(step->gap_bins, receiver->gap_bins, LINE_METER_BINS);
	step_of_line(&step->line, &receiver->meter);
	step_of_counts(&step->counts, &receiver->counts);
}

void tally_step(struct tally *step, const struct sender *sender, const struct receiver *receiver)
{
	tally_step_sent(&step->sent, sender);
	tally_step_received(&step->received, receiver);
	tally_step_streams(step->streams, receiver->streams[sender->port], sender->flows);
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
	counts->bad_code += periods * step->bad_code;
	counts->bad_short += periods * step->bad_short;
	counts->bad_long += periods * step->bad_long;
	counts->bad_fcs += periods * step->bad_fcs;
	counts->foreign += periods * step->foreign;
	counts->other_run += periods * step->other_run;
	counts->bad_payload += periods * step->bad_payload;
	counts->wrong_port += periods * step->wrong_port;
	counts->received += periods * step->received;
	counts->sums.lost += periods * step->sums.lost;
	counts->sums.duplicated += periods * step->sums.duplicated;
	counts->sums.reordered += periods * step->sums.reordered;
	counts->sums.late += periods * step->sums.late;
	counts->sums.gaps += periods * step->sums.gaps;
	counts->latency.sum_groups += step->latency.sum_groups * periods;
	counts->last_ot += step->last_ot * by_ot;
	counts->last_loss_ot += step->last_loss_ot * by_ot;
}

static void jump_bins(uint64_t *bins, const uint64_t *steps, size_t count, uint64_t periods)
{
	for (size_t i = 0; i < count; i++)
		bins[i] += periods * steps[i];
}

void tally_repeat_streams(const struct stream *steps, uint64_t periods, struct stream *streams, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct stream *stream = &streams[i];
		const struct stream *step = &steps[i];

		stream->next = (stream->next + periods * step->next) & RECORD_SEQUENCE_MASK;
		stream->received += periods * step->received;
		stream->latency.sum_groups += step->latency.sum_groups * periods;
		stream->lost = (stream->lost + periods * step->lost) & RECORD_SEQUENCE_MASK;
		stream->duplicated += periods * step->duplicated;
		stream->reordered += periods * step->reordered;
		stream->late += periods * step->late;
		stream->gaps += periods * step->gaps;
		stream->unexpected += periods * step->unexpected;
	}
}

void tally_repeat_sent(const struct tally_sent *step, uint64_t periods, uint64_t by_ot, struct sender *sender)
{
	for (size_t i = 0; i < TURNS_FLOWS; i++)
		sender->sent[i] += periods * step->sent[i];
	sender->bad_fcs_frames += periods * step->bad_fcs_frames;
	jump_bins(sender->gap_bins, step->gap_bins, LINE_METER_BINS, periods);
	jump_line(&sender->meter, &step->line, periods, by_ot);
}

void tally_repeat_received(const struct tally_received *step, uint64_t periods, uint64_t by_ot,
                           struct receiver *receiver)
{
	struct receiver_counts *counts = &receiver->counts;

	jump_bins(receiver->gap_bins, step->gap_bins, LINE_METER_BINS, periods);
	jump_line(&receiver->meter, &step->line, periods, by_ot);
	jump_counts(counts, &step->counts, periods, by_ot);
	jump_bins(counts->bins, step->counts.bins, LATENCY_BINS, periods);
	jump_bins(counts->octaves, step->counts.octaves, LATENCY_BINS, periods);
}

void tally_repeat(const struct tally *step, uint64_t periods, uint64_t by_ot, struct sender *sender,
                  struct receiver *receiver)
{
	tally_repeat_sent(&step->sent, periods, by_ot, sender);
	tally_repeat_received(&step->received, periods, by_ot, receiver);
	tally_repeat_streams(step->streams, periods, receiver->streams[sender->port], sender->flows);
}
