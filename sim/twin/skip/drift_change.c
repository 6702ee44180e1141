// SPDX-License-Identifier: Apache-2.0
/* Changes a direction as a leap would. */
#include "sim/twin/skip/drift_leap.h"

#include "host/base/uint128.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/direction.h"
#include "sim/twin/skip/drift_bursts.h"

static uint64_t after(const struct leap *leap, int64_t groups)
{
	return leap->base_ot + (uint64_t)(groups * GROUP_OCTETS);
}

/* Times that were left between, all in all; *longest: of those. */
static uint64_t sum_between(const struct drift_sums *sums, uint64_t *longest)
{
	uint64_t groups = 0;

	*longest = 0;
	for (int64_t i = 0; i < DRIFT_SPAN; i++) {
		if (sums->between[i] == 0)
			continue;
		*longest = (uint64_t)(sums->between_base + i);
		groups += sums->between[i] * *longest;
	}
	return groups;
}

bool leap_agrees(const struct direction *direction, const struct leap *leap, bool *silence)
{
	const struct receiver *receiver = direction->receiver;
	bool lost_before = false;
	uint64_t longest, groups = sum_between(leap->sums, &longest);

	for (size_t i = 0; i < leap->flows->flows; i++)
		lost_before = lost_before || (!leap->flows->gone[i] && leap->flows->behind[i] != 0);
	*silence = longest * GROUP_OCTETS > receiver->counts.silence_ot;
	return after(leap, leap->end.departure_groups) - receiver->counts.last_ot == groups * GROUP_OCTETS &&
	       receiver->meter.last_ot == receiver->counts.last_ot && !*silence && (!lost_before || leap->end.lost);
}

/* The turns repeat after a period. */
static void add_sent(struct sender *sender, const struct drift_flows *flows, int64_t frames)
{
	for (size_t i = 0; i < flows->flows; i++)
		sender->sent[flows->number[i]] += (uint64_t)(frames / flows->period * flows->frames[i]);
	for (int64_t k = 0; k < frames % flows->period; k++) {
		sender->sent[flows->number[flows->turn[k].flow]]++;
		turns_take(&sender->turns, &sender->settings.turns, &sender->tables);
	}
}

/* Gaps of the sender between the frames of a leap: within a burst they have two lengths. */
static void add_gaps(struct sender *sender, const struct leap *leap)
{
	const struct drift_fifo *is = &leap->is;
	const uint64_t line_octets = DUT_PREAMBLE_OCTETS + sender->settings.turns.frame_octets;
	const uint64_t frames = leap->sums->frames, least = (uint64_t)is->load / (8 * (uint64_t)is->load_parts);
	const uint64_t bursts =
	        is->burst_frames != 0 ? (frames - 1 + (uint64_t)is->burst_place) / (uint64_t)is->burst_frames : 0;
	uint64_t groups = (uint64_t)leap->end.start_groups, longer;

	/* Eight bursts later a group begins at the same place. */
	for (uint64_t i = 0; i < GROUP_OCTETS && i < bursts; i++) {
		const uint64_t gaps = (bursts - i + GROUP_OCTETS - 1) / GROUP_OCTETS;
		const int64_t first = is->burst_frames * (int64_t)(i + 1) - is->burst_place;
		const uint64_t apart = (uint64_t)(drift_start_of(is, first) - drift_start_of(is, first - 1));

		line_meter_add(&sender->meter, apart * GROUP_OCTETS - line_octets, gaps, 0, sender->gap_bins);
		groups -= gaps * apart;
	}
	longer = groups - (frames - 1 - bursts) * least;
	line_meter_add(&sender->meter, least * GROUP_OCTETS - line_octets, frames - 1 - bursts - longer, 0,
	               sender->gap_bins);
	line_meter_add(&sender->meter, (least + 1) * GROUP_OCTETS - line_octets, longer, 0, sender->gap_bins);
}

static void move_pacer(struct pacer *pacer, const struct drift_fifo *is, uint64_t frames)
{
	const uint128 moved = (uint128)(uint64_t)is->load * frames + pacer->fraction;
	const uint64_t parts = (uint64_t)is->load_parts;

	pacer->frame += frames;
	if (is->burst_frames != 0) {
		pacer->ideal_octets += (uint64_t)(drift_ideal_of(is, (int64_t)frames) - drift_ideal_of(is, 0));
		pacer->burst_left =
		        (uint32_t)(is->burst_frames - ((int64_t)frames + is->burst_place) % is->burst_frames);
		return;
	}
	pacer->ideal_octets += (uint64_t)(moved / parts);
	pacer->fraction = (uint32_t)(moved % parts);
}

