// SPDX-License-Identifier: Apache-2.0
/* Classes, the sequence check, times, latency. hw/rtl/rx defines what happens in which clock. */
#include "sim/twin/receiver.h"

#include <stdlib.h>
#include <string.h>

#include "sim/twin/clocks.h"

enum {
	FIRST_CAPACITY = 4096,
	WINDOW = 64,
	REGULAR_BINS = RECEIVER_BINS - 2,
	GROUP_LOG2 = 3,
};

static const uint64_t LATENCY_MASK_OT = ((UINT64_C(1) << 40) - 1) * GROUP_OCTETS;
static const uint64_t COUNT_MASK = (UINT64_C(1) << 48) - 1;

static void clear_counts(struct receiver_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	counts->latency_min_ot = UINT64_MAX;
}

int receiver_init(struct receiver *receiver, uint8_t port, uint8_t source)
{
	*receiver = (struct receiver){.port = port, .source = source, .capacity = FIRST_CAPACITY};
	clear_counts(&receiver->counts);
	line_meter_clear(&receiver->meter, 0);
	receiver->queue = malloc(FIRST_CAPACITY * sizeof(*receiver->queue));
	return receiver->queue != NULL ? 0 : -1;
}

void receiver_release(struct receiver *receiver)
{
	free(receiver->queue);
	receiver->queue = NULL;
}

struct dut_frame *receiver_room(struct receiver *receiver, size_t count)
{
	size_t held = receiver->end - receiver->counted;
	struct dut_frame *queue;

	if (receiver->capacity - receiver->end >= count)
		return receiver->queue + receiver->end;
	if (held + count > receiver->capacity / 2) {
		queue = realloc(receiver->queue, 2 * (receiver->capacity + count) * sizeof(*queue));
		if (queue == NULL)
			return NULL;
		receiver->queue = queue;
		receiver->capacity = 2 * (receiver->capacity + count);
	}
	memmove(receiver->queue, receiver->queue + receiver->counted, held * sizeof(*receiver->queue));
	receiver->metered -= receiver->counted;
	receiver->counted = 0;
	receiver->end = held;
	return receiver->queue + held;
}

void receiver_call_off(struct receiver *receiver, uint64_t from_ot)
{
	while (receiver->end > receiver->metered && receiver->queue[receiver->end - 1].start_ot >= from_ot)
		receiver->end--;
}

uint64_t receiver_oldest_id(const struct receiver *receiver, uint64_t lowest)
{
	for (size_t i = receiver->counted; i < receiver->end; i++)
		if (receiver->queue[i].id < lowest)
			lowest = receiver->queue[i].id;
	return lowest;
}

/* -- settings ----------------------------------------------------------------------------------------------------- */

void receiver_set(struct receiver *receiver, enum receiver_setting setting, uint64_t value, uint64_t clock)
{
	static const uint64_t lag[RECEIVER_SETTINGS] = {
	        [RECEIVER_RUN_ID] = RX_RUN_ID_LAG,
	        [RECEIVER_MAX_FRAME_OCTETS] = RX_MAX_FRAME_LAG,
	        [RECEIVER_HISTOGRAM_BASE] = RX_HISTOGRAM_LAG,
	        [RECEIVER_HISTOGRAM_WIDTH_LOG2] = RX_HISTOGRAM_LAG,
	};
	uint64_t word = clock > lag[setting] ? clock - lag[setting] : 0;

	receiver->changes[receiver->change_count++] =
	        (struct receiver_change){.from_ot = word * WORD_OCTETS, .setting = setting, .value = value};
}

/* Changes to one setting are stored in the order in which they take effect. */
static void apply_changes(struct receiver *receiver, uint64_t until_ot)
{
	size_t left = 0;

	for (size_t i = 0; i < receiver->change_count; i++) {
		const struct receiver_change *change = &receiver->changes[i];

		if (change->from_ot <= until_ot)
			receiver->settings[change->setting] = change->value;
		else
			receiver->changes[left++] = *change;
	}
	receiver->change_count = left;
}

static uint64_t next_change_ot(const struct receiver *receiver)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < receiver->change_count; i++)
		if (receiver->changes[i].from_ot < next)
			next = receiver->changes[i].from_ot;
	return next;
}

/* -- frames ------------------------------------------------------------------------------------------------------- */

