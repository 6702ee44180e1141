/* SPDX-License-Identifier: Apache-2.0 */
/* A queue in a ring that doubles when it is full: after that no memory is asked for any more. The entries are of one
 * size, which every call repeats, so that it is a constant where a call is compiled. */
#ifndef FPGAUGE_SIM_DUT_RING_H
#define FPGAUGE_SIM_DUT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	unsigned char *entries;
	uint64_t mask;       /* number of entries that there is room for, less one */
	uint64_t first, end; /* total entries taken out, total put in */
};

int ring_init(struct ring *ring, size_t size); /* 0, or -1: out of memory */
void ring_release(struct ring *ring);
int ring_grow(struct ring *ring, size_t size); /* 0, or -1: out of memory, and unchanged */

/* Room for one more entry in a copy of a ring that is kept in registers: its address must not get out. 0, or -1: out of
 * memory, and unchanged. */
static inline int ring_make_room(struct ring *ring, size_t size)
{
	struct ring grown;

	if (ring->end - ring->first <= ring->mask)
		return 0;
	grown = *ring;
	if (ring_grow(&grown, size) != 0)
		return -1;
	*ring = grown;
	return 0;
}

/* Room for so many more. 0, or -1: out of memory, and unchanged. */
static inline int ring_reserve(struct ring *ring, size_t size, uint64_t more)
{
	while (ring->mask + 1 - (ring->end - ring->first) < more)
		if (ring_grow(ring, size) != 0)
			return -1;
	return 0;
}

static inline bool ring_empty(const struct ring *ring)
{
	return ring->first == ring->end;
}

/* Entry number i of all ever put in; it is inside. */
static inline void *ring_at(const struct ring *ring, uint64_t i, size_t size)
{
	return ring->entries + (size_t)(i & ring->mask) * size;
}

static inline void *ring_first(const struct ring *ring, size_t size)
{
	return ring_at(ring, ring->first, size);
}

/* Room for one entry more, to be filled; NULL: out of memory. */
static inline void *ring_push(struct ring *ring, size_t size)
{
	if (ring->end - ring->first > ring->mask && ring_grow(ring, size) != 0)
		return NULL;
	return ring_at(ring, ring->end++, size);
}

#endif
