// SPDX-License-Identifier: Apache-2.0
/* A ring of octets, a ring of frames that point into it, and a ring of departures. Each doubles when full. */
#include "sim/line/frame_store.h"

#include <stdlib.h>
#include <string.h>

#include "sim/dut/dut.h"
#include "sim/line/fcs.h"

enum {
	ROOM_OCTETS = LINE_MAX_FRAME_OCTETS + LINE_OCTETS, /* room for one frame being received */
	FIRST_CAPACITY = 1 << 18,
	FIRST_FRAMES = 1 << 10,
};

int frame_store_init(struct frame_store *store)
{
	*store = (struct frame_store){
	        .capacity = FIRST_CAPACITY, .frame_mask = FIRST_FRAMES - 1, .departure_mask = FIRST_FRAMES - 1};
	store->octets = malloc(store->capacity + LINE_OCTETS);
	store->frames = malloc(FIRST_FRAMES * sizeof(*store->frames));
	store->departures = malloc(FIRST_FRAMES * sizeof(*store->departures));
	if (store->octets != NULL && store->frames != NULL && store->departures != NULL)
		return 0;
	frame_store_release(store);
	return -1;
}

void frame_store_release(struct frame_store *store)
{
	free(store->octets);
	free(store->frames);
	free(store->departures);
	store->octets = NULL;
	store->frames = NULL;
	store->departures = NULL;
}

static uint8_t *octets_of(const struct frame_store *store, const struct stored_frame *frame)
{
	return store->octets + (frame->position & (store->capacity - 1));
}

/* Positions do not change: a frame that does not cross a multiple of the old capacity does not cross one of the new
 * capacity either. */
static int grow_octets(struct frame_store *store)
{
	size_t capacity = store->capacity * 2;
	uint8_t *octets = malloc(capacity + LINE_OCTETS);

	if (octets == NULL)
		return -1;
	for (uint64_t i = store->first; i != store->end; i++) {
		const struct stored_frame *frame = &store->frames[i & store->frame_mask];

		memcpy(octets + (frame->position & (capacity - 1)), octets_of(store, frame), frame->length);
	}
	free(store->octets);
	store->octets = octets;
	store->capacity = capacity;
	return 0;
}

static int grow_frames(struct frame_store *store)
{
	size_t mask = store->frame_mask * 2 + 1;
	struct stored_frame *frames = malloc((mask + 1) * sizeof(*frames));

	if (frames == NULL)
		return -1;
	for (uint64_t i = store->first; i != store->end; i++)
		frames[i & mask] = store->frames[i & store->frame_mask];
	free(store->frames);
	store->frames = frames;
	store->frame_mask = mask;
	return 0;
}

static int grow_departures(struct frame_store *store)
{
	size_t mask = store->departure_mask * 2 + 1;
	struct departure *departures = malloc((mask + 1) * sizeof(*departures));

	if (departures == NULL)
		return -1;
	for (uint64_t i = store->gone; i != store->announced; i++)
		departures[i & mask] = store->departures[i & store->departure_mask];
	free(store->departures);
	store->departures = departures;
	store->departure_mask = mask;
	return 0;
}

/* Drops the oldest frames that are no longer needed. */
static void trim(struct frame_store *store)
{
	while (store->first != store->end && store->first < store->wanted_from &&
	       store->frames[store->first & store->frame_mask].departures == 0)
		store->first++;
}

uint8_t *frame_store_reserve(struct frame_store *store)
{
	for (;;) {
		size_t offset = store->reserved & (store->capacity - 1);
		uint64_t oldest = store->first == store->end ? store->reserved
		                                             : store->frames[store->first & store->frame_mask].position;

		if (offset + ROOM_OCTETS > store->capacity)
			store->reserved += store->capacity - offset;
		if (store->reserved + ROOM_OCTETS - oldest <= store->capacity)
			return store->octets + (store->reserved & (store->capacity - 1));
		if (grow_octets(store) != 0)
			return NULL;
	}
}

int frame_store_keep(struct frame_store *store, uint32_t length, uint64_t *id)
{
	if (store->end - store->first > store->frame_mask && grow_frames(store) != 0)
		return -1;
	*id = store->end++;
	store->frames[*id & store->frame_mask] = (struct stored_frame){.position = store->reserved, .length = length};
	store->reserved += (length + LINE_GROUP_OCTETS - 1) / LINE_GROUP_OCTETS * LINE_GROUP_OCTETS;
	return 0;
}

const uint8_t *frame_store_find(const struct frame_store *store, uint64_t id)
{
	return octets_of(store, &store->frames[id & store->frame_mask]);
}

int frame_store_send(struct frame_store *store, struct frame_store *from, uint64_t id, uint64_t departure_ot,
                     bool corrupt)
{
	if (store->announced - store->gone > store->departure_mask && grow_departures(store) != 0)
		return -1;
	from->frames[id & from->frame_mask].departures++;
	store->departures[store->announced++ & store->departure_mask] =
	        (struct departure){.start_ot = departure_ot, .id = id, .from = from, .corrupt = corrupt};
	return 0;
}

/* One departure of a frame less. */
static void forget(const struct departure *departure)
{
	struct frame_store *from = departure->from;

	from->frames[departure->id & from->frame_mask].departures--;
	trim(from);
}

void frame_store_alter(struct frame_store *store, uint64_t id)
{
	struct stored_frame *frame = &store->frames[id & store->frame_mask];
	uint8_t *octets = octets_of(store, frame);

	if (frame->altered || frame->length < DUT_ALTERED_MIN_OCTETS)
		return;
	frame->altered = true;
	octets[dut_altered_octet(frame->length)] ^= 0xff;
	line_put_fcs(octets, frame->length - FCS_OCTETS);
}

void frame_store_call_off(struct frame_store *store, uint64_t from_ot)
{
	while (store->announced != store->gone) {
		const struct departure *last = &store->departures[(store->announced - 1) & store->departure_mask];

		if (last->start_ot < from_ot)
			break;
		forget(last);
		store->announced--;
	}
}

void frame_store_want_from(struct frame_store *store, uint64_t id)
{
	store->wanted_from = id < store->end ? id : store->end;
	trim(store);
}

void frame_store_drop_first(struct frame_store *store)
{
	forget(frame_store_next(store));
	store->gone++;
}

int frame_store_put(struct frame_store *store, uint32_t length, uint64_t departure_ot)
{
	uint64_t id;

	if (frame_store_keep(store, length, &id) != 0 || frame_store_send(store, store, id, departure_ot, false) != 0)
		return -1;
	frame_store_want_from(store, id + 1);
	return 0;
}
