// SPDX-License-Identifier: Apache-2.0
/* Frames of many sources: in a mesh every frame is of another stream than the one before. */
#include "host/base/uint128.h"
#include "sim/twin/play/receive_frame.h"

/* Frames with the same latency, which are not counted yet. */
struct alike {
	uint64_t groups, frames;
};

/* Sums for all streams together are in registers while the loop runs. Latencies are few, but they change from frame to
 * frame: each has a place by its last bits, and is counted when another one needs that. */
enum { PLACES = 16 };

struct sums {
	uint64_t last_ot, silence_ot, silence_start_ot;
	struct alike alike[PLACES];
};

static void count_alike(struct receiver *receiver, const struct alike *alike)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t base = receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS;
	const uint64_t shift = latency_bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]);
	const uint64_t latency_ot = alike->groups * GROUP_OCTETS;
	const struct latency all = {
	        .min_ot = latency_ot, .max_ot = latency_ot, .sum_groups = (uint128)alike->groups * alike->frames};

	if (alike->frames == 0)
		return;
	counts->bins[latency_bin(base, shift, alike->groups)] += alike->frames;
	counts->octaves[latency_octave(alike->groups).bin] += alike->frames;
	latency_merge(&counts->latency, &all);
}

static inline void count_times(struct sums *sums, uint64_t start_ot)
{
	if (start_ot - sums->last_ot > sums->silence_ot) {
		sums->silence_ot = start_ot - sums->last_ot;
		sums->silence_start_ot = sums->last_ot;
	}
	sums->last_ot = start_ot;
}

static inline void count_latency(struct receiver *receiver, struct sums *sums, struct stream *stream,
                                 uint64_t latency_ot)
{
	const uint64_t groups = latency_ot / GROUP_OCTETS;
	struct alike *alike = &sums->alike[groups % PLACES];

	if (latency_ot < stream->latency.min_ot)
		stream->latency.min_ot = latency_ot;
	if (latency_ot > stream->latency.max_ot)
		stream->latency.max_ot = latency_ot;
	stream->latency.sum_groups += groups;
	if (alike->groups != groups) {
		count_alike(receiver, alike);
		*alike = (struct alike){.groups = groups};
	}
	alike->frames++;
}

static void add(struct receiver *receiver, const struct sums *sums, size_t frames, uint32_t octets)
{
	struct receiver_counts *counts = &receiver->counts;

	for (unsigned i = 0; i < PLACES; i++)
		count_alike(receiver, &sums->alike[i]);
	counts->frames += frames;
	counts->received += frames;
	counts->octets += (uint64_t)frames * octets;
	counts->last_ot = sums->last_ot;
	counts->silence_ot = sums->silence_ot;
	counts->silence_start_ot = sums->silence_start_ot;
}

size_t receive_mixed(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                     size_t count)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t run = receiver->settings[RECEIVER_RUN_ID];
	const uint32_t octets = count != 0 ? frames[0].octets : 0;
	struct sums sums = {counts->last_ot, counts->silence_ot, counts->silence_start_ot, {{0, 0}}};
	size_t i;

	if (octets < MIN_FRAME_OCTETS || octets > receiver->settings[RECEIVER_MAX_FRAME_OCTETS])
		return 0;
	for (i = 0; i < count; i++) {
		const struct dut_frame *frame = &frames[i];
		const struct record *record = records_find(records, frame);
		const uint64_t sequence = record->sequence & RECORD_SEQUENCE_MASK;
		const uint32_t entry = receive_entry(record);
		struct stream *stream;

		if (frame->flags != 0 || frame->octets != octets || record->start >> RECORD_SOURCE_LSB != frame->from ||
		    record->sequence >> RECORD_RUN_LSB != run ||
		    !receiver_expects(receiver->settings, frame->from, entry))
			break;
		stream = &receiver->streams[frame->from][entry];
		if (sequence == stream->next)
			stream_take_next(stream, 1);
		else if (stream_take(stream, &counts->sums, sequence))
			counts->last_loss_ot = frame->start_ot;
		count_times(&sums, frame->start_ot);
		count_latency(receiver, &sums, stream, receive_latency(frame, record));
	}
	if (i != 0)
		add(receiver, &sums, i, octets);
	return i;
}
