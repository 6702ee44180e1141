/* SPDX-License-Identifier: Apache-2.0 */
/* Declares how each device of several ports is created, and what they share. */
#ifndef FPGAUGE_SIM_DUT_DEVICES_H
#define FPGAUGE_SIM_DUT_DEVICES_H

#include <string.h>

#include "sim/dut/device.h"
#include "sim/dut/ring.h"

/* Inputs from which a device is created. */
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
struct dut_device *two_switches_create(const struct dut_device_setup *setup);
struct dut_device *router_create(const struct dut_device_setup *setup);

/* Moves frames out of a ring of them: as dut_device_take(). */
static inline size_t dut_device_take_ring(struct ring *ring, struct dut_frame *out, size_t room)
{
	const uint64_t inside = ring->end - ring->first;
	const size_t count = inside < room ? (size_t)inside : room;
	const uint64_t to_wrap = ring->mask + 1 - (ring->first & ring->mask);
	const size_t front = count < to_wrap ? count : (size_t)to_wrap;

	if (count == 0)
		return 0;
	memcpy(out, ring_first(ring, sizeof(*out)), front * sizeof(*out));
	if (count > front)
		memcpy(out + front, ring->entries, (count - front) * sizeof(*out));
	ring->first += count;
	return count;
}

#endif
