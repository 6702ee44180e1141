// SPDX-License-Identifier: Apache-2.0
/* Frames that wait to be counted, and the clocks in which settings and clears apply to them, as in hw/rtl/rx. */
#include "sim/twin/play/receiver.h"

#include <stdlib.h>
#include <string.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/receive_frame.h"

enum { FIRST_CAPACITY = 4096 };

static void clear_counts(struct receiver_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	counts->latency.min_ot = UINT64_MAX;
}

int receiver_init(struct receiver *receiver)
{
	*receiver = (struct receiver){.capacity = FIRST_CAPACITY};
	clear_counts(&receiver->counts);
	line_meter_clear(&receiver->meter, 0);
	if (letters_init(&receiver->letters) != 0)
		return -1;
	receiver->queue = malloc(FIRST_CAPACITY * sizeof(*receiver->queue));
	return receiver->queue != NULL ? 0 : -1;
}

void receiver_release(struct receiver *receiver)
{
	free(receiver->queue);
	receiver->queue = NULL;
	letters_release(&receiver->letters);
	mailbox_release(&receiver->mail);
	for (unsigned source = 0; source < RECEIVER_SOURCES; source++) {
		free(receiver->streams[source]);
		receiver->streams[source] = NULL;
	}
}

int receiver_admit(struct receiver *receiver, unsigned source)
{
	if (receiver->streams[source] == NULL)
		receiver->streams[source] = streams_make(RECEIVER_STREAMS);
	return receiver->streams[source] != NULL ? 0 : -1;
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
	letters_drop_from(&receiver->letters, from_ot);
}

uint64_t receiver_oldest_id(const struct receiver *receiver, unsigned from, uint64_t lowest)
{
	for (size_t i = receiver->counted; i < receiver->end; i++)
		if (receiver->queue[i].from == from && receiver->queue[i].id < lowest)
			lowest = receiver->queue[i].id;
	return lowest;
}

/* -- settings ----------------------------------------------------------------------------------------------------- */

void receiver_set(struct receiver *receiver, unsigned setting, uint64_t value, uint64_t clock)
{
	static const uint64_t lags[RECEIVER_EXPECTED] = {
	        [RECEIVER_RUN_ID] = RX_RUN_ID_LAG,
	        [RECEIVER_MAX_FRAME_OCTETS] = RX_MAX_FRAME_LAG,
	        [RECEIVER_HISTOGRAM_BASE] = RX_HISTOGRAM_LAG,
	        [RECEIVER_HISTOGRAM_WIDTH_LOG2] = RX_HISTOGRAM_LAG,
	        [RECEIVER_PAYLOAD_OFFSET] = RX_PAYLOAD_LAG,
	        [RECEIVER_PAYLOAD_SINCE_OT] = RX_PAYLOAD_LAG,
	};
	uint64_t lag = setting < RECEIVER_EXPECTED ? lags[setting] : RX_EXPECTED_LAG;
	uint64_t word = clock > lag ? clock - lag : 0;

	receiver->changes[receiver->change_count++] =
	        (struct receiver_change){.from_ot = word * WORD_OCTETS, .setting = setting, .value = value};
}

