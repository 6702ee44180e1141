/* SPDX-License-Identifier: Apache-2.0 */
/* The core of the FIFO model: integers in, integers out. docs/dut-models.md has the definition in words. */
#ifndef FPGAUGE_SIM_DUT_FIFO_H
#define FPGAUGE_SIM_DUT_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/quantity.h"
#include "host/base/rate.h"
#include "sim/dut/dut.h"

enum { FIFO_MAX_BUFFER_FRAMES = 65536 };

/* Time that a frame is served, exactly: numerator / denominator octet times, times the octets that the frame takes on
 * the line (with preamble and minimum gap) when the rate was given as percent of the line rate. */
struct fifo_service {
	uint64_t numerator;
	uint64_t denominator;
	bool per_line_octet;
};

/* A time in octet times: whole + part / denominator of the service. */
struct fifo_time {
	uint64_t whole;
	uint64_t part;
};

struct fifo {
	struct fifo_service service;
	uint64_t latency_ot;
	uint64_t buffer_frames;

	struct fifo_time end; /* of the service of the frame admitted last */
	uint64_t
	        line_free_ot; /* ideal start of the next frame on the line: one gap of 12 after the last, not rounded */
	uint64_t *slot_free_ot; /* ring: first octet time at which the slot of a held frame is free again */
	size_t slot_mask;
	uint64_t slots_taken, slots_freed; /* ever; the difference is held or already due */

	uint32_t cached_octets; /* service time of this size, because most frames are as long as the one before */
	struct fifo_time cached_service;
};

/* False when the rate has too many digits for exact arithmetic. */
bool fifo_service_from_rate(const struct quantity *rate, uint64_t link_bps, struct fifo_service *service);

/* Returns 0, or -1 when out of memory. */
int fifo_init(struct fifo *fifo, const struct fifo_service *service, uint64_t latency_ot, uint64_t buffer_frames);
void fifo_release(struct fifo *fifo);

/* As dut_ops.admit. */
bool fifo_admit(struct fifo *fifo, const struct dut_frame *frame, uint64_t *departure_ot);

/* Frames of a burst at the minimum gap into the idle FIFO before the first that is lost; UINT64_MAX: none ever is.
 * Closed form; equal to playing fifo_admit (tests/sim/test_fifo.c). */
uint64_t fifo_longest_burst(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets);

/* Octet times between frames, numerator / denominator, at the highest load that is never lost. */
struct rate fifo_lossless_period_ot(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets);

#endif
