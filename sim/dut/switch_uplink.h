/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a line between two switches, at a rate of its own. docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_UPLINK_H
#define FPGAUGE_SIM_DUT_SWITCH_UPLINK_H

#include "sim/dut/fifo.h"
#include "sim/dut/switch.h"

/* Time that a frame takes on the line, and the gap behind it: exact, of frames of one length. */
struct switch_crossing {
	uint32_t octets; /* 0: of none */
	struct fifo_time frame, gap;
};

struct switch_uplink {
	uint64_t latency_ot; /* latency of the other switch: a frame is decided on so long after it has come in */
	struct fifo_service service; /* service of octets on the line, those around a frame not counted */
	struct fifo_time free;       /* when the gap behind the last frame is over */
	struct switch_crossing last; /* divisions are expensive, and most frames are as long as the one before */
	struct ring crossed;         /* struct switch_arrival, for the other switch */
};

/* A frame that is ready gets its place on the line. Writes when its last octet has left, rounded up to whole octet
 * times. 0, or -1: out of memory. */
int switch_cross(struct switch_uplink *uplink, const struct switch_arrival *arrival, uint64_t ready_ot,
                 uint64_t *left_ot);

/* No frame that is ready at ready_ot or later, and has so many octets or more, is decided on by the other switch before
 * this time. */
uint64_t switch_uplink_earliest_ot(const struct switch_uplink *uplink, uint64_t ready_ot, uint32_t octets);

#endif
