/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on their way through a simulated device: their octets, and when they leave. They may leave in another order
 * than they came, more than once or not at all. Grows. */
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
	uint64_t position; /* counts octets ever stored; its place is position modulo the capacity */
	uint32_t length;
	uint32_t departures; /* that are still to come */
};

struct departure {
	uint64_t start_ot;
	uint64_t id; /* of the frame: how many were kept before it */
	bool corrupt;
};

struct frame_store {
	uint8_t *octets;
	size_t capacity;   /* a power of two; a frame never lies across its end */
	uint64_t reserved; /* where the next frame goes */

	struct stored_frame *frames; /* ring by id */
	size_t frame_mask;
	uint64_t first, end;  /* id of the oldest frame that is kept, of the next one */
	uint64_t wanted_from; /* frames from this id on are kept even when no departure is known */

	struct departure *departures; /* ring, in the order of their starts */
	size_t departure_mask;
	uint64_t gone, announced; /* departures ever */
};

int frame_store_init(struct frame_store *store); /* 0, or -1: out of memory */
void frame_store_release(struct frame_store *store);

/* Room for the longest frame and one word; NULL when out of memory. Stays until the next put or reserve. */
uint8_t *frame_store_reserve(struct frame_store *store);

/* Keeps the frame that was written where reserve said. 0, or -1: out of memory. */
int frame_store_keep(struct frame_store *store, uint32_t length, uint64_t *id);

/* Frame `id`, which is kept, leaves at a time that is behind all told before; corrupt: with its last octet inverted.
 * 0, or -1: out of memory. */
int frame_store_send(struct frame_store *store, uint64_t id, uint64_t departure_ot, bool corrupt);

/* Departures at from_ot or later are called off; none of them has begun. */
void frame_store_call_off(struct frame_store *store, uint64_t from_ot);

/* Frames below this id need not be kept longer than until the departures told so far. */
void frame_store_want_from(struct frame_store *store, uint64_t id);

/* Keeps and sends, once. 0, or -1: out of memory. */
int frame_store_put(struct frame_store *store, uint32_t length, uint64_t departure_ot);

static inline bool frame_store_empty(const struct frame_store *store)
{
	return store->gone == store->announced;
}

/* The next departure; there must be one. */
static inline const struct departure *frame_store_next(const struct frame_store *store)
{
	return &store->departures[store->gone & store->departure_mask];
}

/* The frame that leaves next; there must be one. */
static inline const struct stored_frame *frame_store_first(const struct frame_store *store)
{
	return &store->frames[frame_store_next(store)->id & store->frame_mask];
}

/* Its octets, with a word's worth of anything behind them. Moves when a frame is reserved. */
static inline const uint8_t *frame_store_octets(const struct frame_store *store, const struct stored_frame *frame)
{
	return store->octets + (frame->position & (store->capacity - 1));
}

/* The next departure is over. */
void frame_store_drop_first(struct frame_store *store);

#ifdef __cplusplus
}
#endif

#endif