/* As hw/rtl/rx/rx_sequence.v. True if numbers were skipped. */
static bool check_sequence(struct receiver_counts *counts, struct stream *stream, uint64_t sequence)
{
	uint64_t ahead = (sequence - stream->next) & COUNT_MASK;
	uint64_t behind = (stream->next - 1 - sequence) & COUNT_MASK;
	bool below = sequence < stream->next;

	stream->received++;
	if (!below && ahead >> 47 == 0) {
		stream->next = (sequence + 1) & COUNT_MASK;
		stream->window = ahead < WINDOW - 1 ? stream->window << (ahead + 1) | 1 : 1;
		stream->lost = (stream->lost + ahead) & COUNT_MASK;
		counts->lost += ahead;
		stream->gaps += ahead != 0;
		counts->gaps += ahead != 0;
		return ahead != 0;
	}
	if (!below || behind >= WINDOW) {
		stream->late++;
		counts->late++;
	} else if (stream->window >> behind & 1) {
		stream->duplicated++;
		counts->duplicated++;
	} else {
		stream->window |= UINT64_C(1) << behind;
		stream->reordered++;
		counts->reordered++;
		stream->lost = (stream->lost - 1) & COUNT_MASK;
		counts->lost--;
	}
	return false;
}

static void count_times(struct receiver_counts *counts, uint64_t start_ot, bool gap)
{
	if (counts->received == 0) {
		counts->first_ot = start_ot;
	} else if (start_ot - counts->last_ot > counts->silence_ot) {
		counts->silence_ot = start_ot - counts->last_ot;
		counts->silence_start_ot = counts->last_ot;
	}
	counts->last_ot = start_ot;
	if (gap)
		counts->last_loss_ot = start_ot;
}

/* As hw/rtl/rx/rx_histogram.v: a bin is at least one group of 8. Base and latency are counted in groups. */
static uint64_t bin_shift(uint64_t width_log2)
{
	return width_log2 < GROUP_LOG2 ? 0 : width_log2 - GROUP_LOG2;
}

static inline size_t bin_of(uint64_t base_groups, uint64_t shift, uint64_t latency_ot)
{
	uint64_t groups = latency_ot / GROUP_OCTETS;
	uint64_t bin = (groups - base_groups) >> shift;

	if (groups < base_groups)
		return 0;
	return bin < REGULAR_BINS ? bin + 1 : RECEIVER_BINS - 1;
}

static void count_latency(struct receiver *receiver, uint64_t latency_ot)
{
	struct receiver_counts *counts = &receiver->counts;

	if (latency_ot < counts->latency_min_ot)
		counts->latency_min_ot = latency_ot;
	if (latency_ot > counts->latency_max_ot)
		counts->latency_max_ot = latency_ot;
	counts->latency_sum_groups += latency_ot / GROUP_OCTETS;
	counts->bins[bin_of(receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS,
	                    bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]), latency_ot)]++;
}

static void count_received(struct receiver *receiver, const struct dut_frame *frame, const struct record *record)
{
	struct receiver_counts *counts = &receiver->counts;
	uint32_t entry = record->sequence >> RECORD_ENTRY_LSB & (RECEIVER_STREAMS - 1);
	uint64_t latency_ot = (frame->start_ot - (record->start & RECORD_START_MASK)) & LATENCY_MASK_OT;

	count_times(counts, frame->start_ot,
	            check_sequence(counts, &counts->streams[entry], record->sequence & RECORD_SEQUENCE_MASK));
	counts->received++;
	count_latency(receiver, latency_ot);
	if (record->start & RECORD_TAG) {
		if (counts->tagged < RECEIVER_TAGS)
			receiver->tags[counts->tagged] =
			        (struct receiver_tag){.stream = receiver->source * (uint32_t)RECEIVER_STREAMS + entry,
			                              .latency_ot = latency_ot,
			                              .start_ot = frame->start_ot};
		counts->tagged++;
	}
}

static bool is_good(const struct dut_frame *frame, const struct record *record, uint64_t max_frame_octets)
{
	return frame->octets >= MIN_FRAME_OCTETS && frame->octets <= max_frame_octets &&
	       !(frame->flags & DUT_FRAME_CORRUPT) && !(record->start & RECORD_BAD_FCS);
}

