/* SPDX-License-Identifier: Apache-2.0 */
/* The receive side of a port: hw/rtl/rx, frame by frame. A port receives frames from one source at a time, its partner
 * or, in loopback, itself; so the stream table has entries for two sources, one of which is active. */
#ifndef FPGAUGE_SIM_TWIN_RECEIVER_H
#define FPGAUGE_SIM_TWIN_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/twin/line_meter.h"
#include "sim/twin/records.h"

enum {
	RECEIVER_STREAMS = 256,
	RECEIVER_BINS = 1024,
	RECEIVER_TAGS = 512,
	RECEIVER_CHANGES = 16, /* setting changes that do not apply yet to frames in flight */
};

struct stream {
	uint64_t next;   /* sequence number, 48 bits */
	uint64_t window; /* bit i: next - 1 - i was received */
	uint64_t received, lost, duplicated, reordered, late, gaps;
};

/* All counters but those of the line (line_meter). Latencies and times in octet times. */
struct receiver_counts {
	uint64_t frames, octets;
	uint64_t bad_short, bad_long, bad_fcs;
	uint64_t other_run, wrong_port, received;
	uint64_t lost, duplicated, reordered, late, gaps;
	uint64_t first_ot, last_ot, last_loss_ot, silence_ot, silence_start_ot;
	uint64_t latency_min_ot, latency_max_ot;
	unsigned __int128 latency_sum_groups;
	uint64_t tagged;
	struct stream streams[RECEIVER_STREAMS];
	uint64_t bins[RECEIVER_BINS];
};

enum receiver_setting {
	RECEIVER_RUN_ID,
	RECEIVER_MAX_FRAME_OCTETS,
	RECEIVER_HISTOGRAM_BASE,
	RECEIVER_HISTOGRAM_WIDTH_LOG2,
	RECEIVER_SETTINGS
};

struct receiver_change {
	uint64_t from_ot; /* it applies to frames that end at this time or later */
	enum receiver_setting setting;
	uint64_t value;
};

struct receiver_tag {
	uint32_t stream;
	uint64_t latency_ot, start_ot;
};

struct receiver {
	uint8_t port;
	uint8_t source; /* port whose frames arrive: counts.streams are those of this port */
	struct stream streams_at_rest[RECEIVER_STREAMS]; /* of the other source */
	uint64_t settings[RECEIVER_SETTINGS];
	uint64_t short_gap_octets;
	struct receiver_change changes[RECEIVER_CHANGES];
	size_t change_count;

	struct receiver_counts counts;
	struct receiver_tag tags[RECEIVER_TAGS];
	uint64_t from_ot; /* frames that end before this are not counted, after a clear */
	struct line_meter meter;

	/* frames on the line, in line order; those up to `counted` are counted, those up to `metered` are metered */
	struct dut_frame *queue;
	size_t capacity, counted, metered, end;
};

int receiver_init(struct receiver *receiver, uint8_t port, uint8_t source); /* 0, or -1: out of memory */
void receiver_release(struct receiver *receiver);

/* Room for more frames at the end of the queue; NULL: out of memory. */
struct dut_frame *receiver_room(struct receiver *receiver, size_t count);

/* Cancels frames that were to start at from_ot or later; none of them has begun. */
void receiver_call_off(struct receiver *receiver, uint64_t from_ot);

/* Counts everything that takes effect by this clock. */
void receiver_count(struct receiver *receiver, const struct records *records, uint64_t clock);

/* A setting changes in this clock, up to which everything has been counted. */
void receiver_set(struct receiver *receiver, enum receiver_setting setting, uint64_t value, uint64_t clock);

void receiver_clear(struct receiver *receiver, uint64_t clock, uint64_t sweep_clocks);

/* True if a received frame accesses the tables in this clock. */
bool receiver_asks_tables(const struct receiver *receiver, const struct records *records, uint64_t clock);

/* From now on frames come from the given source. The queue must be empty. */
void receiver_set_source(struct receiver *receiver, uint8_t source);

/* Lowest id in the queue, but at most `lowest`. */
uint64_t receiver_oldest_id(const struct receiver *receiver, uint64_t lowest);

#endif
