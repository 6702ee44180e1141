/* SPDX-License-Identifier: Apache-2.0 */
/* The order of destinations of each port. */
#include "host/traffic/pattern.h"

/* The tables of RFC 2889 5.1.3 and 5.4.3: a port begins with the one after it, so that no two ports send to the same
 * one at the same transmit opportunity. `count` receivers from `first` on, cyclically from receiver number `begin`. */
static unsigned cyclic(unsigned first, unsigned count, unsigned begin, unsigned take, uint8_t *peers)
{
	for (unsigned i = 0; i < take; i++)
		peers[i] = (uint8_t)(first + (begin + i) % count);
	return take;
}

static unsigned one_peer(bool sends, unsigned peer, uint8_t *peers)
{
	peers[0] = (uint8_t)peer;
	return sends;
}

unsigned pattern_partner(unsigned port)
{
	return port ^ 1u;
}

unsigned pattern_peers(enum traffic_pattern pattern, bool bidirectional, unsigned ports, unsigned port,
                       uint8_t peers[TRAFFIC_MAX_PORTS])
{
	const unsigned half = ports / 2, last = ports - 1;

	switch (pattern) {
	case TRAFFIC_PAIRS: /* a last port without a partner stays idle */
		return one_peer(pattern_partner(port) < ports && (bidirectional || port % 2 == 0),
		                pattern_partner(port), peers);
	case TRAFFIC_ONE_TO_MANY:
		return port == 0 ? cyclic(1, last, 0, last, peers) : one_peer(bidirectional, 0, peers);
	case TRAFFIC_MANY_TO_ONE:
		return port != 0 ? one_peer(true, 0, peers) : bidirectional ? cyclic(1, last, 0, last, peers) : 0;
	case TRAFFIC_MESH:
		return cyclic(0, ports, port + 1, last, peers);
	case TRAFFIC_UNIDIRECTIONAL_MESH:
		return port < half ? cyclic(half, half, port, half, peers) : 0;
	case TRAFFIC_SNAKE:
		return one_peer(port == 0 || (port == last && bidirectional), last - port, peers);
	}
	return 0;
}

unsigned pattern_senders(enum traffic_pattern pattern, bool bidirectional, unsigned ports)
{
	uint8_t peers[TRAFFIC_MAX_PORTS];
	unsigned senders = 0;

	for (unsigned port = 0; port < ports; port++)
		senders += pattern_peers(pattern, bidirectional, ports, port, peers) != 0;
	return senders;
}

unsigned pattern_least_ports(enum traffic_pattern pattern)
{
	switch (pattern) {
	case TRAFFIC_PAIRS:
	case TRAFFIC_SNAKE:
		return 2;
	case TRAFFIC_ONE_TO_MANY:
	case TRAFFIC_MANY_TO_ONE:
	case TRAFFIC_MESH:
		return 3;
	case TRAFFIC_UNIDIRECTIONAL_MESH:
		return 4;
	}
	return 2;
}

bool pattern_is_paired(enum traffic_pattern pattern)
{
	return pattern == TRAFFIC_PAIRS || pattern == TRAFFIC_SNAKE;
}

bool pattern_draws(const struct traffic_shape *shape)
{
	return (shape->addresses > 1 && !pattern_is_paired(shape->pattern)) ||
	       traffic_has(shape, TRAFFIC_RANDOM_DESTINATIONS);
}

int pattern_check(enum traffic_pattern pattern, unsigned ports, struct error *error)
{
	if (ports < 2 || ports > TRAFFIC_MAX_PORTS)
		return error_set(error, ERROR_PLAN, "%u ports: traffic needs 2 to %d", ports, TRAFFIC_MAX_PORTS);
	if (pattern == TRAFFIC_UNIDIRECTIONAL_MESH && ports % 2)
		return error_set(error, ERROR_PLAN,
		                 "traffic.pattern = \"%s\" with %u ports: one half sends to the other (RFC 2889 "
		                 "section 5.4.3), so their number must be even",
		                 TRAFFIC_PATTERN_NAMES[pattern], ports);
	return 0;
}
