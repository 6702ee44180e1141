/* SPDX-License-Identifier: Apache-2.0 */
/* Ways from port to port, and how much of a latency is theirs: of cables, transceivers and what else lies between two
 * time stamps besides the device under test (RFC 8238 section 4.3). A frame's way is known by where it was sent and
 * where it came in; which ways there are depends on the traffic. */
#ifndef FPGAUGE_TRIAL_DEVICE_LATENCY_WAYS_H
#define FPGAUGE_TRIAL_DEVICE_LATENCY_WAYS_H

#include <stdint.h>

#include "host/traffic/traffic.h"

#define LATENCY_WAY_UNKNOWN UINT64_MAX

struct latency_ways {
	uint64_t ot[TRAFFIC_MAX_PORTS]
	           [TRAFFIC_MAX_PORTS]; /* octet times: [from][to]; all 0: nothing is to be subtracted */
};

/* Gives what is to be subtracted from the latencies that each port measured of this traffic: the mean of the ways to
 * it, since a port has one minimum, maximum and mean of all its senders. Ways that are not known do not count; 0
 * where there is no other. */
void latency_ways_offsets(const struct latency_ways *ways, const struct traffic *traffic,
                          uint64_t offset_ot[TRAFFIC_MAX_PORTS]);

#endif
