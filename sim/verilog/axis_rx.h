/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver of a MAC, on the side of a device under test: groups of the line in, beats of AXI4-Stream out.
 * docs/your-own-dut.md says when a beat is there. */
#ifndef FPGAUGE_SIM_VERILOG_AXIS_RX_H
#define FPGAUGE_SIM_VERILOG_AXIS_RX_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/dut_abi.h"
#include "sim/verilog/axis_fifo.h"

struct axis_rx {
	unsigned octets;        /* octets of a beat */
	unsigned kept_back;     /* octets at the end of a frame that are not for the device: the FCS, or none */
	uint32_t buffer_octets; /* room for what the device has not taken */
	bool in_frame;          /* a frame is on the line */
	bool stores;            /* and it is stored; else it has overflowed */
	struct axis_fifo fifo;
};

void axis_rx_init(struct axis_rx *rx, unsigned octets, bool strips_fcs, uint32_t buffer_octets);

/* The group of 8 octets that has come in. */
void axis_rx_group(struct axis_rx *rx, uint64_t value, uint8_t ctrl);

/* Puts the next beat on the pins after an edge: the device has taken what was there, if it was valid and ready. */
void axis_rx_edge(struct axis_rx *rx, struct fpgauge_dut_pins *pins);

/* Nothing goes on, and nothing will without input. */
static inline bool axis_rx_rests(const struct axis_rx *rx)
{
	return !rx->in_frame && axis_fifo_frames(&rx->fifo) == 0;
}

#endif
