// SPDX-License-Identifier: Apache-2.0
/* Classes, times, latency, tags. */
#include "sim/twin/play/receive_frame.h"

#include "sim/twin/play/clocks.h"

/* Is the octet that a device has changed one that is checked? */
static bool miscounts(const struct dut_frame *frame, const uint64_t settings[RECEIVER_SETTINGS])
{
	const uint64_t offset = settings[RECEIVER_PAYLOAD_OFFSET];

	return frame->flags & DUT_FRAME_ALTERED && offset != 0 && dut_altered_octet(frame->octets) > offset &&
	       frame->start_ot >= settings[RECEIVER_PAYLOAD_SINCE_OT];
}

enum frame_class receive_class(const struct dut_frame *frame, const struct record *record,
                               const uint64_t settings[RECEIVER_SETTINGS])
{
	if (record->start & RECORD_CODE_ERROR)
		return FRAME_BAD_CODE;
	if (frame->octets < MIN_FRAME_OCTETS)
		return FRAME_BAD_SHORT;
	if (frame->octets > settings[RECEIVER_MAX_FRAME_OCTETS])
		return FRAME_BAD_LONG;
	if (frame->flags & DUT_FRAME_CORRUPT ||
	    (record->start & RECORD_BAD_FCS && !(frame->flags & DUT_FRAME_ALTERED))) /* altering makes a right one */
		return FRAME_BAD_FCS;
	if (record->start & RECORD_UNSIGNED)
		return FRAME_FOREIGN;
	if (record->sequence >> RECORD_RUN_LSB != settings[RECEIVER_RUN_ID])
		return FRAME_OTHER_RUN;
	if (miscounts(frame, settings))
		return FRAME_BAD_PAYLOAD;
	return receiver_expects(settings, record_source(record), receive_entry(record)) ? FRAME_RECEIVED
	                                                                                : FRAME_WRONG_PORT;
}

/* -- one frame ----------------------------------------------------------------------------------------------------- */

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

static void count_latency(struct receiver *receiver, struct stream *stream, uint64_t latency_ot)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t groups = latency_ot / GROUP_OCTETS;

	latency_add(&counts->latency, latency_ot);
	latency_add(&stream->latency, latency_ot);
	counts->bins[latency_bin(receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS,
	                         latency_bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]), groups)]++;
	counts->octaves[latency_octave(groups).bin]++;
}

static void count_tag(struct receiver *receiver, const struct receiver_tag *tag)
{
	struct receiver_counts *counts = &receiver->counts;

	if (counts->tagged < RECEIVER_TAGS)
		receiver->tags[counts->tagged] = *tag;
	counts->tagged++;
}

static void count_received(struct receiver *receiver, const struct dut_frame *frame, const struct record *record)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint32_t source = record_source(record), entry = receive_entry(record);
	struct stream *stream = &receiver->streams[source][entry];
	const uint64_t latency_ot = receive_latency(frame, record);

	count_times(counts, frame->start_ot,
	            stream_take(stream, &counts->sums, record->sequence & RECORD_SEQUENCE_MASK));
	counts->received++;
	count_latency(receiver, stream, latency_ot);
	if (record->start & RECORD_TAG)
		count_tag(receiver, &(struct receiver_tag){.stream = source * (uint32_t)RECEIVER_STREAMS + entry,
		                                           .latency_ot = latency_ot,
		                                           .start_ot = frame->start_ot});
}

static void count_foreign(struct receiver *receiver, const struct dut_frame *frame)
{
	struct receiver_counts *counts = &receiver->counts;
	uint8_t *octets;

	counts->foreign++;
	if (!mailbox_follows(&receiver->mail, frame))
		return;
	octets = letters_take(&receiver->letters, frame->start_ot);
	if (octets == NULL) {
		receiver->mail.missed = true;
		return;
	}
	switch (mailbox_take(&receiver->mail, frame, octets)) {
	case MAIL_KEPT:
		counts->mail++;
		break;
	case MAIL_OVERFLOW:
		counts->mail_overflow++;
		break;
	default:
		break;
	}
}

/* Its destination port, as it arrives: a device may have changed an octet of that. */
static uint16_t port_of(const struct dut_frame *frame, const struct record_segment *segment, bool altered)
{
	const uint32_t octet = dut_altered_octet(frame->octets);

	if (!altered || octet < segment->port_octet || octet > segment->port_octet + 1u)
		return segment->port;
	return segment->port ^ (octet == segment->port_octet ? 0xff00 : 0x00ff);
}

