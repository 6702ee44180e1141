/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on their way through a simulated device: their octets, and when they leave. They may leave in a different
 * order than they came, more than once or not at all, and from where other frames come in: each store has the octets of
 * frames that came in at a port, and the departures from there of frames of any store. Grows as needed. */
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
	uint32_t departures; /* still to come */
	bool altered;
};

struct departure {
	uint64_t start_ot;
	uint64_t id;              /* identifies the frame: the number of frames kept before it */
	struct frame_store *from; /* where it is kept */
	bool corrupt;
};

struct frame_store {
	uint8_t *octets;
	size_t capacity;   /* a power of two; a frame never crosses its end */
	uint64_t reserved; /* where the next frame goes */

	struct stored_frame *frames; /* ring by id */
	size_t frame_mask;
	uint64_t first, end;  /* id of the oldest frame kept, and of the next one */
	uint64_t wanted_from; /* frames from this id on are kept even if no departure is known */

	struct departure *departures; /* ring, in the order of their starts */
	size_t departure_mask;
	uint64_t gone, announced; /* counting all departures */
};

int frame_store_init(struct frame_store *store); /* 0, or -1: out of memory */
void frame_store_release(struct frame_store *store);

/* Room for the longest frame plus one word; NULL when out of memory. Valid until the next put or reserve. */
uint8_t *frame_store_reserve(struct frame_store *store);

/* Keeps the frame that was written to the reserved room. 0, or -1: out of memory. */
int frame_store_keep(struct frame_store *store, uint32_t length, uint64_t *id);

/* The octets of a frame that is kept. */
const uint8_t *frame_store_find(const struct frame_store *store, uint64_t id);

/* Frame `id`, which is kept in `from`, leaves at a time later than all announced before; corrupt: with its last octet
 * inverted. 0, or -1: out of memory. */
int frame_store_send(struct frame_store *store, struct frame_store *from, uint64_t id, uint64_t departure_ot,
                     bool corrupt);

/* Changes an octet of frame `id`, which is kept and of which nothing has left yet, as DUT_FRAME_ALTERED says. Once: a
 * second time has no effect, because a copy is a copy of the altered frame. */
void frame_store_alter(struct frame_store *store, uint64_t id);

/* Cancels departures at from_ot or later; none of them has begun. */
void frame_store_call_off(struct frame_store *store, uint64_t from_ot);

/* Frames below this id need to be kept only until the departures announced so far. */
void frame_store_want_from(struct frame_store *store, uint64_t id);

/* Keeps a frame and sends it, once. 0, or -1: out of memory. */
int frame_store_put(struct frame_store *store, uint32_t length, uint64_t departure_ot);

static inline bool frame_store_empty(const struct frame_store *store)
{
	return store->gone == store->announced;
}

/* No frame that came in here is kept any more. */
static inline bool frame_store_keeps_none(const struct frame_store *store)
{
	return store->first == store->end;
}

/* The next departure; there must be one. */
static inline const struct departure *frame_store_next(const struct frame_store *store)
{
	return &store->departures[store->gone & store->departure_mask];
}

/* The frame that leaves next; there must be one. */
static inline const struct stored_frame *frame_store_first(const struct frame_store *store)
{
	const struct departure *next = frame_store_next(store);

	return &next->from->frames[next->id & next->from->frame_mask];
}

/* Its octets, followed by a word of undefined octets. May move when a frame is reserved. */
static inline const uint8_t *frame_store_octets(const struct frame_store *store)
{
	const struct frame_store *from = frame_store_next(store)->from;

	return from->octets + (frame_store_first(store)->position & (from->capacity - 1));
}

/* Drops the next departure, which is over. */
void frame_store_drop_first(struct frame_store *store);

#ifdef __cplusplus
}
#endif

#endif
