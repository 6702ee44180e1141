/* SPDX-License-Identifier: Apache-2.0 */
/* The output line of a store-and-forward model: when a frame may start. The rule is that of the tester (hw/rtl/tx),
 * deficit idle count: frames start on groups of 8 octets, 12 octets apart on average. */
#ifndef FPGAUGE_SIM_DUT_LINE_OUT_H
#define FPGAUGE_SIM_DUT_LINE_OUT_H

#include <stdint.h>

#include "sim/dut/dut.h"

struct line_out {
	uint64_t free_ot; /* ideal start of the next frame: one gap of 12 after the last, not rounded */
};

/* Octets that a frame takes on the line. */
static inline uint64_t line_out_octets(uint32_t frame_octets)
{
	return (uint64_t)frame_octets + DUT_PREAMBLE_OCTETS + DUT_MIN_GAP_OCTETS;
}

/* Start of a frame that is ready at the given time and takes so many octets with preamble and gap. */
static inline uint64_t line_out_take_octets(struct line_out *line, uint64_t ready_ot, uint64_t line_octets)
{
	uint64_t start_ot = dut_group_up(ready_ot);
	const uint64_t earliest_ot = dut_group_down(line->free_ot);

	if (start_ot < earliest_ot)
		start_ot = earliest_ot;
	line->free_ot = (start_ot > line->free_ot ? start_ot : line->free_ot) + line_octets;
	return start_ot;
}

/* The same at a gap of 12 octets. */
static inline uint64_t line_out_take(struct line_out *line, uint64_t ready_ot, uint32_t frame_octets)
{
	return line_out_take_octets(line, ready_ot, line_out_octets(frame_octets));
}

#endif
