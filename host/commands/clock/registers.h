/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of one end of a cable. Private to this folder. */
#ifndef FPGAUGE_COMMANDS_CLOCK_REGISTERS_H
#define FPGAUGE_COMMANDS_CLOCK_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "hw/regs/fpgauge_regs.h"

/* Frames at one distance, each with a tag. */
struct clock_stream {
	uint32_t frame_octets;
	uint64_t frames, interval_ot;
};

/* A port, the port of the other device that it expects frames of, and which of the two test hosts is behind it: 0 or 1.
 */
struct clock_role {
	struct device *device;
	unsigned port, from, host;
};

/* Stops every port; from now on only those send that are programmed. */
int clock_take_over(struct device *device, struct error *error);

/* A port sends a stream, and expects one. */
int clock_program(const struct clock_role *role, const struct clock_stream *stream, struct error *error);

/* Counts of the last snapshot. */
struct clock_counts {
	uint64_t sent, late, received, tagged, bad;
	bool link_lost; /* lost since the clear, or now; only where a MAC reports */
};

/* Returns what link_status says of that. */
bool clock_link_lost(uint32_t link_status);

int clock_read_counts(struct device *device, unsigned port, struct clock_counts *counts, struct error *error);

/* A frame that came. */
struct clock_tag {
	unsigned source;     /* port of its device */
	uint64_t time_ot;    /* when it came */
	uint64_t latency_ot; /* time_ot less its stamp, modulo 2^43 */
};

int clock_read_tag(struct device *device, unsigned port, unsigned index, struct clock_tag *tag, struct error *error);

#endif
