/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of port 0 over a wire to port 1. Every frame is tagged and the wire takes no time, so the tags of the receiver
 * tell the flow and the start of each of the first 512. */
#ifndef FPGAUGE_TESTS_SIM_FLOWS_H
#define FPGAUGE_TESTS_SIM_FLOWS_H

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum {
	FLOWS = 256,
	PREAMBLE_OCTETS = 8,
	FRAME_OCTETS = 64,
	TAGS = 1 << FPGAUGE_PORT_RX_TAG_INDEX_BITS,
	TURNS_MOST = 4096,
	SETTLE_OT = 2000000,
};

enum { IN_TURN, DRAWN, TABLE }; /* tx_order */
enum flows_how { ALL_ALIKE, LIST_IN_TURN, DRAWN_ENTRY, DRAWN_LENGTH };
enum { UNSIGNED = 1, BAD_FCS = 2, CODE_ERROR = 4 };

/* FRAME_OCTETS with a gap of 16; all flows are prepared. */
extern const struct sent_traffic FLOWS_ONE_WAY;

/* A twin with a wire, ready to send flow 0. */
struct device *flows_open(const struct sent_traffic *traffic);

/* Sends so many frames (0: as the duration says), waits until all is still, takes a snapshot. */
void flows_send(struct device *device, uint64_t frames);

uint64_t flows_counter(struct device *device, unsigned port, enum fpgauge_counter which);
uint64_t flows_sent(struct device *device, uint32_t flow);

void flows_turn(struct device *device, uint32_t turn, uint32_t flow);
void flows_size(struct device *device, uint32_t flow, enum flows_how how, uint32_t first, uint32_t count);
void flows_flags(struct device *device, uint32_t flow, uint32_t flags);
void flows_length(struct device *device, uint32_t entry, uint32_t octets);
void flows_phase(struct device *device, uint32_t phase, uint64_t time_ot, uint64_t gap_octets, uint32_t numerator,
                 uint32_t denominator);

/* Return, for one of the first frames, its stream; and when it started, after the start time. */
uint32_t flows_tagged_flow(struct device *device, uint32_t frame);
uint64_t flows_tagged_start(struct device *device, uint32_t frame);

/* Writes the whole table of turns, then sends frames. */
void flows_send_turns(struct device *device, const uint8_t *turns, uint32_t count, uint64_t frames);

#endif
