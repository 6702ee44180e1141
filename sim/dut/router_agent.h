/* SPDX-License-Identifier: Apache-2.0 */
/* The management agent of a router: SNMP version 1 and 2c (RFC 1157, RFC 3416), GetRequest over IPv4 only. A message is
 * read and written here octet by octet, on purpose without the library that the host uses. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_AGENT_H
#define FPGAUGE_SIM_DUT_ROUTER_AGENT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AGENT_PORT = 161,
	AGENT_COMMUNITY_OCTETS = 32, /* at most */
	AGENT_MESSAGE_OCTETS = 200,  /* longest answer */
};

/* Counters of an interface (RFC 2863). */
struct agent_counters {
	uint32_t in_octets, out_octets, in_unicast, out_unicast;
};

/* A frame came in whole. */
static inline void agent_count_in(struct agent_counters *counters, uint32_t octets, bool unicast)
{
	counters->in_octets += octets;
	counters->in_unicast += unicast;
}

/* A frame has got a place in the queue of an output. */
static inline void agent_count_out(struct agent_counters *counters, uint32_t octets, bool unicast)
{
	counters->out_octets += octets;
	counters->out_unicast += unicast;
}

struct agent_values {
	uint32_t up_time;                                                               /* hundredths of a second */
	const struct agent_counters *(*counters)(const void *user, uint32_t interface); /* NULL: there is none */
	const void *user;
};

/* The answer to a message. Returns how long it is; 0: there is none, because it is no GetRequest of this community, or
 * for want of room. */
uint32_t agent_answer(const uint8_t *message, uint32_t octets, const char *community, const struct agent_values *values,
                      uint8_t answer[AGENT_MESSAGE_OCTETS]);

#endif
