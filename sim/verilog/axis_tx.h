/* SPDX-License-Identifier: Apache-2.0 */
/* The transmitter of a MAC, on the side of a device under test: beats of AXI4-Stream in, groups of the line out.
 * docs/your-own-dut.md says when a frame starts. */
#ifndef FPGAUGE_SIM_VERILOG_AXIS_TX_H
#define FPGAUGE_SIM_VERILOG_AXIS_TX_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/dut_abi.h"
#include "sim/dut/line_out.h"
#include "sim/verilog/axis_fifo.h"

struct axis_tx {
	unsigned octets;    /* octets of a beat */
	bool inserts_fcs;   /* and pads */
	bool waits_for_end; /* starts a frame when all of it is there, not with its first beat */
	bool in_frame;      /* a first beat has come, its last one has not */
	bool sending;
	bool skips; /* the oldest frame has broken off on the line: the rest of it is for nobody */
	uint64_t start_ot;
	struct line_out line;
	struct axis_fifo fifo;
	uint64_t underruns;
};

void axis_tx_init(struct axis_tx *tx, unsigned octets, bool inserts_fcs, bool waits_for_end);

/* Takes, at an edge, what is on the pins if they are valid and ready, and says whether it will be ready next time.
 * NULL, or what is wrong with the beat. */
const char *axis_tx_edge(struct axis_tx *tx, struct fpgauge_dut_pins *pins);

/* The group that leaves at this time. False: it is idle. */
bool axis_tx_group(struct axis_tx *tx, uint64_t ot, uint64_t *value, uint8_t *ctrl);

/* Nothing goes on, and nothing will without input. */
static inline bool axis_tx_rests(const struct axis_tx *tx)
{
	return axis_fifo_frames(&tx->fifo) == 0;
}

#endif
