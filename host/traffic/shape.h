/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic of a test as a plan describes it, in parameters: between which ports frames go, what they are, how long,
 * and to how many addresses. A small value, which can be copied, compared and kept in the run file. */
#ifndef FPGAUGE_TRAFFIC_SHAPE_H
#define FPGAUGE_TRAFFIC_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/* Patterns of the ports between which frames go. */
enum traffic_pattern {
	TRAFFIC_PAIRS,               /* ports 0 and 1, 2 and 3 ... (RFC 2544) */
	TRAFFIC_ONE_TO_MANY,         /* port 0 to all others in turn (RFC 2889 5.2) */
	TRAFFIC_MANY_TO_ONE,         /* all others to port 0 (RFC 2889 5.2) */
	TRAFFIC_MESH,                /* each port to all others in turn (RFC 2889 5.1) */
	TRAFFIC_UNIDIRECTIONAL_MESH, /* one half of the ports to the other half (RFC 2889 5.4) */
	TRAFFIC_SNAKE, /* the first and the last port; the device passes frames on from port to port (RFC 8239 2) */
};

enum traffic_frame {
	TRAFFIC_IPV4_UDP,
	TRAFFIC_IPV6_UDP,
	TRAFFIC_ETHERNET,
	TRAFFIC_IPV6_HOP_BY_HOP, /* UDP over IPv6 with an extension header (RFC 5180 5.3) */
	TRAFFIC_IPV6_DESTINATION_OPTIONS,
	TRAFFIC_IPV6_ROUTING,
	TRAFFIC_IPV6_FRAGMENT,
	TRAFFIC_IPV6_AUTHENTICATION,
	TRAFFIC_IPV6_CHAIN, /* chain of routing, destination options and fragment, as the RFC recommends */
};

static inline bool traffic_frame_is_ipv6(enum traffic_frame frame)
{
	return frame != TRAFFIC_IPV4_UDP && frame != TRAFFIC_ETHERNET;
}

/* Conditions of RFC 2544 sections 11 and 12; modifiers.h has what each of them does. */
enum traffic_modifier {
	TRAFFIC_BROADCAST,           /* 11.1 */
	TRAFFIC_RANDOM_DESTINATIONS, /* 12 */
	TRAFFIC_MANAGEMENT,          /* 11.2 */
	TRAFFIC_ROUTING,             /* 11.3 */
	TRAFFIC_FILTERS_1,           /* 11.4 */
	TRAFFIC_FILTERS_25,          /* 11.4 */
	TRAFFIC_FILTER_CHECK, /* added by the program, and so behind the others: shows that the filters are there */
	TRAFFIC_NEW_NETWORK,  /* added by the program: the tagged frame goes to a network of its own (26.2) */
};

/* The version of SNMP, as in its messages. */
enum traffic_snmp { TRAFFIC_SNMP_V1, TRAFFIC_SNMP_V2C };

enum { TRAFFIC_MAX_SIZES = 64, TRAFFIC_MAX_VLAN = 4094, TRAFFIC_NO_VLAN = 0xffff };

/* Lengths of frames, destination MAC to FCS, taken in turn and then from the first again. */
struct traffic_sizes {
	unsigned count; /* 0: all frames have the same length, which stands elsewhere */
	uint16_t octets[TRAFFIC_MAX_SIZES];
};

struct traffic_shape {
	enum traffic_pattern pattern;
	bool bidirectional; /* the same in the opposite direction, at the same time; always of a mesh, never of a
	                     * unidirectional mesh */
	bool routed; /* the device is a router: frames go to the gateway of their port, for a host in another network */
	enum traffic_frame frame;
	unsigned vlan;         /* VID 0 (a priority tag) to 4094; TRAFFIC_NO_VLAN: frames have no tag */
	unsigned addresses;    /* addresses for each pair of ports that exchange frames */
	uint32_t frame_octets; /* length of every frame; 0 with sizes */
	struct traffic_sizes sizes;
	uint32_t seed;      /* seed of what is drawn; at least 1 */
	uint32_t modifiers; /* a mask of traffic_modifier_bit() */
	/* Settings of management queries and routing updates, as the plan has them: the run file keeps the plan, not
	 * these. */
	enum traffic_snmp snmp_version;
	const char *community; /* a text of the plan; NULL: there are no queries */
	uint32_t interface;
	uint64_t routing_interval_ns, routing_wait_ns;
};

static inline uint32_t traffic_modifier_bit(enum traffic_modifier modifier)
{
	return UINT32_C(1) << modifier;
}

static inline bool traffic_has(const struct traffic_shape *shape, enum traffic_modifier modifier)
{
	return shape->modifiers & traffic_modifier_bit(modifier);
}

/* The filters that the device under test has; 0: none. */
static inline uint32_t traffic_filters(const struct traffic_shape *shape)
{
	return shape->modifiers & (traffic_modifier_bit(TRAFFIC_FILTERS_1) | traffic_modifier_bit(TRAFFIC_FILTERS_25));
}

/* Returns whether frames go to networks of which the device knows by routing updates only. Networks of random
 * destinations are too many and too small for RIP, and filters permit one destination. */
static inline bool traffic_is_learned(const struct traffic_shape *shape)
{
	return traffic_has(shape, TRAFFIC_ROUTING) && !traffic_has(shape, TRAFFIC_RANDOM_DESTINATIONS) &&
	       !traffic_filters(shape);
}

/* Names by enum, as a plan writes them; each array ends with NULL. */
extern const char *const TRAFFIC_PATTERN_NAMES[]; /* "pairs" ... */
extern const char *const TRAFFIC_FRAME_NAMES[];   /* "ipv4_udp" ... */
extern const char *const TRAFFIC_SNMP_NAMES[];    /* "1", "2c" */

/* The enumerator of that name; false: there is none, and the result is unchanged. */
bool traffic_pattern_of(const char *name, enum traffic_pattern *pattern);
bool traffic_frame_of(const char *name, enum traffic_frame *frame);

/* The traffic of a plan that says nothing about it: untagged IPv4/UDP frames of one length between pairs of ports, in
 * both directions, to one address. */
struct traffic_shape traffic_shape_plain(uint32_t frame_octets);

/* Entries of sizes behind the last do not count. */
bool traffic_sizes_equal(const struct traffic_sizes *a, const struct traffic_sizes *b);
bool traffic_shape_equal(const struct traffic_shape *a, const struct traffic_shape *b);

#endif