static void change_sender(struct sender *sender, struct records *records, const struct leap *leap)
{
	const uint64_t frames = leap->sums->frames, last_ot = after(leap, leap->end.start_groups);
	const uint32_t octets = sender->settings.turns.frame_octets;

	line_meter_add(&sender->meter, leap->base_ot - sender->meter.ended_ot, 1, 0, sender->gap_bins);
	add_gaps(sender, leap);
	line_meter_move(&sender->meter, frames, octets, last_ot);
	move_pacer(&sender->pacer, &leap->is, frames);
	add_sent(sender, leap->flows, (int64_t)frames);
	sender->next_id += frames;
	sender->last = (struct dut_frame){.start_ot = last_ot, .id = sender->next_id - 1, .octets = octets};
	records->oldest = sender->next_id;
}

/* Returns the number of frames. */
static uint64_t add_latencies(struct receiver *receiver, struct stream *stream, int64_t latency_base,
                              const uint64_t *counted, int64_t span)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t base = receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS;
	const uint64_t shift = latency_bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]);
	uint64_t frames = 0;

	for (int64_t i = 0; i < span; i++) {
		const uint64_t groups = (uint64_t)(latency_base + i), times = counted[i];
		const struct latency latency = {.min_ot = groups * GROUP_OCTETS,
		                                .max_ot = groups * GROUP_OCTETS,
		                                .sum_groups = (uint128)groups * times};

		if (times == 0)
			continue;
		latency_merge(&counts->latency, &latency);
		latency_merge(&stream->latency, &latency);
		counts->bins[latency_bin(base, shift, groups)] += times;
		counts->octaves[latency_octave(groups).bin] += times;
		frames += times;
	}
	return frames;
}

/* Changes the stream of the flow with this index. Returns the number of frames received. */
static uint64_t change_stream(struct receiver *receiver, struct stream *stream, const struct leap *leap, size_t i)
{
	const struct drift_flow_sums *sums = &leap->sums->flow[i];
	const uint64_t received =
	        add_latencies(receiver, stream, leap->sums->latency_base, sums->latency, leap->sums->span);
	const uint64_t passed = (uint64_t)(leap->end.arrived.last[i] + 1 + leap->flows->behind[i]);

	stream->next = (stream->next + passed) & RECORD_SEQUENCE_MASK;
	stream->window = leap->end.arrived.window[i];
	stream->received += received;
	stream->lost = (stream->lost + passed - received) & RECORD_SEQUENCE_MASK;
	stream->gaps += sums->gaps;
	receiver->counts.sums.lost += passed - received;
	receiver->counts.sums.gaps += sums->gaps;
	return received;
}

static void change_receiver(struct direction *direction, const struct leap *leap)
{
	struct receiver *receiver = direction->receiver;
	struct receiver_counts *counts = &receiver->counts;
	struct stream *streams = receiver->streams[direction->sender.port];
	const struct drift_sums *sums = leap->sums;
	uint64_t received = 0;
	const uint32_t octets = direction->sender.settings.turns.frame_octets;

	for (size_t i = 0; i < leap->flows->flows; i++)
		received += change_stream(receiver, &streams[leap->flows->number[i]], leap, i);
	counts->frames += received;
	counts->received += received;
	counts->octets += received * octets;
	counts->last_ot = after(leap, leap->end.departure_groups);
	if (leap->end.lost)
		counts->last_loss_ot = after(leap, leap->end.loss_departure_groups);
	for (int64_t i = 0; i < DRIFT_SPAN; i++)
		if (sums->between[i] != 0)
			line_meter_add(&receiver->meter,
			               (uint64_t)(sums->between_base + i) * GROUP_OCTETS - DUT_PREAMBLE_OCTETS - octets,
			               sums->between[i], receiver->short_gap_octets, receiver->gap_bins);
	line_meter_move(&receiver->meter, received, octets, counts->last_ot);
}

void leap_take(struct direction *direction, const struct leap *leap)
{
	change_receiver(direction, leap);
	change_sender(&direction->sender, direction->records, leap);
}
