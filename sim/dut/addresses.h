/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a switch: which address is behind which port. It forgets what it has not seen for a given time. Finding,
 * learning and forgetting take a bounded time whatever the size of the table. */
#ifndef FPGAUGE_SIM_DUT_ADDRESSES_H
#define FPGAUGE_SIM_DUT_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

/* All links between entries are numbers of entries; 0: none. */
struct address_entry {
	uint64_t address;
	uint64_t seen_ot;
	uint32_t next;         /* next entry with the same hash, or next unused one */
	uint32_t older, newer; /* neighbours in the order in which they were last seen */
	uint32_t port;
};

struct addresses {
	struct address_entry *entries; /* numbered from 1 */
	uint32_t *buckets;
	unsigned hash_shift;
	uint32_t capacity, count;
	uint32_t ways;   /* entries that may have the same hash; 0: any number */
	uint32_t used;   /* entries ever used: those above are fresh */
	uint32_t unused; /* a list of those that were forgotten */
	uint32_t oldest, newest;
	uint64_t ageing_ot;
	uint64_t look_ot; /* nothing is to be forgotten before this */
	uint64_t changes; /* how often an address was added, forgotten, or moved to another port */
};

/* capacity: 1 to 2^30. ways: how many entries may have the same hash, of which there are the power of two, 2 or more,
 * that gives them all room; 0: any number. 0, or -1: out of memory. */
int addresses_init(struct addresses *addresses, uint32_t capacity, uint32_t ways, uint64_t ageing_ot);
void addresses_release(struct addresses *addresses);

/* False: addresses_forget() would forget none. */
static inline bool addresses_may_forget(const struct addresses *addresses, uint64_t now_ot)
{
	return now_ot >= addresses->look_ot;
}

/* Forgets every address whose last frame is ageing_ot or more before now_ot. Time does not go back. */
void addresses_forget(struct addresses *addresses, uint64_t now_ot);

/* Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4): 2^64 divided by the golden ratio. The upper
 * bits depend on all bits of the address, so addresses that count up do not collide. */
static inline uint32_t *addresses_bucket(const struct addresses *addresses, uint64_t address)
{
	return &addresses->buckets[address * UINT64_C(0x9e3779b97f4a7c15) >> addresses->hash_shift];
}

/* The entry of an address; 0: not in the table. */
static inline uint32_t addresses_find(const struct addresses *addresses, uint64_t address)
{
	uint32_t i = *addresses_bucket(addresses, address);

	while (i != 0 && addresses->entries[i].address != address)
		i = addresses->entries[i].next;
	return i;
}

/* An address in the table was seen now, at this port. */
void addresses_see(struct addresses *addresses, uint32_t entry, uint32_t port, uint64_t now_ot);

/* Adds an address that is not in the table, which has room for it. */
void addresses_add(struct addresses *addresses, uint64_t address, uint32_t port, uint64_t now_ot);

/* Time at which the oldest address will be forgotten unless it is seen again; UINT64_MAX: none is in the table. */
uint64_t addresses_forget_ot(const struct addresses *addresses);

/* All that has been seen at since_ot or later has been seen so much later. */
void addresses_shift(struct addresses *addresses, uint64_t since_ot, uint64_t ot);

/* True if an address that is not in the table may be added. */
static inline bool addresses_room(const struct addresses *addresses, uint64_t address)
{
	uint32_t same = 0;

	if (addresses->count == addresses->capacity)
		return false;
	for (uint32_t i = addresses->ways ? *addresses_bucket(addresses, address) : 0; i != 0;
	     i = addresses->entries[i].next)
		same++;
	return addresses->ways == 0 || same < addresses->ways;
}

static inline uint32_t addresses_port(const struct addresses *addresses, uint32_t entry)
{
	return addresses->entries[entry].port;
}

#endif
