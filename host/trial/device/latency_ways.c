/* SPDX-License-Identifier: Apache-2.0 */
/* Turns ways into what is subtracted at a port: the mean of those that test frames take. */
#include "host/trial/device/latency_ways.h"

static bool sends_to(const struct traffic_port *port, unsigned to)
{
	for (unsigned flow = 0; flow < port->flows; flow++)
		if (port->flow[flow].arrives >> to & 1 && !port->flow[flow].apart)
			return true;
	return false;
}

void latency_ways_offsets(const struct latency_ways *ways, const struct traffic *traffic,
                          uint64_t offset_ot[TRAFFIC_MAX_PORTS])
{
	for (unsigned to = 0; to < TRAFFIC_MAX_PORTS; to++) {
		uint64_t sum_ot = 0, count = 0;

		for (unsigned from = 0; from < traffic->ports; from++) {
			if (ways->ot[from][to] == LATENCY_WAY_UNKNOWN || !sends_to(&traffic->port[from], to))
				continue;
			sum_ot += ways->ot[from][to];
			count++;
		}
		offset_ot[to] = count ? (sum_ot + count / 2) / count : 0;
	}
}
