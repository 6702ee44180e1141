/* SPDX-License-Identifier: Apache-2.0 */
/* Each port of a mesh sends to all others in turn, beginning with the one after it. So what it has for the receivers
 * of its group is in their order already: the first frame of the first source goes to the uncongested port, the
 * second to the congested one (RFC 2889 5.5.3). */
#include <stdlib.h>

#include "host/bench/rfc2889/congestion_control.h"

static unsigned receivers_of(unsigned port)
{
	const unsigned first = port / CONGESTION_GROUP * CONGESTION_GROUP;

	switch (port % CONGESTION_GROUP) {
	case CONGESTION_FIRST_SOURCE:
		return 1u << (first + CONGESTION_UNCONGESTED) | 1u << (first + CONGESTION_CONGESTED);
	case CONGESTION_SECOND_SOURCE:
		return 1u << (first + CONGESTION_CONGESTED);
	default:
		return 0;
	}
}

static void keep_flows(struct traffic_port *port, unsigned receivers)
{
	unsigned kept = 0;

	for (unsigned flow = 0; flow < port->flows; flow++)
		if (port->flow[flow].arrives & receivers)
			port->flow[kept++] = port->flow[flow];
	port->flows = port->ordered = kept;
}

int congestion_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	const unsigned grouped = traffic->ports / CONGESTION_GROUP * CONGESTION_GROUP;

	(void)test;
	(void)error;
	for (unsigned port = 0; port < traffic->ports; port++)
		keep_flows(&traffic->port[port], port < grouped ? receivers_of(port) : 0);
	return 0;
}

void congestion_traffic_relieve(struct traffic *traffic)
{
	for (unsigned port = CONGESTION_SECOND_SOURCE; port < traffic->ports; port += CONGESTION_GROUP)
		keep_flows(&traffic->port[port], 0);
}
