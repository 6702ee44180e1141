// SPDX-License-Identifier: Apache-2.0
/* A queue in a ring that doubles when it is full. */
#include "sim/dut/ring.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ENTRIES = 64 };

int ring_init(struct ring *ring, size_t size)
{
	*ring = (struct ring){.entries = malloc(FIRST_ENTRIES * size), .mask = FIRST_ENTRIES - 1};
	return ring->entries != NULL ? 0 : -1;
}

void ring_release(struct ring *ring)
{
	free(ring->entries);
	ring->entries = NULL;
}

int ring_grow(struct ring *ring, size_t size)
{
	const struct ring old = *ring;
	const uint64_t mask = old.mask * 2 + 1;
	unsigned char *entries = malloc((size_t)(mask + 1) * size);

	if (entries == NULL)
		return -1;
	ring->entries = entries;
	ring->mask = mask;
	for (uint64_t i = old.first; i != old.end; i++)
		memcpy(ring_at(ring, i, size), ring_at(&old, i, size), size);
	free(old.entries);
	return 0;
}