static void count_frame(struct receiver *receiver, const struct dut_frame *frame, const struct record *record)
{
	struct receiver_counts *counts = &receiver->counts;

	if (!is_good(frame, record, receiver->settings[RECEIVER_MAX_FRAME_OCTETS])) {
		if (frame->octets < MIN_FRAME_OCTETS)
			counts->bad_short++;
		else if (frame->octets > receiver->settings[RECEIVER_MAX_FRAME_OCTETS])
			counts->bad_long++;
		else
			counts->bad_fcs++;
		return;
	}
	counts->frames++;
	counts->octets += frame->octets;
	if (record->sequence >> RECORD_RUN_LSB != receiver->settings[RECEIVER_RUN_ID])
		counts->other_run++;
	else if ((record->start >> RECORD_PORT_LSB & 0xf) != receiver->port)
		counts->wrong_port++;
	else
		count_received(receiver, frame, record);
}

/* Counts frames that have the next sequence numbers of a stream, in order. */
static void count_in_order(struct stream *stream, uint64_t frames)
{
	stream->next = (stream->next + frames) & COUNT_MASK;
	stream->window = frames < WINDOW ? stream->window << frames | ((UINT64_C(1) << frames) - 1) : UINT64_MAX;
	stream->received += frames;
}

/* As count_latency(), for many frames. */
static __attribute__((noinline)) void count_latencies(struct receiver *receiver, const struct record *ring, size_t mask,
                                                      const struct dut_frame *frames, size_t count)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t base = receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS;
	const uint64_t shift = bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]);
	uint64_t latency_min_ot = counts->latency_min_ot, latency_max_ot = counts->latency_max_ot;
	uint64_t latency_groups = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t sent_ot = ring[frames[i].id & mask].start;
		const uint64_t latency_ot = (frames[i].start_ot - sent_ot) & LATENCY_MASK_OT;

		latency_min_ot = latency_ot < latency_min_ot ? latency_ot : latency_min_ot;
		latency_max_ot = latency_ot > latency_max_ot ? latency_ot : latency_max_ot;
		latency_groups += latency_ot / GROUP_OCTETS;
		counts->bins[bin_of(base, shift, latency_ot)]++;
	}
	counts->latency_min_ot = latency_min_ot;
	counts->latency_max_ot = latency_max_ot;
	counts->latency_sum_groups += latency_groups;
}

/* Good frames of one length, of this run and port, without a tag, once one has been received: by far the most. The same
 * as above, but with the counters in local variables. Stops at the first frame of any other kind. */
static size_t count_plain(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                          size_t count)
{
	struct receiver_counts *counts = &receiver->counts;
	const struct record *const ring = records->ring;
	const size_t mask = records->mask;
	const uint64_t run = receiver->settings[RECEIVER_RUN_ID], port = receiver->port;
	const uint32_t octets = count != 0 ? frames[0].octets : 0;
	uint64_t last_ot = counts->last_ot, silence_ot = counts->silence_ot;
	/* The stream of the previous frame, its next sequence word, and that of the first frame not counted yet. */
	struct stream *stream = counts->streams;
	uint64_t expected = UINT64_MAX, uncounted = UINT64_MAX;
	size_t i;

	if (octets < MIN_FRAME_OCTETS || octets > receiver->settings[RECEIVER_MAX_FRAME_OCTETS])
		return 0;
	for (i = 0; i < count; i++) {
		const struct dut_frame *frame = &frames[i];
		const struct record *record = &ring[frame->id & mask];

		if (frame->octets != octets || frame->flags != 0 || record->start >> RECORD_PORT_LSB != port)
			break;
		if (record->sequence == expected) {
			expected++;
		} else {
			if (record->sequence >> RECORD_RUN_LSB != run)
				break;
			count_in_order(stream, expected - uncounted);
			stream = &counts->streams[record->sequence >> RECORD_ENTRY_LSB & (RECEIVER_STREAMS - 1)];
			if (check_sequence(counts, stream, record->sequence & RECORD_SEQUENCE_MASK))
				counts->last_loss_ot = frame->start_ot;
			expected = uncounted = (record->sequence & ~RECORD_SEQUENCE_MASK) | stream->next;
		}
		if (frame->start_ot - last_ot > silence_ot) {
			silence_ot = frame->start_ot - last_ot;
			counts->silence_start_ot = last_ot;
		}
		last_ot = frame->start_ot;
	}
	count_latencies(receiver, ring, mask, frames, i);
	count_in_order(stream, expected - uncounted);
	counts->frames += i;
	counts->received += i;
	counts->octets += i * octets;
	counts->last_ot = last_ot;
	counts->silence_ot = silence_ot;
	return i;
}

