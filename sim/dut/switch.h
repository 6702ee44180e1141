/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the device switch: switch.c implements it, switch_settings.c reads its settings, switch_truth.c says what
 * it passes. docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_H
#define FPGAUGE_SIM_DUT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/addresses.h"
#include "sim/dut/devices.h"
#include "sim/dut/earliest.h"
#include "sim/dut/line_out.h"
#include "sim/dut/meter.h"
#include "sim/dut/ring.h"

enum { SWITCH_HEAD_OCTETS = 64 }; /* that a cut-through switch needs before it decides */

enum switch_error { SWITCH_FCS, SWITCH_SHORT, SWITCH_LONG, SWITCH_ERRORS };

struct switch_settings {
	uint32_t table_addresses;
	uint64_t ageing_ot;
	struct meter learning, broadcast; /* at the start */
	uint64_t buffer;                  /* of a queue, or of all if shared */
	bool shared;
	uint64_t alpha_numerator, alpha_denominator; /* denominator 0: complete sharing */
	uint32_t cell_octets;                        /* 0: every frame takes 1 of the buffer */
	bool cut_through, head_of_line_blocking;
	uint64_t latency_ot;
	uint32_t gap_octets;
	bool forwards[SWITCH_ERRORS];
};

/* A frame that has come in and waits for its decision. */
struct switch_arrival {
	struct dut_frame frame;
	uint64_t source, destination; /* addresses, first octet on the wire highest */
};

/* A frame in an input queue. */
struct switch_waiting {
	struct dut_frame frame;
	uint64_t decided_ot;
	uint32_t outputs; /* a bit per port */
	uint32_t cost;
};

/* Part of a buffer that becomes free. */
struct switch_release {
	uint64_t ot;
	uint64_t cost;
};

struct switch_port {
	struct ring arrivals, waiting, out;
	struct line_out line;
	struct meter broadcast;
	uint64_t head_ot; /* when the frame before it has begun to leave an input queue */

	/* The queue at this port: of what leaves here, or with head-of-line blocking of what came in here. */
	struct ring releases;
	uint64_t used;
	uint64_t last_release_ot;
};

struct switch_device {
	struct device device;
	struct switch_settings settings;
	struct addresses addresses;
	struct meter learning;
	uint64_t used;            /* of a shared buffer */
	struct earliest events;   /* next decision or head of each port */
	struct earliest releases; /* next release of each queue, if the buffer is shared */
	struct switch_port ports[DEVICE_MAX_PORTS];
};

/* Part of the buffer that a frame takes. */
static inline uint32_t switch_cost(const struct switch_settings *settings, uint32_t frame_octets)
{
	if (settings->cell_octets == 0)
		return 1;
	return (frame_octets + settings->cell_octets - 1) / settings->cell_octets;
}

/* From the end of a frame to its decision: never negative, but less than its latency for cut-through, where it is
 * counted from the head. */
uint64_t switch_decided_ot(const struct switch_settings *settings, const struct dut_frame *frame);

/* 0, or -1 with the option refused. */
int switch_read(const struct device_setup *setup, struct switch_settings *settings);

/* As device_truth(). */
void switch_truth(const struct device *device, const struct device_load *load, struct fpgauge_sim_truth *truth);

/* Whether a frame of this length is forwarded, apart from its FCS. */
bool switch_forwards_length(const struct switch_settings *settings, uint32_t frame_octets);

#endif
