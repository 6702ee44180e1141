/* SPDX-License-Identifier: Apache-2.0 */
/* The receive side of a port: hw/rtl/rx, frame by frame. Frames may come from any port; which one, their records say.
 * The streams of a port that has sent nothing here take no memory. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_RECEIVER_H
#define FPGAUGE_SIM_TWIN_PLAY_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/twin/play/receiver_state.h"
#include "sim/twin/play/records.h"

int receiver_init(struct receiver *receiver); /* 0, or -1: out of memory */
void receiver_release(struct receiver *receiver);

/* Must be called before the first frame of a source comes into the queue. 0, or -1: out of memory. */
int receiver_admit(struct receiver *receiver, unsigned source);

/* Room for more frames at the end of the queue; NULL: out of memory. */
struct dut_frame *receiver_room(struct receiver *receiver, size_t count);

/* Cancels frames that were to start at from_ot or later; none of them has begun. */
void receiver_call_off(struct receiver *receiver, uint64_t from_ot);

/* Counts everything that takes effect by this clock. records: of the frames, by their `from`, which is 0 of all of them
 * unless the device has several ports. */
void receiver_count(struct receiver *receiver, const struct records *records, uint64_t clock);

/* A setting (enum receiver_setting) changes in this clock, up to which everything has been counted. */
void receiver_set(struct receiver *receiver, unsigned setting, uint64_t value, uint64_t clock);

/* The same for the check of payloads, because a frame is checked only if it began while they were. */
void receiver_set_payload(struct receiver *receiver, uint64_t offset, uint64_t clock);

/* flows: of each source; its streams from this number on have never counted anything. */
void receiver_clear(struct receiver *receiver, const uint32_t *flows, uint64_t clock, uint64_t sweep_clocks);

enum receiver_table { RECEIVER_STREAM_TABLE, RECEIVER_HISTOGRAMS };

/* True if a frame accesses the table in this clock. */
bool receiver_asks(const struct receiver *receiver, const struct records *records, enum receiver_table table,
                   uint64_t clock);

/* True if a gap accesses the histogram of gaps in this clock. */
bool receiver_asks_gaps(const struct receiver *receiver, uint64_t clock);

/* Lowest id in the queue of a frame with this `from`, but at most `lowest`. */
uint64_t receiver_oldest_id(const struct receiver *receiver, unsigned from, uint64_t lowest);

#endif
