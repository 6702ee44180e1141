/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc2889/two_devices.h"

static bool remote(const struct traffic_flow *flow, unsigned first, bool at_first)
{
	const bool to_first = flow->arrives & ((1u << first) - 1);

	return to_first != at_first;
}

/* A mesh has its flows in rounds, each to every peer once. What remains of a round begins with the lowest port of the
 * other device; it is turned so that it begins `turn` ports later. */
static void turn_rounds(struct traffic_port *port, unsigned peers, unsigned turn)
{
	struct traffic_flow round[TRAFFIC_MAX_PORTS];

	for (unsigned begin = 0; begin + peers <= port->flows; begin += peers) {
		for (unsigned i = 0; i < peers; i++)
			round[i] = port->flow[begin + (i + turn) % peers];
		for (unsigned i = 0; i < peers; i++)
			port->flow[begin + i] = round[i];
	}
}

void two_devices_remote_only(struct traffic *traffic, unsigned first)
{
	for (unsigned number = 0; number < traffic->ports; number++) {
		struct traffic_port *port = &traffic->port[number];
		const bool at_first = number < first;
		unsigned kept = 0;

		for (unsigned flow = 0; flow < port->flows; flow++)
			if (remote(&port->flow[flow], first, at_first))
				port->flow[kept++] = port->flow[flow];
		port->flows = port->ordered = kept;
		turn_rounds(port, at_first ? traffic->ports - first : first,
		            (at_first ? number : number - first) % (at_first ? traffic->ports - first : first));
	}
}
