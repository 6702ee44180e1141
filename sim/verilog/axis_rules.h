/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that AXI4-Stream sets a transmitter from one edge to the next (AMBA AXI-Stream Protocol Specification, ARM
 * IHI 0051B, 2.2.1). */
#ifndef FPGAUGE_SIM_VERILOG_AXIS_RULES_H
#define FPGAUGE_SIM_VERILOG_AXIS_RULES_H

#include <stdbool.h>
#include <string.h>

#include "drivers/dut_abi.h"

struct axis_rules {
	bool waits; /* the last edge found it valid, and the receiver not ready */
	struct fpgauge_dut_pins pins;
};

/* NULL, or the rule that is broken at this edge. */
static inline const char *axis_rules_check(struct axis_rules *rules, const struct fpgauge_dut_pins *pins,
                                           unsigned octets)
{
	const struct fpgauge_dut_pins *before = &rules->pins;
	const char *why = NULL;

	if (rules->waits && !pins->valid)
		why = "tvalid fell before tready: once high, it stays so until the transfer (AXI4-Stream 2.2.1)";
	else if (rules->waits &&
	         (pins->keep != before->keep || pins->last != before->last || pins->user != before->user))
		why = "tkeep, tlast or tuser changed while waiting for tready (AXI4-Stream 2.2.1)";
	for (unsigned i = 0; rules->waits && why == NULL && i < octets; i++)
		if ((pins->keep >> i & 1) != 0 && pins->data[i] != before->data[i])
			why = "tdata changed while waiting for tready (AXI4-Stream 2.2.1)";
	rules->waits = pins->valid && !pins->ready;
	if (rules->waits)
		rules->pins = *pins;
	return why;
}

#endif
