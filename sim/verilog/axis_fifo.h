/* SPDX-License-Identifier: Apache-2.0 */
/* Frames in a MAC, one behind the other: their octets, and where each begins and ends. Positions count all octets ever
 * written. */
#ifndef FPGAUGE_SIM_VERILOG_AXIS_FIFO_H
#define FPGAUGE_SIM_VERILOG_AXIS_FIFO_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum {
	AXIS_FIFO_OCTETS = 1 << 17, /* more than the largest buffer and the longest frame together */
	AXIS_FIFO_FRAMES = 1 << 12,
};

struct axis_frame {
	uint64_t begin, end; /* end: once it has ended */
	bool ended;
	bool bad;
};

struct axis_fifo {
	uint8_t octets[AXIS_FIFO_OCTETS];
	struct axis_frame frames[AXIS_FIFO_FRAMES];
	uint64_t read, written;     /* positions */
	uint64_t first, count_ever; /* frames */
};

static inline uint64_t axis_fifo_fill(const struct axis_fifo *fifo)
{
	return fifo->written - fifo->read;
}

static inline uint64_t axis_fifo_frames(const struct axis_fifo *fifo)
{
	return fifo->count_ever - fifo->first;
}

/* The oldest frame; there must be one. */
static inline struct axis_frame *axis_fifo_oldest(struct axis_fifo *fifo)
{
	return &fifo->frames[fifo->first % AXIS_FIFO_FRAMES];
}

/* The latest one. */
static inline struct axis_frame *axis_fifo_latest(struct axis_fifo *fifo)
{
	return &fifo->frames[(fifo->count_ever - 1) % AXIS_FIFO_FRAMES];
}

/* False: too many frames. */
static inline bool axis_fifo_begin(struct axis_fifo *fifo)
{
	if (axis_fifo_frames(fifo) == AXIS_FIFO_FRAMES)
		return false;
	fifo->frames[fifo->count_ever++ % AXIS_FIFO_FRAMES] = (struct axis_frame){.begin = fifo->written};
	return true;
}

static inline void axis_fifo_end(struct axis_fifo *fifo, bool bad)
{
	struct axis_frame *frame = axis_fifo_latest(fifo);

	frame->end = fifo->written;
	frame->ended = true;
	frame->bad = bad;
}

/* The latest frame was never there. Nothing of it has been read. */
static inline void axis_fifo_forget(struct axis_fifo *fifo)
{
	fifo->written = axis_fifo_latest(fifo)->begin;
	fifo->count_ever--;
}

/* The oldest one is over; so is what was not read of it. */
static inline void axis_fifo_drop(struct axis_fifo *fifo)
{
	fifo->read = axis_fifo_oldest(fifo)->end;
	fifo->first++;
}

/* Octets from a position up to where the ring wraps, but at most so many. */
static inline uint32_t axis_fifo_run(uint64_t position, uint64_t count)
{
	const uint64_t room = AXIS_FIFO_OCTETS - position % AXIS_FIFO_OCTETS;

	return (uint32_t)(count < room ? count : room);
}

static inline void axis_fifo_put(struct axis_fifo *fifo, const uint8_t *octets, uint32_t count)
{
	const uint32_t run = axis_fifo_run(fifo->written, count);

	memcpy(fifo->octets + fifo->written % AXIS_FIFO_OCTETS, octets, run);
	memcpy(fifo->octets, octets + run, count - run);
	fifo->written += count;
}

static inline void axis_fifo_get(struct axis_fifo *fifo, uint8_t *octets, uint32_t count)
{
	const uint32_t run = axis_fifo_run(fifo->read, count);

	memcpy(octets, fifo->octets + fifo->read % AXIS_FIFO_OCTETS, run);
	memcpy(octets + run, fifo->octets, count - run);
	fifo->read += count;
}

/* The CRC-32 of the octets from a position up to what was written last; none of them has been written over. */
static inline uint32_t axis_fifo_crc(const struct axis_fifo *fifo, uint64_t begin)
{
	const uint32_t count = (uint32_t)(fifo->written - begin), run = axis_fifo_run(begin, count);
	const uLong crc = crc32(0, fifo->octets + begin % AXIS_FIFO_OCTETS, run);

	return (uint32_t)crc32(crc, fifo->octets, count - run);
}

#endif