/* A segment of a connection of the port: false, it is foreign. An octet changed behind the addresses of Ethernet, and
 * no other is (dut_altered_octet()), is in what a checksum covers. */
static bool hear_segment(struct receiver *receiver, const struct dut_frame *frame, const struct record_segment *segment)
{
	struct receiver_tcp *tcp = &receiver->tcp;
	const bool altered = frame->flags & DUT_FRAME_ALTERED && frame->octets >= DUT_ALTERED_MIN_OCTETS;
	struct tcp_arrival arrival;
	uint16_t connection;

	if (segment == NULL || frame->start_ot < tcp->since_ot || frame->start_ot >= tcp->until_ot)
		return false;
	connection = (uint16_t)(port_of(frame, segment, altered) - tcp->port);
	if (connection >= TCP_CONNECTIONS)
		return false;
	receiver->counts.tcp++;
	receiver->counts.tcp_bad += altered;
	arrival = (struct tcp_arrival){.connection = (uint8_t)connection, .segment = segment->segment};
	if (!altered && dut_frame_end_ot(frame) >= tcp->heard_ot &&
	    connections_hear(tcp->connections, &arrival, dut_frame_end_ot(frame) / WORD_OCTETS) != 0)
		tcp->failed = true;
	return true;
}

void receive_frame(struct receiver *receiver, const struct dut_frame *frame, const struct record *record,
                   const struct record_segment *segment)
{
	struct receiver_counts *counts = &receiver->counts;
	const enum frame_class is = receive_class(frame, record, receiver->settings);

	if (is >= FRAME_FOREIGN) {
		counts->frames++;
		counts->octets += frame->octets;
	}
	switch (is) {
	case FRAME_BAD_CODE:
		counts->bad_code++;
		break;
	case FRAME_BAD_SHORT:
		counts->bad_short++;
		break;
	case FRAME_BAD_LONG:
		counts->bad_long++;
		break;
	case FRAME_BAD_FCS:
		counts->bad_fcs++;
		break;
	case FRAME_FOREIGN:
		if (!hear_segment(receiver, frame, segment))
			count_foreign(receiver, frame);
		break;
	case FRAME_OTHER_RUN:
		counts->other_run++;
		break;
	case FRAME_BAD_PAYLOAD:
		counts->bad_payload++;
		break;
	case FRAME_WRONG_PORT:
		counts->wrong_port++;
		receiver->streams[record_source(record)][receive_entry(record)].unexpected++;
		break;
	case FRAME_RECEIVED:
		count_received(receiver, frame, record);
	}
}

/* -- many frames --------------------------------------------------------------------------------------------------- */

/* Does the same as count_latency() for many frames of one source. one: the stream of all of them; NULL: they are of
 * several of `streams`. Latencies often stay the same, and nearly always in their log bin, so those are counted when
 * they change. */
static inline __attribute__((always_inline)) void count_latencies(struct receiver *receiver, const struct record *ring,
                                                                  size_t mask, const struct dut_frame *frames,
                                                                  size_t count, struct stream *streams,
                                                                  struct stream *one)
{
	struct receiver_counts *counts = &receiver->counts;
	const uint64_t base = receiver->settings[RECEIVER_HISTOGRAM_BASE] / GROUP_OCTETS;
	const uint64_t shift = latency_bin_shift(receiver->settings[RECEIVER_HISTOGRAM_WIDTH_LOG2]);
	uint64_t next_ot = receive_latency(&frames[0], &ring[frames[0].id & mask]);
	struct octave octave = latency_octave(next_ot / GROUP_OCTETS);
	uint64_t least = UINT64_MAX, most = 0, sum = 0; /* groups */
	size_t octave_begin = 0;
	struct latency all;

	for (size_t i = 0; i < count;) {
		const uint64_t latency_ot = next_ot, groups = latency_ot / GROUP_OCTETS;
		const size_t begin = i;

		do {
			if (one == NULL)
				latency_add(&streams[receive_entry(&ring[frames[i].id & mask])].latency, latency_ot);
			if (++i < count)
				next_ot = receive_latency(&frames[i], &ring[frames[i].id & mask]);
		} while (next_ot == latency_ot && i < count);
		least = groups < least ? groups : least;
		most = groups > most ? groups : most;
		sum += groups * (i - begin);
		counts->bins[latency_bin(base, shift, groups)] += i - begin;
		if (groups - octave.first >= octave.width) {
			counts->octaves[octave.bin] += begin - octave_begin;
			octave = latency_octave(groups);
			octave_begin = begin;
		}
	}
	counts->octaves[octave.bin] += count - octave_begin;
	all = (struct latency){.min_ot = least * GROUP_OCTETS, .max_ot = most * GROUP_OCTETS, .sum_groups = sum};
	latency_merge(&counts->latency, &all);
	if (one != NULL)
		latency_merge(&one->latency, &all);
}

