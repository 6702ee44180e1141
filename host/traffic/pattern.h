/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of who sends to whom, from RFC 2544, RFC 2889 and RFC 8239. */
#ifndef FPGAUGE_TRAFFIC_PATTERN_H
#define FPGAUGE_TRAFFIC_PATTERN_H

#include "host/base/error.h"
#include "host/traffic/shape.h"

enum { TRAFFIC_MAX_PORTS = 16 };

/* Fills `peers` with the ports to which `port` sends, in the order in which it does so, and returns how many they are;
 * none is the port itself. `bidirectional` says nothing of a mesh. */
unsigned pattern_peers(enum traffic_pattern pattern, bool bidirectional, unsigned ports, unsigned port,
                       uint8_t peers[TRAFFIC_MAX_PORTS]);

/* The port with which this one exchanges frames in TRAFFIC_PAIRS. */
unsigned pattern_partner(unsigned port);

/* The number of ports that send. */
unsigned pattern_senders(enum traffic_pattern pattern, bool bidirectional, unsigned ports);

/* The smallest number of ports with which the pattern is itself, and not another one. */
unsigned pattern_least_ports(enum traffic_pattern pattern);

/* Returns whether each port exchanges frames with one other only: then host n of one sends to host n of the other. */
bool pattern_is_paired(enum traffic_pattern pattern);

/* Returns whether the seed decides anything: which of several hosts of a port sends to which of its peer, or random
 * destinations. */
bool pattern_draws(const struct traffic_shape *shape);

/* ERROR_PLAN if the pattern cannot be had with this number of ports. */
int pattern_check(enum traffic_pattern pattern, unsigned ports, struct error *error);

#endif
