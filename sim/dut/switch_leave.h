/* SPDX-License-Identifier: Apache-2.0 */
/* The output lines of a switch. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_LEAVE_H
#define FPGAUGE_SIM_DUT_SWITCH_LEAVE_H

#include "sim/dut/switch.h"

/* Gives a frame its place on an output line. Returns its start. */
static inline uint64_t switch_leave(struct switch_device *dut, unsigned output, const struct dut_frame *frame,
                                    uint64_t ready_ot)
{
	struct switch_port *port = &dut->ports[output];
	const uint64_t line_octets = (uint64_t)frame->octets + DUT_PREAMBLE_OCTETS + dut->settings.gap_octets;
	const uint64_t start_ot = line_out_take_octets(&port->line, ready_ot, line_octets);
	struct dut_frame *out = ring_push(&port->out, sizeof(*out));

	if (out == NULL) {
		dut->device.failed = true;
		return start_ot;
	}
	*out = *frame;
	out->start_ot = start_ot;
	return start_ot;
}

#endif
