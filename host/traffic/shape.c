/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of traffic as values: names, the default, equality. */
#include "host/traffic/shape.h"

#include <stddef.h>
#include <string.h>

const char *const TRAFFIC_PATTERN_NAMES[] = {
        [TRAFFIC_PAIRS] = "pairs",
        [TRAFFIC_ONE_TO_MANY] = "one_to_many",
        [TRAFFIC_MANY_TO_ONE] = "many_to_one",
        [TRAFFIC_MESH] = "mesh",
        [TRAFFIC_UNIDIRECTIONAL_MESH] = "unidirectional_mesh",
        [TRAFFIC_SNAKE] = "snake",
        NULL,
};

const char *const TRAFFIC_FRAME_NAMES[] = {
        [TRAFFIC_IPV4_UDP] = "ipv4_udp",
        [TRAFFIC_IPV6_UDP] = "ipv6_udp",
        [TRAFFIC_ETHERNET] = "ethernet",
        [TRAFFIC_IPV6_HOP_BY_HOP] = "ipv6_hop_by_hop",
        [TRAFFIC_IPV6_DESTINATION_OPTIONS] = "ipv6_destination_options",
        [TRAFFIC_IPV6_ROUTING] = "ipv6_routing",
        [TRAFFIC_IPV6_FRAGMENT] = "ipv6_fragment",
        [TRAFFIC_IPV6_AUTHENTICATION] = "ipv6_authentication",
        [TRAFFIC_IPV6_CHAIN] = "ipv6_chain",
        NULL,
};

const char *const TRAFFIC_SNMP_NAMES[] = {[TRAFFIC_SNMP_V1] = "1", [TRAFFIC_SNMP_V2C] = "2c", NULL};

static bool find(const char *const *names, const char *name, unsigned *index)
{
	for (unsigned i = 0; names[i]; i++) {
		if (!strcmp(names[i], name)) {
			*index = i;
			return true;
		}
	}
	return false;
}

bool traffic_pattern_of(const char *name, enum traffic_pattern *pattern)
{
	unsigned index;

	if (!find(TRAFFIC_PATTERN_NAMES, name, &index))
		return false;
	*pattern = (enum traffic_pattern)index;
	return true;
}

bool traffic_frame_of(const char *name, enum traffic_frame *frame)
{
	unsigned index;

	if (!find(TRAFFIC_FRAME_NAMES, name, &index))
		return false;
	*frame = (enum traffic_frame)index;
	return true;
}

struct traffic_shape traffic_shape_plain(uint32_t frame_octets)
{
	return (struct traffic_shape){
	        .pattern = TRAFFIC_PAIRS,
	        .bidirectional = true,
	        .frame = TRAFFIC_IPV4_UDP,
	        .vlan = TRAFFIC_NO_VLAN,
	        .addresses = 1,
	        .frame_octets = frame_octets,
	        .seed = 1,
	        .snmp_version = TRAFFIC_SNMP_V2C,
	        .community = "public",
	        .interface = 1,
	        .routing_interval_ns = UINT64_C(30000000000),
	        .routing_wait_ns = UINT64_C(2000000000),
	};
}

bool traffic_sizes_equal(const struct traffic_sizes *a, const struct traffic_sizes *b)
{
	return a->count == b->count && !memcmp(a->octets, b->octets, a->count * sizeof(a->octets[0]));
}

/* Protocol settings count for nothing without the modifiers that they are for. */
static bool same_protocols(const struct traffic_shape *a, const struct traffic_shape *b)
{
	if (traffic_has(a, TRAFFIC_MANAGEMENT) && traffic_has(b, TRAFFIC_MANAGEMENT) &&
	    (a->snmp_version != b->snmp_version || a->interface != b->interface || strcmp(a->community, b->community)))
		return false;
	return !traffic_has(a, TRAFFIC_ROUTING) || !traffic_has(b, TRAFFIC_ROUTING) ||
	       (a->routing_interval_ns == b->routing_interval_ns && a->routing_wait_ns == b->routing_wait_ns);
}

bool traffic_shape_equal(const struct traffic_shape *a, const struct traffic_shape *b)
{
	return same_protocols(a, b) && a->pattern == b->pattern && a->bidirectional == b->bidirectional &&
	       a->routed == b->routed && a->frame == b->frame && a->vlan == b->vlan && a->addresses == b->addresses &&
	       a->frame_octets == b->frame_octets && a->seed == b->seed && a->modifiers == b->modifiers &&
	       traffic_sizes_equal(&a->sizes, &b->sizes);
}
