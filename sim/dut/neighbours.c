// SPDX-License-Identifier: Apache-2.0
/* A hash table of a fixed size. */
#include "sim/dut/neighbours.h"

#include <stdlib.h>

#include "sim/dut/random.h"

int neighbours_init(struct neighbours *neighbours, uint32_t capacity)
{
	uint32_t buckets = 1;

	while (buckets < capacity)
		buckets *= 2;
	*neighbours = (struct neighbours){.capacity = capacity, .mask = buckets - 1};
	neighbours->entries = calloc((size_t)capacity + 1, sizeof(*neighbours->entries));
	neighbours->buckets = calloc(buckets, sizeof(*neighbours->buckets));
	if (neighbours->entries != NULL && neighbours->buckets != NULL)
		return 0;
	neighbours_release(neighbours);
	return -1;
}

void neighbours_release(struct neighbours *neighbours)
{
	free(neighbours->entries);
	free(neighbours->buckets);
	*neighbours = (struct neighbours){.entries = NULL};
}

static uint32_t *bucket_of(const struct neighbours *neighbours, unsigned port, const struct net_address *address)
{
	uint64_t halves[2];

	memcpy(halves, address->octet, sizeof(halves));
	return &neighbours->buckets[splitmix64_mix(splitmix64_mix(halves[0] + port) + halves[1]) & neighbours->mask];
}

struct neighbour *neighbours_find(const struct neighbours *neighbours, unsigned port, const struct net_address *address)
{
	for (uint32_t i = *bucket_of(neighbours, port, address); i != 0; i = neighbours->entries[i].next)
		if (neighbours->entries[i].port == port && net_equal(&neighbours->entries[i].address, address))
			return &neighbours->entries[i];
	return NULL;
}

struct neighbour *neighbours_add(struct neighbours *neighbours, unsigned port, const struct net_address *address)
{
	uint32_t *bucket = bucket_of(neighbours, port, address);
	struct neighbour *entry;

	if (neighbours->count == neighbours->capacity)
		return NULL;
	entry = &neighbours->entries[++neighbours->count];
	*entry = (struct neighbour){.address = *address, .port = (uint8_t)port, .next = *bucket};
	*bucket = neighbours->count;
	return entry;
}
