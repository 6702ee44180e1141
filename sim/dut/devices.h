/* SPDX-License-Identifier: Apache-2.0 */
/* How each device of several ports is created, and what they share. */
#ifndef FPGAUGE_SIM_DUT_DEVICES_H
#define FPGAUGE_SIM_DUT_DEVICES_H

#include "sim/dut/device.h"
#include "sim/dut/ring.h"

/* What a device is created from. */
struct dut_device_setup {
	const struct sim_options *options;
	const struct sim_option_rule *extra; /* settings of the caller */
	size_t extra_count;
	uint64_t link_bps;
	unsigned ports;
};

/* NULL, with the option refused in setup->options. */
struct dut_device *pairs_create(const struct dut_device_setup *setup);
struct dut_device *switch_create(const struct dut_device_setup *setup);

/* Moves frames out of a ring of them: as dut_device_take(). */
static inline size_t dut_device_take_ring(struct ring *ring, struct dut_frame *out, size_t room)
{
	size_t count = 0;

	for (; count < room && !ring_empty(ring); ring->first++)
		out[count++] = *(const struct dut_frame *)ring_first(ring, sizeof(*out));
	return count;
}

#endif