/* Not inlined, so that each loop has the registers to itself. */
static __attribute__((noinline)) void count_latencies_of_one(struct receiver *receiver, const struct record *ring,
                                                             size_t mask, const struct dut_frame *frames, size_t count,
                                                             struct stream *stream)
{
	count_latencies(receiver, ring, mask, frames, count, NULL, stream);
}

static __attribute__((noinline)) void count_latencies_of_many(struct receiver *receiver, const struct record *ring,
                                                              size_t mask, const struct dut_frame *frames, size_t count,
                                                              struct stream *streams)
{
	count_latencies(receiver, ring, mask, frames, count, streams, NULL);
}

/* All of a frame but its time, in one word, because it is compared for every frame. */
static uint64_t all_but_time(const struct dut_frame *frame)
{
	return (uint64_t)frame->from << 48 | (uint64_t)frame->flags << 32 | frame->octets;
}

size_t receive_plain(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                     size_t count)
{
	struct receiver_counts *counts = &receiver->counts;
	const unsigned from = count != 0 ? frames[0].from : 0;
	const struct record *const ring = records[from].ring;
	const size_t mask = records[from].mask;
	const uint64_t run = receiver->settings[RECEIVER_RUN_ID];
	const uint32_t octets = count != 0 ? frames[0].octets : 0;
	/* The source of the first frame; if that has a flag, a number above all sources. */
	const unsigned source = count != 0 ? (unsigned)(ring[frames[0].id & mask].start >> RECORD_SOURCE_LSB) : 0;
	struct stream *const streams = source < RECEIVER_SOURCES ? receiver->streams[source] : NULL;
	uint64_t last_ot = counts->last_ot, silence_ot = counts->silence_ot;
	/* The stream of the previous frame, its next sequence word, and that of the first frame not counted yet. Before
	 * the first frame, any that is not of its stream. */
	struct stream *stream = streams, *first = NULL;
	uint64_t next = count != 0 ? ~ring[frames[0].id & mask].sequence : 0, uncounted = next;
	const uint64_t alike = (uint64_t)from << 48 | octets;
	size_t i;

	if (streams == NULL || octets < MIN_FRAME_OCTETS || octets > receiver->settings[RECEIVER_MAX_FRAME_OCTETS])
		return 0;
	for (i = 0; i < count; i++) {
		const struct dut_frame *frame = &frames[i];
		const struct record *record = &ring[frame->id & mask];

		if (all_but_time(frame) != alike || record->start >> RECORD_SOURCE_LSB != source)
			break;
		if (record->sequence == next) {
			next++;
		} else {
			if ((record->sequence ^ next) >> RECORD_ENTRY_LSB != 0) {
				const uint32_t entry = receive_entry(record);

				if (record->sequence >> RECORD_RUN_LSB != run ||
				    !receiver_expects(receiver->settings, source, entry))
					break;
				stream_take_next(stream, next - uncounted);
				stream = &streams[entry];
				first = i == 0 ? stream : NULL;
				next = uncounted = (record->sequence & ~RECORD_SEQUENCE_MASK) | stream->next;
			}
			if (record->sequence == next) {
				next++;
			} else {
				stream_take_next(stream, next - uncounted);
				if (stream_take(stream, &counts->sums, record->sequence & RECORD_SEQUENCE_MASK))
					counts->last_loss_ot = frame->start_ot;
				next = uncounted = (record->sequence & ~RECORD_SEQUENCE_MASK) | stream->next;
			}
		}
		if (frame->start_ot - last_ot > silence_ot) {
			silence_ot = frame->start_ot - last_ot;
			counts->silence_start_ot = last_ot;
		}
		last_ot = frame->start_ot;
	}
	stream_take_next(stream, next - uncounted);
	if (first != NULL)
		count_latencies_of_one(receiver, ring, mask, frames, i, first);
	else if (i != 0)
		count_latencies_of_many(receiver, ring, mask, frames, i, streams);
	counts->frames += i;
	counts->received += i;
	counts->octets += i * octets;
	counts->last_ot = last_ot;
	counts->silence_ot = silence_ot;
	return i;
}
