// SPDX-License-Identifier: Apache-2.0
/* A hash table of addresses with chains, and a list in the order of when each was last seen: as all have the same time
 * to live, the next one to forget is at its end. */
#include "sim/dut/addresses.h"

#include <stdlib.h>

int addresses_init(struct addresses *addresses, uint32_t capacity, uint32_t ways, uint64_t ageing_ot)
{
	unsigned bits = 1;

	while ((UINT64_C(1) << bits) * (ways ? ways : 1) < capacity)
		bits++;
	*addresses =
	        (struct addresses){.capacity = capacity, .ways = ways, .ageing_ot = ageing_ot, .hash_shift = 64 - bits};
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
	uint32_t *link = addresses_bucket(addresses, entry->address);

	while (*link != number)
		link = &addresses->entries[*link].next;
	*link = entry->next;
	unlink_age(addresses, entry);
	entry->next = addresses->unused;
	addresses->unused = number;
	addresses->count--;
	addresses->changes++;
}

/* Nothing that is seen or added from now on is to be forgotten before what is the oldest now, or before its time to
 * live is over. */
void addresses_forget(struct addresses *addresses, uint64_t now_ot)
{
	while (addresses->oldest != 0 && now_ot - addresses->entries[addresses->oldest].seen_ot >= addresses->ageing_ot)
		forget_oldest(addresses);
	addresses->look_ot = addresses->oldest != 0 ? addresses->entries[addresses->oldest].seen_ot : now_ot;
	if (__builtin_add_overflow(addresses->look_ot, addresses->ageing_ot, &addresses->look_ot))
		addresses->look_ot = UINT64_MAX;
}

void addresses_see(struct addresses *addresses, uint32_t number, uint32_t port, uint64_t now_ot)
{
	struct address_entry *entry = &addresses->entries[number];

	addresses->changes += entry->port != port;
	entry->port = port;
	entry->seen_ot = now_ot;
	if (number == addresses->newest)
		return;
	unlink_age(addresses, entry);
	link_newest(addresses, number);
}

void addresses_add(struct addresses *addresses, uint64_t address, uint32_t port, uint64_t now_ot)
{
	uint32_t *bucket = addresses_bucket(addresses, address);
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
	addresses->changes++;
}

uint64_t addresses_forget_ot(const struct addresses *addresses)
{
	const uint64_t seen_ot = addresses->entries[addresses->oldest].seen_ot;

	if (addresses->oldest == 0 || seen_ot > UINT64_MAX - addresses->ageing_ot)
		return UINT64_MAX;
	return seen_ot + addresses->ageing_ot;
}

void addresses_shift(struct addresses *addresses, uint64_t since_ot, uint64_t ot)
{
	for (uint32_t i = addresses->newest; i != 0 && addresses->entries[i].seen_ot >= since_ot;
	     i = addresses->entries[i].older)
		addresses->entries[i].seen_ot += ot;
}
