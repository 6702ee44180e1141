/* SPDX-License-Identifier: Apache-2.0 */
/* The filters of a router, as RFC 2544 section 11.4 writes them: conditions of the addresses of a packet, in order, the
 * first of which that fits decides. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_FILTERS_H
#define FPGAUGE_SIM_DUT_ROUTER_FILTERS_H

#include <stdbool.h>

#include "sim/dut/net_address.h"

enum { ROUTER_FILTERS = 64 };

struct router_filters {
	unsigned count; /* 0: everything passes; else what no condition fits does not */
	struct router_filter {
		bool forwards;
		struct net_address source, destination;
	} filter[ROUTER_FILTERS];
};

/* "block 198.18.24.1 to 198.19.152.1, forward 198.18.1.2 to 198.19.1.2, block all else", of which the last may be left
 * out. NULL, or what is wrong with the entry at *wrong, of *length octets. */
const char *router_filters_read(struct router_filters *filters, const char *list, const char **wrong, int *length);

bool router_filters_pass(const struct router_filters *filters, const struct net_address *source,
                         const struct net_address *destination);

#endif
