// SPDX-License-Identifier: Apache-2.0
/* A hash table of addresses with chains, and a list in the order of when each was last seen: as all have the same time
 * to live, the next one to forget is at its end. */
#include "sim/dut/addresses.h"

#include <stdlib.h>

/* Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4): 2^64 divided by the golden ratio. The upper
 * bits depend on all bits of the address, so addresses that count up do not collide. */
static const uint64_t HASH_FACTOR = UINT64_C(0x9e3779b97f4a7c15);

static inline uint32_t *bucket_of(const struct addresses *addresses, uint64_t address)
{
	return &addresses->buckets[address * HASH_FACTOR >> addresses->hash_shift];
}

int addresses_init(struct addresses *addresses, uint32_t capacity, uint64_t ageing_ot)
{
	unsigned bits = 1;

	while (UINT64_C(1) << bits < capacity)
		bits++;
	*addresses = (struct addresses){.capacity = capacity, .ageing_ot = ageing_ot, .hash_shift = 64 - bits};
	addresses->entries = calloc((size_t)capacity + 1, sizeof(*addresses->entries));
	addresses->buckets = calloc((size_t)1 << bits, sizeof(*addresses->buckets));
	if (addresses->entries != NULL && addresses->buckets != NULL)
		return 0;
	addresses_release(addresses);
	return -1;
}

void addresses_release(struct addresses *addresses)
{
	free(addresses->entries);
	free(addresses->buckets);
	addresses->entries = NULL;
	addresses->buckets = NULL;
}

uint32_t addresses_find(const struct addresses *addresses, uint64_t address)
{
	uint32_t i = *bucket_of(addresses, address);

	while (i != 0 && addresses->entries[i].address != address)
		i = addresses->entries[i].next;
	return i;
}

static void unlink_age(struct addresses *addresses, const struct address_entry *entry)
{
	*(entry->older != 0 ? &addresses->entries[entry->older].newer : &addresses->oldest) = entry->newer;
	*(entry->newer != 0 ? &addresses->entries[entry->newer].older : &addresses->newest) = entry->older;
}

static void link_newest(struct addresses *addresses, uint32_t number)
{
	struct address_entry *entry = &addresses->entries[number];

	entry->older = addresses->newest;
	entry->newer = 0;
	*(entry->older != 0 ? &addresses->entries[entry->older].newer : &addresses->oldest) = number;
	addresses->newest = number;
}

static void forget_oldest(struct addresses *addresses)
{
	const uint32_t number = addresses->oldest;
	struct address_entry *entry = &addresses->entries[number];
	uint32_t *link = bucket_of(addresses, entry->address);

	while (*link != number)
		link = &addresses->entries[*link].next;
	*link = entry->next;
	unlink_age(addresses, entry);
	entry->next = addresses->unused;
	addresses->unused = number;
	addresses->count--;
}

void addresses_forget(struct addresses *addresses, uint64_t now_ot)
{
	while (addresses->oldest != 0 && now_ot - addresses->entries[addresses->oldest].seen_ot >= addresses->ageing_ot)
		forget_oldest(addresses);
}

void addresses_see(struct addresses *addresses, uint32_t number, uint32_t port, uint64_t now_ot)
{
	struct address_entry *entry = &addresses->entries[number];

	entry->port = port;
	entry->seen_ot = now_ot;
	if (number == addresses->newest)
		return;
	unlink_age(addresses, entry);
	link_newest(addresses, number);
}

void addresses_add(struct addresses *addresses, uint64_t address, uint32_t port, uint64_t now_ot)
{
	uint32_t *bucket = bucket_of(addresses, address);
	uint32_t number = addresses->unused;

	if (number != 0)
		addresses->unused = addresses->entries[number].next;
	else
		number = ++addresses->used;
	addresses->entries[number] =
	        (struct address_entry){.address = address, .port = port, .seen_ot = now_ot, .next = *bucket};
	*bucket = number;
	link_newest(addresses, number);
	addresses->count++;
}
