/* SPDX-License-Identifier: Apache-2.0 */
/* Stores which MAC address a station at a port has: what a router has learned from ARP and neighbour discovery, and
 * what it has asked for. Nothing is forgotten. */
#ifndef FPGAUGE_SIM_DUT_NEIGHBOURS_H
#define FPGAUGE_SIM_DUT_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/net_address.h"

struct neighbour {
	struct net_address address;
	uint8_t port;
	bool known;        /* its MAC is */
	uint32_t next;     /* next entry with the same hash; 0: none */
	uint64_t mac;      /* big-endian */
	uint64_t asked_ot; /* last time */
};

struct neighbours {
	struct neighbour *entries; /* numbered from 1 */
	uint32_t *buckets;
	uint32_t capacity, count, mask;
};

int neighbours_init(struct neighbours *neighbours, uint32_t capacity); /* 0, or -1: out of memory */
void neighbours_release(struct neighbours *neighbours);

/* NULL: not in the table. */
struct neighbour *neighbours_find(const struct neighbours *neighbours, unsigned port,
                                  const struct net_address *address);

/* One that is not in the table; NULL: the table is full. */
struct neighbour *neighbours_add(struct neighbours *neighbours, unsigned port, const struct net_address *address);

#endif
