/* SPDX-License-Identifier: Apache-2.0 */
/* The core of the models that queue and serve: a buffer, one server, tail drop. Integers in, integers out.
 * docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_FIFO_H
#define FPGAUGE_SIM_DUT_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/quantity.h"
#include "host/base/rate.h"
#include "sim/dut/dut.h"
#include "sim/dut/line_out.h"
#include "sim/dut/stalls.h"

enum {
	FIFO_MAX_BUFFER_FRAMES = 65536,
	FIFO_MAX_BUFFER_OCTETS = 67108864,
	FIFO_MIN_COST_OCTETS = 64, /* least that a frame takes up in a buffer counted in octets */
	FIFO_HEAD_OCTETS = 64,     /* octets of a frame that a cut-through device needs before it accepts it */
	FIFO_KNOWN_SIZES = 256,    /* cached service times; a power of two */
};

/* Exact service time of a frame: numerator / denominator octet times; per_octet: multiplied by its octets plus
 * overhead_octets. */
struct fifo_service {
	uint64_t numerator;
	uint64_t denominator;
	bool per_octet;
	uint32_t overhead_octets;
};

/* A time in octet times: whole + part / denominator, with the denominator of the service. */
struct fifo_time {
	uint64_t whole;
	uint64_t part;
};

struct fifo_settings {
	struct fifo_service service;
	uint64_t slow_numerator; /* replaces service.numerator while overloaded; 0: never overloaded */
	uint64_t latency_ot;
	uint64_t buffer; /* frames, or octets */
	bool buffer_in_octets;
	uint32_t overhead_octets; /* added to each frame in a buffer counted in octets */
	bool cut_through;
};

/* Frames that are held and served back to back, with the same service time. */
struct fifo_run {
	struct fifo_time end; /* end of the service of the first of them */
	struct fifo_time service;
	uint64_t cost; /* cost of one frame in the buffer, as fifo.used counts it */
	uint64_t frames;
};

struct fifo_known_size {
	uint32_t octets;
	struct fifo_time service, slow_service;
};

/* Values that change with every frame; kept in registers while a block of frames is processed. */
struct fifo_now {
	struct fifo_time end; /* end of the service of the last frame admitted */
	struct line_out line;
	uint64_t used;    /* part of settings.buffer used by the frames of all runs; some may be due to leave */
	uint64_t free_ot; /* when the oldest frame frees its slot; UINT64_MAX: none is held */
	bool overloaded;
};

struct fifo {
	struct fifo_settings settings;
	struct stalls stalls;
	struct fifo_now now;

	struct fifo_run *runs; /* ring; only the first run_mask + 1 of its room are in use */
	uint64_t run_mask;
	uint64_t first_run, next_run; /* counting all runs ever begun: the first that is held, the next one */

	struct fifo_known_size known[FIFO_KNOWN_SIZES]; /* indexed by size modulo FIFO_KNOWN_SIZES; 0 octets: none */
};

/* Computes the service from a rate in frames per second; a percentage is of the line rate at the size of the frame.
 * False if the rate has too many digits for exact arithmetic. */
bool fifo_service_from_fps(const struct quantity *rate, uint64_t link_bps, struct fifo_service *service);

/* The same from bits per second, counting the frame and overhead_octets; a percentage is of the link rate. */
bool fifo_service_from_bps(const struct quantity *rate, uint32_t overhead_octets, uint64_t link_bps,
                           struct fifo_service *service);

/* Makes service take 1 / share times as long while overloaded. False: too many digits. */
bool fifo_set_overload(struct fifo_settings *settings, const struct quantity *share);

/* Returns 0, or -1 when out of memory. */
int fifo_init(struct fifo *fifo, const struct fifo_settings *settings);
void fifo_release(struct fifo *fifo);
void fifo_clear(struct fifo *fifo); /* empties it and frees the line; stalls go on */

/* Service time of a frame without interruption. */
struct fifo_time fifo_service_time(const struct fifo_service *service, uint32_t frame_octets);

/* Time at which a frame counts as arrived: when it is whole, or for cut-through when its head is in. */
static inline uint64_t fifo_arrival_ot(const struct fifo_settings *settings, const struct dut_frame *frame)
{
	if (settings->cut_through && frame->octets > FIFO_HEAD_OCTETS)
		return frame->start_ot + DUT_PREAMBLE_OCTETS + FIFO_HEAD_OCTETS;
	return dut_frame_end_ot(frame);
}

/* Part of the buffer that a frame takes up. */
static inline uint64_t fifo_cost(const struct fifo_settings *settings, uint32_t frame_octets)
{
	if (!settings->buffer_in_octets)
		return 1;
	return (uint64_t)(frame_octets > FIFO_MIN_COST_OCTETS ? frame_octets : FIFO_MIN_COST_OCTETS) +
	       settings->overhead_octets;
}

/* Offers the next frame in the order of arrival. False: it is lost. True: it begins to leave at *departure_ot. */
bool fifo_admit(struct fifo *fifo, const struct dut_frame *frame, uint64_t *departure_ot);

/* Does the same as dut_pass(), for a struct fifo. */
size_t fifo_play(struct fifo *fifo, const struct dut_frame *in, size_t *count, struct dut_frame *out, size_t room);

/* Do the same as dut_state() and dut_shift(). */
size_t fifo_save(const struct fifo *fifo, uint64_t base_ot, uint8_t *buffer, size_t size);
void fifo_shift(struct fifo *fifo, uint64_t ot);

/* Goes on as if these runs, and no others, were inside, in this order; some of their frames may be due to leave. The
 * line out is free from free_ot on. count: not 0, at most 8. */
void fifo_resume(struct fifo *fifo, const struct fifo_run *runs, size_t count, uint64_t free_ot);

/* -- truth, in closed form (fifo_truth.c); for a fifo without stalls ---------------------------------------------- */

/* Number of frames of one size that the buffer holds. */
uint64_t fifo_buffer_frames(const struct fifo_settings *settings, uint32_t frame_octets);

/* Number of frames of a burst at the minimum gap into an idle FIFO before the first is lost; UINT64_MAX: none ever is.
 * Equals what repeated fifo_admit() gives (tests/sim/test_fifo.c). */
uint64_t fifo_longest_burst(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets);

/* Octet times between frames, numerator / denominator, at the highest load that is never lost. */
struct rate fifo_lossless_period_ot(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets);

/* Time from the start of a lone frame to the start of its departure. */
uint64_t fifo_latency_ot(const struct fifo_settings *settings, uint32_t frame_octets);

#endif
