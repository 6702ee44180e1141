/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a switch, and what follows from them for a single frame. docs/dut-models.md defines them in words. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_SETTINGS_H
#define FPGAUGE_SIM_DUT_SWITCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/devices.h"
#include "sim/dut/meter.h"

enum {
	SWITCH_HEAD_OCTETS = 64,  /* octets that a cut-through switch needs before it decides */
	SWITCH_LEAST_OCTETS = 14, /* two addresses and a type: there is nothing to go by in less */
};

enum switch_error { SWITCH_FCS, SWITCH_SHORT, SWITCH_LONG, SWITCH_ERRORS };

struct switch_settings {
	uint32_t table_addresses;
	uint32_t bucket_addresses; /* entries of the same hash; 0: any number */
	uint64_t ageing_ot;
	struct meter learning, broadcast; /* state at the start */
	uint64_t buffer;                  /* size of a queue, or of all if shared */
	bool shared;
	uint64_t alpha_numerator, alpha_denominator; /* denominator 0: complete sharing */
	uint32_t cell_octets;                        /* 0: every frame takes 1 of the buffer */
	bool cut_through, head_of_line_blocking, back_pressure;
	uint32_t pause_quanta; /* time that a sender is held for */
	uint64_t latency_ot;
	uint32_t gap_octets;
	bool forwards[SWITCH_ERRORS];
};

/* Part of the buffer that a frame takes. */
static inline uint32_t switch_cost(const struct switch_settings *settings, uint32_t frame_octets)
{
	if (settings->cell_octets == 0)
		return 1;
	return (frame_octets + settings->cell_octets - 1) / settings->cell_octets;
}

/* Time at which a switch that decides at once would decide on a frame: when it has come in whole, or its head by
 * cut-through. */
static inline uint64_t switch_arrival_ot(bool cut_through, const struct dut_frame *frame)
{
	const uint64_t end_ot = dut_frame_end_ot(frame);

	/* One that is longer than what the latency makes up for counts from its end, as it must be whole when it
	 * leaves. */
	if (cut_through && frame->octets > MAX_FRAME_OCTETS)
		return end_ot - (MAX_FRAME_OCTETS - SWITCH_HEAD_OCTETS);
	if (cut_through && frame->octets > SWITCH_HEAD_OCTETS)
		return frame->start_ot + DUT_PREAMBLE_OCTETS + SWITCH_HEAD_OCTETS;
	return end_ot;
}

/* Least time by which a frame is decided on later than it ends. */
static inline uint64_t switch_lead_ot(const struct switch_settings *settings)
{
	return settings->latency_ot - (settings->cut_through ? MAX_FRAME_OCTETS - SWITCH_HEAD_OCTETS : 0);
}

/* True if a frame of this length is forwarded, apart from its FCS. */
static inline bool switch_forwards_length(const struct switch_settings *settings, uint32_t frame_octets)
{
	if (frame_octets < MIN_FRAME_OCTETS)
		return frame_octets >= SWITCH_LEAST_OCTETS && settings->forwards[SWITCH_SHORT];
	return frame_octets <= MAX_FRAME_OCTETS || settings->forwards[SWITCH_LONG];
}

/* True if queues do not depend on each other: each has a buffer of its own, at its output, and holds nobody back. */
static inline bool switch_places_later(const struct switch_settings *settings)
{
	return !settings->shared && !settings->head_of_line_blocking && !settings->back_pressure;
}

/* more: settings that the caller reads itself. 0, or -1 with the option refused. */
int switch_read(const struct dut_device_setup *setup, const struct sim_option_rule *more, size_t more_count,
                struct switch_settings *settings);

#endif
