// SPDX-License-Identifier: Apache-2.0
/* Frames of many sources: in a mesh every frame is of another stream than the one before. */
#include "sim/twin/receive_frame.h"

/* What is counted for all streams together, in registers while the loop runs. */
struct sums {
	uint64_t last_ot, silence_ot, silence_start_ot;
	uint64_t least, most, groups; /* latencies */
	uint64_t alike, alike_groups; /* frames so far that had the same latency, which is not in the histograms yet */
};

static void count_alike(struct receiver *receiver, const struct sums *sums)
{
	const uint64_t base = receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS;
	const uint64_t shift = latency_bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]);

	receiver->counts.bins[latency_bin(base, shift, sums->alike_groups)] += sums->alike;
	receiver->counts.octaves[latency_octave(sums->alike_groups).bin] += sums->alike;
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

	latency_add(&stream->latency, latency_ot);
	sums->groups += groups;
	if (groups == sums->alike_groups) {
		sums->alike++;
		return;
	}
	count_alike(receiver, sums);
	sums->alike = 1;
	sums->alike_groups = groups;
	sums->least = groups < sums->least ? groups : sums->least;
	sums->most = groups > sums->most ? groups : sums->most;
}

static void add(struct receiver *receiver, const struct sums *sums, size_t frames, uint32_t octets)
{
	struct receiver_counts *counts = &receiver->counts;
	const struct latency all = {
	        .min_ot = sums->least * GROUP_OCTETS, .max_ot = sums->most * GROUP_OCTETS, .sum_groups = sums->groups};

	if (frames == 0)
		return;
	count_alike(receiver, sums);
	latency_merge(&counts->latency, &all);
	counts->frames += frames;
	counts->received += frames;
	counts->octets += (uint64_t)frames * octets;
	counts->last_ot = sums->last_ot;
	counts->silence_ot = sums->silence_ot;
	counts->silence_start_ot = sums->silence_start_ot;
}

/* In a mesh a receiver needs a record here and there of every port: too irregular for the processor to see it coming.
 */
static inline void expect_record(const struct records *records, const struct dut_frame *frames, size_t i, size_t count)
{
	enum { AHEAD = 12 };

	if (i + AHEAD < count)
		__builtin_prefetch(records_find(records, &frames[i + AHEAD]));
}

size_t receive_mixed(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                     size_t count)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t run = receiver->settings[RECEIVER_RUN_ID];
	const uint32_t octets = count != 0 ? frames[0].octets : 0;
	const uint64_t first =
	        count != 0 ? receive_latency(&frames[0], records_find(records, &frames[0])) / GROUP_OCTETS : 0;
	struct sums sums = {counts->last_ot, counts->silence_ot, counts->silence_start_ot, first, first, 0, 0, first};
	size_t i;

	if (octets < MIN_FRAME_OCTETS || octets > receiver->settings[RECEIVER_MAX_FRAME_OCTETS])
		return 0;
	for (i = 0; i < count; i++) {
		const struct dut_frame *frame = &frames[i];
		const struct record *record = records_find(records, frame);
		const uint64_t sequence = record->sequence & RECORD_SEQUENCE_MASK;
		const uint32_t entry = receive_entry(record);
		struct stream *stream;

		expect_record(records, frames, i, count);
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
	add(receiver, &sums, i, octets);
	return i;
}
