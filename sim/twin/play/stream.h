/* SPDX-License-Identifier: Apache-2.0 */
/* State that a receiver keeps of a stream: hw/rtl/rx/rx_sequence.v. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_STREAM_H
#define FPGAUGE_SIM_TWIN_PLAY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/twin/play/latency.h"
#include "sim/twin/play/records.h"

enum { STREAM_WINDOW = 64, STREAM_LINE_OCTETS = 64 };

/* The fields that change with every frame come first: they fit in a line of the first-level cache. The whole fills two.
 */
struct stream {
	uint64_t next;   /* sequence number, 48 bits */
	uint64_t window; /* bit i: next - 1 - i was received */
	uint64_t received;
	struct latency latency;
	uint64_t lost, duplicated, reordered, late, gaps;
	uint64_t unexpected; /* frames counted in none of the above */
	uint64_t unused[2];
};
_Static_assert(sizeof(struct stream) % STREAM_LINE_OCTETS == 0, "streams_make() aligns them to lines");

/* Sums over all streams. */
struct stream_sums {
	uint64_t lost, duplicated, reordered, late, gaps;
};

static inline void streams_clear(struct stream *streams, size_t count)
{
	for (size_t i = 0; i < count; i++)
		streams[i] = (struct stream){.latency = {.min_ot = UINT64_MAX}};
}

/* NULL: out of memory. */
static inline struct stream *streams_make(size_t count)
{
	struct stream *streams = aligned_alloc(STREAM_LINE_OCTETS, count * sizeof(*streams));

	if (streams != NULL)
		streams_clear(streams, count);
	return streams;
}

/* Counts a frame; true if numbers were skipped. */
static inline bool stream_take(struct stream *stream, struct stream_sums *sums, uint64_t sequence)
{
	uint64_t ahead = (sequence - stream->next) & RECORD_SEQUENCE_MASK;
	uint64_t behind = (stream->next - 1 - sequence) & RECORD_SEQUENCE_MASK;
	bool below = sequence < stream->next;

	stream->received++;
	if (!below && ahead >> 47 == 0) {
		stream->next = (sequence + 1) & RECORD_SEQUENCE_MASK;
		stream->window = ahead < STREAM_WINDOW - 1 ? stream->window << (ahead + 1) | 1 : 1;
		stream->lost = (stream->lost + ahead) & RECORD_SEQUENCE_MASK;
		sums->lost += ahead;
		stream->gaps += ahead != 0;
		sums->gaps += ahead != 0;
		return ahead != 0;
	}
	if (!below || behind >= STREAM_WINDOW) {
		stream->late++;
		sums->late++;
	} else if (stream->window >> behind & 1) {
		stream->duplicated++;
		sums->duplicated++;
	} else {
		stream->window |= UINT64_C(1) << behind;
		stream->reordered++;
		sums->reordered++;
		stream->lost = (stream->lost - 1) & RECORD_SEQUENCE_MASK;
		sums->lost--;
	}
	return false;
}

/* Counts frames that have the next sequence numbers, in order. */
static inline void stream_take_next(struct stream *stream, uint64_t frames)
{
	stream->next = (stream->next + frames) & RECORD_SEQUENCE_MASK;
	stream->window = frames < STREAM_WINDOW ? stream->window << frames | ((UINT64_C(1) << frames) - 1) : UINT64_MAX;
	stream->received += frames;
}

#endif
