/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on their way through a simulated device: their octets, and when they leave. First in, first out; grows. */
#ifndef FPGAUGE_SIM_LINE_FRAME_STORE_H
#define FPGAUGE_SIM_LINE_FRAME_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/line/line.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stored_frame {
	uint64_t departure_ot;
	uint64_t position; /* counts octets ever stored; its place is position modulo the capacity */
	uint32_t length;
};

struct frame_store {
	uint8_t *octets;
	size_t capacity;             /* a power of two; a frame never lies across its end */
	uint64_t reserved;           /* where the next frame goes */
	struct stored_frame *frames; /* ring */
	size_t frame_mask;
	uint64_t first, end; /* frames ever taken out, ever put in */
};

int frame_store_init(struct frame_store *store); /* 0, or -1: out of memory */
void frame_store_release(struct frame_store *store);

/* Room for the longest frame and one word; NULL when out of memory. Stays until the next put or reserve. */
uint8_t *frame_store_reserve(struct frame_store *store);

/* Keeps the frame that was written where reserve said. 0, or -1: out of memory. */
int frame_store_put(struct frame_store *store, uint32_t length, uint64_t departure_ot);

static inline bool frame_store_empty(const struct frame_store *store)
{
	return store->first == store->end;
}

/* The frame that leaves next; the store must not be empty. */
static inline const struct stored_frame *frame_store_first(const struct frame_store *store)
{
	return &store->frames[store->first & store->frame_mask];
}

/* Its octets, with a word's worth of anything behind them. Moves when a frame is reserved. */
static inline const uint8_t *frame_store_octets(const struct frame_store *store, const struct stored_frame *frame)
{
	return store->octets + (frame->position & (store->capacity - 1));
}

static inline void frame_store_drop_first(struct frame_store *store)
{
	store->first++;
}

#ifdef __cplusplus
}
#endif

#endif