void receiver_set_payload(struct receiver *receiver, uint64_t offset, uint64_t clock)
{
	const uint64_t since = clock > RX_PAYLOAD_ON_LAG ? clock - RX_PAYLOAD_ON_LAG : 0;

	if (receiver->payload_offset == 0 && offset != 0)
		receiver_set(receiver, RECEIVER_PAYLOAD_SINCE_OT, since * WORD_OCTETS, clock);
	receiver_set(receiver, RECEIVER_PAYLOAD_OFFSET, offset, clock);
	receiver->payload_offset = offset;
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

static size_t receive_many(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                           size_t count)
{
	return count > 1 && frames[0].from != frames[1].from ? receive_mixed(receiver, records, frames, count)
	                                                     : receive_plain(receiver, records, frames, count);
}

static void count_until(struct receiver *receiver, const struct records *records, uint64_t end_ot)
{
	const size_t end = receiver->counted + line_meter_whole(receiver->queue + receiver->counted,
	                                                        receiver->metered - receiver->counted, end_ot);

	while (receiver->counted < end) {
		const struct dut_frame *frame = &receiver->queue[receiver->counted];

		if (dut_frame_end_ot(frame) >= receiver->from_ot)
			receive_frame(receiver, frame, records_find(records, frame), records_segment(records, frame));
		receiver->counted++;
		if (receiver->counts.received != 0)
			receiver->counted += receive_many(receiver, records, &receiver->queue[receiver->counted],
			                                  end - receiver->counted);
	}
	if (!letters_empty(&receiver->letters) && receiver->counted != 0)
		letters_drop_below(&receiver->letters, receiver->queue[receiver->counted - 1].start_ot + 1);
}

void receiver_count(struct receiver *receiver, const struct records *records, uint64_t clock)
{
	uint64_t end_ot = clock >= RX_COMMIT_LAG ? (clock - RX_COMMIT_LAG + 1) * WORD_OCTETS : 0;
	uint64_t meter_end_ot = clock >= RX_METER_LAG ? (clock - RX_METER_LAG + 1) * WORD_OCTETS : 0;
	uint64_t change_ot;

	receiver->metered += line_meter_take(&receiver->meter, receiver->queue + receiver->metered,
	                                     receiver->end - receiver->metered, meter_end_ot,
	                                     receiver->short_gap_octets, receiver->gap_bins);
	while ((change_ot = next_change_ot(receiver)) < end_ot) {
		count_until(receiver, records, change_ot);
		apply_changes(receiver, change_ot);
	}
	count_until(receiver, records, end_ot);
	if (receiver->counted == receiver->end)
		receiver->counted = receiver->metered = receiver->end = 0;
}

void receiver_clear(struct receiver *receiver, const uint32_t *flows, uint64_t clock, uint64_t sweep_clocks)
{
	clear_counts(&receiver->counts);
	mailbox_clear(&receiver->mail, clock);
	for (unsigned source = 0; source < RECEIVER_SOURCES; source++)
		if (receiver->streams[source] != NULL)
			streams_clear(receiver->streams[source], flows[source]);
	receiver->tcp.heard_ot = (clock + sweep_clocks - RX_CLEARED_TCP_LAG + 1) * WORD_OCTETS;
	receiver->from_ot = (clock + sweep_clocks - RX_CLEARED_FRAME_LAG + 1) * WORD_OCTETS;
	line_meter_clear(&receiver->meter, (clock + sweep_clocks - RX_CLEARED_METER_LAG + 1) * WORD_OCTETS);
	memset(receiver->gap_bins, 0, sizeof(receiver->gap_bins));
}

bool receiver_asks_gaps(const struct receiver *receiver, uint64_t clock)
{
	return line_meter_measures(&receiver->meter, receiver->queue + receiver->metered,
	                           receiver->end - receiver->metered, (clock - RX_GAP_ASK_CLOCKS) * WORD_OCTETS,
	                           WORD_OCTETS);
}

/* The settings that apply to a frame that ends at this time. */
static void settings_at(const struct receiver *receiver, uint64_t end_ot, uint64_t settings[RECEIVER_SETTINGS])
{
	memcpy(settings, receiver->settings, sizeof(receiver->settings));
	for (size_t i = 0; i < receiver->change_count; i++)
		if (receiver->changes[i].from_ot <= end_ot)
			settings[receiver->changes[i].setting] = receiver->changes[i].value;
}

bool receiver_asks(const struct receiver *receiver, const struct records *records, enum receiver_table table,
                   uint64_t clock)
{
	uint64_t begin_ot = (clock - RX_ASK_CLOCKS) * WORD_OCTETS;

	for (size_t i = receiver->counted; i < receiver->end; i++) {
		const struct dut_frame *frame = &receiver->queue[i];
		const struct record *record = records_find(records, frame);
		uint64_t settings[RECEIVER_SETTINGS];
		uint64_t end_ot = dut_frame_end_ot(frame);
		enum frame_class is;

		if (end_ot >= begin_ot + WORD_OCTETS)
			return false;
		if (end_ot < begin_ot || end_ot < receiver->from_ot)
			continue;
		settings_at(receiver, end_ot, settings);
		is = receive_class(frame, record, settings);
		return is == FRAME_RECEIVED || (is == FRAME_WRONG_PORT && table == RECEIVER_STREAM_TABLE);
	}
	return false;
}