static void count_until(struct receiver *receiver, const struct records *records, uint64_t end_ot)
{
	const size_t end = receiver->counted + line_meter_whole(receiver->queue + receiver->counted,
	                                                        receiver->metered - receiver->counted, end_ot);

	while (receiver->counted < end) {
		const struct dut_frame *frame = &receiver->queue[receiver->counted];

		if (dut_frame_end_ot(frame) >= receiver->from_ot)
			count_frame(receiver, frame, &records->ring[frame->id & records->mask]);
		receiver->counted++;
		if (receiver->counts.received != 0)
			receiver->counted += count_plain(receiver, records, &receiver->queue[receiver->counted],
			                                 end - receiver->counted);
	}
}

void receiver_count(struct receiver *receiver, const struct records *records, uint64_t clock)
{
	uint64_t end_ot = clock >= RX_COMMIT_LAG ? (clock - RX_COMMIT_LAG + 1) * WORD_OCTETS : 0;
	uint64_t meter_end_ot = clock >= RX_METER_LAG ? (clock - RX_METER_LAG + 1) * WORD_OCTETS : 0;
	uint64_t change_ot;

	receiver->metered +=
	        line_meter_take(&receiver->meter, receiver->queue + receiver->metered,
	                        receiver->end - receiver->metered, meter_end_ot, receiver->short_gap_octets, NULL);
	while ((change_ot = next_change_ot(receiver)) < end_ot) {
		count_until(receiver, records, change_ot);
		apply_changes(receiver, change_ot);
	}
	count_until(receiver, records, end_ot);
	if (receiver->counted == receiver->end)
		receiver->counted = receiver->metered = receiver->end = 0;
}

void receiver_clear(struct receiver *receiver, uint64_t clock, uint64_t sweep_clocks)
{
	clear_counts(&receiver->counts);
	memset(receiver->streams_at_rest, 0, sizeof(receiver->streams_at_rest));
	receiver->from_ot = (clock + sweep_clocks - RX_CLEARED_FRAME_LAG + 1) * WORD_OCTETS;
	line_meter_clear(&receiver->meter, (clock + sweep_clocks - RX_CLEARED_METER_LAG + 1) * WORD_OCTETS);
}

void receiver_set_source(struct receiver *receiver, uint8_t source)
{
	struct stream swap[RECEIVER_STREAMS];

	if (source == receiver->source)
		return;
	memcpy(swap, receiver->streams_at_rest, sizeof(swap));
	memcpy(receiver->streams_at_rest, receiver->counts.streams, sizeof(swap));
	memcpy(receiver->counts.streams, swap, sizeof(swap));
	receiver->source = source;
}

bool receiver_asks_tables(const struct receiver *receiver, const struct records *records, uint64_t clock)
{
	uint64_t begin_ot = (clock - RX_ASK_CLOCKS) * WORD_OCTETS;

	for (size_t i = receiver->counted; i < receiver->end; i++) {
		const struct dut_frame *frame = &receiver->queue[i];
		const struct record *record = &records->ring[frame->id & records->mask];
		uint64_t settings[RECEIVER_SETTINGS];
		uint64_t end_ot = dut_frame_end_ot(frame);

		if (end_ot >= begin_ot + WORD_OCTETS)
			return false;
		if (end_ot < begin_ot || end_ot < receiver->from_ot)
			continue;
		memcpy(settings, receiver->settings, sizeof(settings));
		for (size_t c = 0; c < receiver->change_count; c++)
			if (receiver->changes[c].from_ot <= end_ot)
				settings[receiver->changes[c].setting] = receiver->changes[c].value;
		return is_good(frame, record, settings[RECEIVER_MAX_FRAME_OCTETS]) &&
		       record->sequence >> RECORD_RUN_LSB == settings[RECEIVER_RUN_ID] &&
		       (record->start >> RECORD_PORT_LSB & 0xf) == receiver->port;
	}
	return false;
}
