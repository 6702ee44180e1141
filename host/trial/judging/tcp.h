/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the TCP connections of a trial: whether each opened, lived and closed, and whether the tester lost none of
 * what arrived; and their goodput. Pure; device data are not trusted. */
#ifndef FPGAUGE_TRIAL_JUDGING_TCP_H
#define FPGAUGE_TRIAL_JUDGING_TCP_H

#include "host/trial/judging/check.h"

/* RFC 9293 section 3.3.2, as tcp_look_state has them. */
enum tcp_state {
	TCP_STATE_CLOSED,
	TCP_STATE_LISTEN,
	TCP_STATE_SYN_SENT,
	TCP_STATE_SYN_RECEIVED,
	TCP_STATE_ESTABLISHED,
	TCP_STATE_FIN_WAIT_1,
	TCP_STATE_FIN_WAIT_2,
	TCP_STATE_CLOSE_WAIT,
	TCP_STATE_CLOSING,
	TCP_STATE_LAST_ACK,
	TCP_STATE_TIME_WAIT,
};

/* One end of a connection: its state when all had to be open, when the measurement had ended, and when all had to be
 * closed. */
struct tcp_end {
	uint32_t opened, measured, closed;
};

struct tcp_pair {
	struct tcp_end sender, receiver;
	uint64_t begin_octets, end_octets; /* delivered in order, at both ends of the measurement */
	uint64_t octets;                   /* when it was closed; modulo 2^48 */
	uint32_t acknowledged_octets;      /* octets acknowledged by then; modulo 2^32 */
	uint64_t segments, again_segments;
};

struct tcp_counters {
	unsigned count;
	struct tcp_pair pair[TRIAL_MAX_CONNECTIONS];
	uint64_t begin_ot, end_ot; /* the measurement's */
	/* Segments that a port lost until then. Those of connections that are being closed are short, and a device that
	 * has kept them lets them out all at once: what is lost of them is sent again, and disturbs nothing. */
	uint64_t dropped_segments[TRIAL_MAX_PORTS];
};

/* The port of connection number i of the receiver, and its number there. */
unsigned trial_tcp_sender(const struct trial_tcp *tcp, unsigned i);
static inline unsigned trial_tcp_number(const struct trial_tcp *tcp, unsigned i)
{
	return i % tcp->connections;
}

static inline unsigned trial_tcp_count(const struct trial_tcp *tcp)
{
	return (unsigned)__builtin_popcount(tcp->senders) * tcp->connections;
}

/* Bit p: port p has connections. */
static inline unsigned trial_tcp_ports(const struct trial_tcp *tcp)
{
	return tcp->senders ? tcp->senders | 1u << tcp->receiver : 0;
}

/* Fills in the connections of a result, and makes it invalid with the first reason. The counters are those that
 * trial_judge() got. */
void trial_tcp_judge(const struct trial_request *request, const struct trial_counters *counters,
                     const struct tcp_counters *tcp, struct trial_result *result);

/* Tells a device tester whether all are open, or closed. */
bool trial_tcp_is_open(const struct tcp_counters *tcp);
bool trial_tcp_is_closed(uint32_t state);

#endif
