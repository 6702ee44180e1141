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
	uint32_t next;         /* with the same hash; or the next that is unused */
	uint32_t older, newer; /* by the time when last seen */
	uint32_t port;
};

struct addresses {
	struct address_entry *entries; /* from 1 */
	uint32_t *buckets;
	unsigned hash_shift;
	uint32_t capacity, count;
	uint32_t used;   /* entries ever used: those above are fresh */
	uint32_t unused; /* a list of those that were forgotten */
	uint32_t oldest, newest;
	uint64_t ageing_ot;
};

/* capacity: 1 to 2^30. 0, or -1: out of memory. */
int addresses_init(struct addresses *addresses, uint32_t capacity, uint64_t ageing_ot);
void addresses_release(struct addresses *addresses);

/* Forgets every address whose last frame is ageing_ot or more before now_ot. Time does not go back. */
void addresses_forget(struct addresses *addresses, uint64_t now_ot);

/* The entry of an address; 0: not in the table. */
uint32_t addresses_find(const struct addresses *addresses, uint64_t address);

/* An address in the table was seen now, at this port. */
void addresses_see(struct addresses *addresses, uint32_t entry, uint32_t port, uint64_t now_ot);

/* Adds an address that is not in the table, which is not full. */
void addresses_add(struct addresses *addresses, uint64_t address, uint32_t port, uint64_t now_ot);

static inline bool addresses_full(const struct addresses *addresses)
{
	return addresses->count == addresses->capacity;
}

static inline uint32_t addresses_port(const struct addresses *addresses, uint32_t entry)
{
	return addresses->entries[entry].port;
}

#endif
