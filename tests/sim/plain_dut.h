/* SPDX-License-Identifier: Apache-2.0 */
/* A second implementation of the DUT models, as plain as the definitions in docs/dut-models.md: a whole trial at once,
 * with every frame looking at every other. Slow, and shares no code with sim/dut except the times of the stalls. */
#ifndef FPGAUGE_TESTS_SIM_PLAIN_DUT_H
#define FPGAUGE_TESTS_SIM_PLAIN_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"

enum { PLAIN_MAX_FRAMES = 400, PLAIN_MAX_OUT = 2 * PLAIN_MAX_FRAMES, PLAIN_MAX_STALLS = 4000, PLAIN_FAULTS = 6 };

/* Time of one service: numerator / denominator octet times, times octets + overhead when per_octet. */
struct plain_server {
	uint64_t numerator, denominator;
	bool per_octet;
	uint32_t overhead;
	uint64_t slow_percent; /* percentage of the service while overloaded; 0: never overloaded */
	uint64_t latency_ot;
	uint64_t buffer;
	uint32_t buffer_overhead;
	bool in_octets, cut_through;
	size_t stalls;
	uint64_t stall_start_ot[PLAIN_MAX_STALLS], stall_ot;
};

/* drop, duplicate, reorder, corrupt, delay, alter: every Nth frame or, if every is 0, by draws up to limit; neither:
 * never. */
struct plain_faults {
	uint64_t every[PLAIN_FAULTS];
	uint64_t limit[PLAIN_FAULTS], state[PLAIN_FAULTS];
	uint64_t reorder_frames, wait_ot, delay_ot;
	uint64_t seen; /* number of earlier frames */
};

size_t plain_wire(uint64_t delay_ot, const struct dut_frame *in, size_t count, struct dut_frame *out);
size_t plain_server(const struct plain_server *server, const struct dut_frame *in, size_t count, struct dut_frame *out);
size_t plain_faults(const struct plain_faults *faults, const struct dut_frame *in, size_t count, struct dut_frame *out);

#endif
