/* SPDX-License-Identifier: Apache-2.0 */
/* The content of frames in flight: their signature (hw/rtl/core/fpgauge_signature.vh), by the id that a DUT sees. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_RECORDS_H
#define FPGAUGE_SIM_TWIN_PLAY_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/tcp/tcp.h"

/* A record of a frame has only two words, because there is one for every frame played. */
struct record {
	uint64_t start;    /* octet time of the preamble, its low 56 bits; above: source 4, the RECORD_ flags below */
	uint64_t sequence; /* 48 bits; above: flow 8, run id 8 */
};

#define RECORD_START_MASK ((UINT64_C(1) << RECORD_SOURCE_LSB) - 1)
#define RECORD_SOURCE_LSB 56 /* the port that sent it; an octet with the flags, which is compared as one */
#define RECORD_SOURCES 16
#define RECORD_TAG (UINT64_C(1) << 60)
#define RECORD_BAD_FCS (UINT64_C(1) << 61)
#define RECORD_UNSIGNED (UINT64_C(1) << 62)   /* nothing of this is in the frame: it is foreign to its receiver */
#define RECORD_CODE_ERROR (UINT64_C(1) << 63) /* ended by an error character */
#define RECORD_SEQUENCE_MASK ((UINT64_C(1) << 48) - 1)
#define RECORD_ENTRY_LSB 48
#define RECORD_ENTRIES 256
#define RECORD_RUN_LSB 56

static inline unsigned record_source(const struct record *record)
{
	return record->start >> RECORD_SOURCE_LSB & (RECORD_SOURCES - 1);
}

/* A frame with a segment of a TCP connection, besides its record. */
struct record_segment {
	bool is; /* it is one; port_octet: where its destination port stands in the frame */
	uint8_t port_octet;
	uint16_t port;
	struct tcp_segment segment;
};

/* A ring by id. */
struct records {
	struct record *ring;
	struct record_segment *segments; /* room for as many; NULL: no frame is one */
	size_t mask;
	uint64_t oldest; /* id of the oldest that may still be needed */
};

/* Record of a frame; records: by `from`. */
static inline const struct record *records_find(const struct records *records, const struct dut_frame *frame)
{
	const struct records *of = &records[frame->from];

	return &of->ring[frame->id & of->mask];
}

/* NULL: it has no segment. */
static inline const struct record_segment *records_segment(const struct records *records, const struct dut_frame *frame)
{
	const struct records *of = &records[frame->from];
	const struct record_segment *segment = of->segments != NULL ? &of->segments[frame->id & of->mask] : NULL;

	return segment != NULL && segment->is ? segment : NULL;
}

/* Frames may have segments from now on, or none has from now on. 0, or -1: out of memory. */
int records_have_segments(struct records *records, bool have);

int records_init(struct records *records); /* 0, or -1: out of memory */
/* One for all: of frames that no port has sent. */
int records_init_foreign(struct records *records);
void records_release(struct records *records);

/* True if there is no room for `more` records from next on. Then records of frames that are gone are dropped, and only
 * then, because finding the oldest one takes time. */
static inline bool records_full(const struct records *records, uint64_t next, size_t more)
{
	return next + more - records->oldest > records->mask + 1;
}

/* Drops the records below oldest. Afterwards at least a quarter of the ring is free, or it has grown. 0, or -1: out of
 * memory. */
int records_drop(struct records *records, uint64_t oldest, uint64_t next, size_t more);

/* A jump over periods. The frames from oldest up to next, which are inside, become those of as many frames and octet
 * times later; sent: what a period adds to the sequence number of each flow. */
struct records_leap {
	uint64_t oldest, next;
	uint64_t frames, by_ot, periods;
	const uint64_t *sent;
};

/* True if all of these could be any others of their flows: one with a tag is unique. */
bool records_repeat(const struct records *records, uint64_t oldest, uint64_t next);

/* False: out of memory, or one of them is unique; then nothing has changed. */
bool records_jump(struct records *records, const struct records_leap *leap);

#endif
