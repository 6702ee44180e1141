/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic of tests of an address table (RFC 2889 5.7.3): a learning port whose frames have as many source addresses
 * as wanted, a test port that sends to those addresses, and monitoring ports, all others, that only listen. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_TRAFFIC_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_TRAFFIC_H

#include "host/traffic/traffic.h"

enum { LEARNING_PORT, TEST_PORT, MONITORING_PORT, LEARNING_LEAST_PORTS };

/* The order of the addresses, so that a device that hashes them gets others (RFC 2889 section 3). */
enum address_order {
	ADDRESSES_SEQUENTIAL, /* 0, 1, 2 ... */
	ADDRESSES_SCATTERED,  /* start + n x step, modulo 2^24, both drawn from the seed of the traffic */
};

/* The phases, with what one port sends in each. */
enum learning_phase {
	LEARNING_HELLO, /* the test port's own address, by a broadcast */
	LEARNING_TEACH, /* the learning port: one frame from each address to the test port */
	LEARNING_ASK,   /* the test port: one frame to each address, in the same order */
};

/* *traffic is to be freed if this returns 0. addresses: 1 to TEST_NUMBERED_MACS. */
int learning_traffic(const struct traffic_shape *shape, unsigned ports, enum learning_phase phase, uint32_t addresses,
                     enum address_order order, struct traffic *traffic, struct error *error);

#endif
