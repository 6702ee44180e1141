/* SPDX-License-Identifier: Apache-2.0 */
/* A router as docs/dut-models.md describes it, written down as plainly as possible: lists, searched from end to end,
 * and checksums computed anew. It is slow, and shares no code with sim/dut. */
#ifndef FPGAUGE_TESTS_SIM_PLAIN_ROUTER_H
#define FPGAUGE_TESTS_SIM_PLAIN_ROUTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PLAIN_ROUTER_PORTS = 16,
	PLAIN_ROUTER_FRAMES = 512,
	PLAIN_ROUTER_OUT = 4096,
	PLAIN_ROUTER_OCTETS = 128, /* octets of a frame */
	PLAIN_ROUTER_NETWORKS = 128,
	PLAIN_ROUTER_WAITING = 256,
	PLAIN_ROUTER_FILTERS = 64,
};

/* An address of the router and the network there; or a network behind a next hop. IPv4 has 4 octets. */
struct plain_network {
	unsigned version, port;
	uint8_t address[16];
	unsigned bits;
	uint8_t next_hop[16];
};

struct plain_filter {
	unsigned version;
	bool forwards;
	uint8_t from[16], to[16];
};

struct plain_router {
	unsigned ports;
	uint64_t neighbours, waiting, ask_every_ot, buffer, latency_ot, gap_octets, fps; /* fps 0: no limit */
	uint64_t first_lookup_ot;                                                        /* 0: no cache */
	struct plain_network own[PLAIN_ROUTER_NETWORKS], far[PLAIN_ROUTER_NETWORKS];
	size_t own_count, far_count;
	struct plain_filter filter[PLAIN_ROUTER_FILTERS]; /* filter_count 0: everything passes */
	size_t filter_count;
};

struct plain_router_frame {
	unsigned port; /* where it comes in, or leaves */
	uint64_t start_ot;
	uint64_t id, from; /* number of a frame that leaves, and port where it came in; or the number of ports */
	uint64_t octets;
	bool bad_fcs;
	uint8_t header[PLAIN_ROUTER_OCTETS];
};

/* Counts of events, by which a test sees that it tested them. */
struct plain_router_counts {
	uint64_t errors, not_for_us, other, wrong_header, old, martians, ours, no_route, blocked, permitted,
	        directed_broadcasts, forwarded_ipv4, forwarded_ipv6, by_next_hop, asked, solicited, answered,
	        advertised, looked_up, learned, changed, refused_change, waited, expired, displaced, table_full, lost;
};

/* Fills out with what leaves, port after port, in the order of starts. in: all frames, at each port in the order of
 * starts. Adds to counts. */
size_t plain_router_play(const struct plain_router *settings, const struct plain_router_frame *in, size_t count,
                         struct plain_router_frame *out, struct plain_router_counts *counts);

#endif
