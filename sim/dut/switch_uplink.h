/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a line between two switches, at a rate of its own. docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_UPLINK_H
#define FPGAUGE_SIM_DUT_SWITCH_UPLINK_H

#include "sim/dut/fifo.h"
#include "sim/dut/switch.h"

/* What a frame takes on the line, and the gap behind it: exact, of frames of one length. */
struct switch_crossing {
	uint32_t octets; /* 0: of none */
	struct fifo_time frame, gap;
};

struct switch_uplink {
	struct switch_device *to;
	unsigned port;               /* of that one */
	struct fifo_service service; /* of octets on the line, those around a frame not counted */
	struct fifo_time free;       /* when the gap behind the last frame is over */
	struct switch_crossing last; /* divisions are expensive, and most frames are as long as the one before */
};

/* A frame that is ready gets its place on the line, and comes to the other switch. Returns when its last octet has
 * left, rounded up to whole octet times. */
uint64_t switch_cross(struct switch_uplink *uplink, const struct switch_arrival *arrival, uint64_t ready_ot);

/* No frame that is ready at ready_ot or later, and has so many octets or more, is decided on by the other switch before
 * this time. */
uint64_t switch_uplink_earliest_ot(const struct switch_uplink *uplink, uint64_t ready_ot, uint32_t octets);

#endif
