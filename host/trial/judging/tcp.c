/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/judging/tcp.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/trial/judging/verdict.h"

/* Segments that a connection gave to the transmitter, and that the stop found there. */
enum { MOST_UNSENT = 20 };

static const uint64_t DELIVERED_MASK = (UINT64_C(1) << 48) - 1;

static const char *state_name(uint32_t state)
{
	static const char *const NAMES[] = {"CLOSED",      "LISTEN",     "SYN-SENT",   "SYN-RECEIVED",
	                                    "ESTABLISHED", "FIN-WAIT-1", "FIN-WAIT-2", "CLOSE-WAIT",
	                                    "CLOSING",     "LAST-ACK",   "TIME-WAIT"};

	return state < sizeof(NAMES) / sizeof(NAMES[0]) ? NAMES[state] : "?";
}

unsigned trial_tcp_sender(const struct trial_tcp *tcp, unsigned i)
{
	unsigned nth = i / tcp->connections;

	for (unsigned port = 0; port < TRIAL_MAX_PORTS; port++)
		if (tcp->senders >> port & 1 && nth-- == 0)
			return port;
	return 0;
}

/* The one that listens is in SYN-RECEIVED until a segment of the other end arrives after the handshake: in a full
 * buffer the first of them may be lost, and that is what is measured. */
static bool is_up(uint32_t sender, uint32_t receiver)
{
	return sender == TCP_STATE_ESTABLISHED &&
	       (receiver == TCP_STATE_ESTABLISHED || receiver == TCP_STATE_SYN_RECEIVED);
}

bool trial_tcp_is_open(const struct tcp_counters *tcp)
{
	for (unsigned i = 0; i < tcp->count; i++)
		if (!is_up(tcp->pair[i].sender.opened, tcp->pair[i].receiver.opened))
			return false;
	return true;
}

/* Both ends in TIME-WAIT have said that they have no more, and have heard it (RFC 9293 section 3.6). */
bool trial_tcp_is_closed(uint32_t state)
{
	return state == TCP_STATE_CLOSED || state == TCP_STATE_TIME_WAIT;
}

struct who {
	char text[96];
};

static struct who name(const struct trial_tcp *tcp, unsigned i)
{
	struct who who;

	snprintf(who.text, sizeof(who.text), "TCP connection %u of port %u to port %u", trial_tcp_number(tcp, i),
	         trial_tcp_sender(tcp, i), tcp->receiver);
	return who;
}

/* Checks what a port counted of all its connections. */
static void check_port(const struct trial_tcp *tcp, const struct trial_counters *counters, unsigned port,
                       uint64_t dropped_segments, struct trial_result *result)
{
	const struct port_counters *c = &counters->port[port];
	const uint64_t frames = counters->tcp_frames[port];

	if (dropped_segments)
		trial_invalid(result,
		              "port %u: the tester lost %" PRIu64
		              " TCP segments that had arrived, because 64 others waited",
		              port, dropped_segments);
	if (!(trial_tcp_ports(tcp) >> port & 1))
		return;
	if (c->tx_late_frames)
		trial_invalid(result,
		              "port %u: the tester was late: %" PRIu64 " frames were not ready when they were due",
		              port, c->tx_late_frames);
	if (c->tcp_sent_segments < frames || c->tcp_sent_segments - frames > MOST_UNSENT)
		trial_invalid(result, "port %u: %" PRIu64 " TCP segments made, but %" PRIu64 " frames of them sent",
		              port, c->tcp_sent_segments, frames);
	if (c->rx_tcp_bad_frames > c->rx_tcp_frames)
		trial_invalid(result,
		              "port %u: %" PRIu64 " of %" PRIu64 " TCP segments with a wrong length or checksum", port,
		              c->rx_tcp_bad_frames, c->rx_tcp_frames);
}

/* A SYN, or its answer, that was lost is sent again after the first timeout: then there may have been no time for it.
 */
static void check_opened(const struct trial_tcp *tcp, const struct tcp_counters *counters, unsigned i,
                         struct trial_result *result)
{
	const uint64_t first_ot = tcp->rto_initial_ot > tcp->rto_min_ot ? tcp->rto_initial_ot : tcp->rto_min_ot;
	const struct tcp_pair *pair = &counters->pair[i];
	char again[64] = "";

	if (is_up(pair->sender.opened, pair->receiver.opened))
		return;
	if (pair->sender.opened == TCP_STATE_SYN_SENT && tcp->lead_ot <= first_ot)
		snprintf(again, sizeof(again), "; a SYN is sent again after %" PRIu64, first_ot);
	trial_invalid(result, "%s did not open in %" PRIu64 " octet times: it is in %s, the other end in %s%s",
	              name(tcp, i).text, tcp->lead_ot, state_name(pair->sender.opened),
	              state_name(pair->receiver.opened), again);
}

/* Checks go in the order in which things happen: that one did not close may be because another did not open. */
static void check_life(const struct trial_tcp *tcp, const struct tcp_counters *counters, struct trial_result *result)
{
	for (unsigned i = 0; i < counters->count; i++)
		check_opened(tcp, counters, i, result);
	for (unsigned i = 0; i < counters->count; i++)
		if (!is_up(counters->pair[i].sender.measured, counters->pair[i].receiver.measured))
			trial_invalid(result, "%s was lost: it is in %s, the other end in %s", name(tcp, i).text,
			              state_name(counters->pair[i].sender.measured),
			              state_name(counters->pair[i].receiver.measured));
	for (unsigned i = 0; i < counters->count; i++)
		if (!trial_tcp_is_closed(counters->pair[i].sender.closed) ||
		    !trial_tcp_is_closed(counters->pair[i].receiver.closed))
			trial_invalid(result, "%s did not close: it is in %s, the other end in %s", name(tcp, i).text,
			              state_name(counters->pair[i].sender.closed),
			              state_name(counters->pair[i].receiver.closed));
}

/* Acknowledged octets must have arrived, and no more: a TCP whose ends disagree measures nothing. */
static void check_octets(const struct trial_tcp *tcp, const struct tcp_counters *counters, unsigned i,
                         struct trial_result *result)
{
	const struct tcp_pair *pair = &counters->pair[i];
	const uint64_t measured = (pair->end_octets - pair->begin_octets) & DELIVERED_MASK;
	const uint64_t rest = (pair->octets - pair->end_octets) & DELIVERED_MASK;

	if ((uint32_t)pair->octets != pair->acknowledged_octets)
		trial_invalid(result,
		              "%s: %" PRIu32 " octets were acknowledged, but %" PRIu32
		              " arrived in order (modulo 2^32)",
		              name(tcp, i).text, pair->acknowledged_octets, (uint32_t)pair->octets);
	if (tcp->octets && pair->octets != tcp->octets)
		trial_invalid(result, "%s: %" PRIu64 " octets arrived, not the %u that it had to send",
		              name(tcp, i).text, pair->octets, tcp->octets);
	if (measured > counters->end_ot - counters->begin_ot + FPGAUGE_PORT_TCP_OCTETS_MAX || rest > DELIVERED_MASK / 2)
		trial_invalid(result,
		              "%s: %" PRIu64 " octets delivered, then %" PRIu64 ", at last %" PRIu64 ": impossible",
		              name(tcp, i).text, pair->begin_octets, pair->end_octets, pair->octets);
}

static void note(const struct trial_tcp *tcp, const struct tcp_counters *counters, unsigned i,
                 struct trial_result *result)
{
	const struct tcp_pair *pair = &counters->pair[i];

	result->connection[i] = (struct trial_connection){
	        .port = trial_tcp_sender(tcp, i),
	        .connection = trial_tcp_number(tcp, i),
	        .receiver = tcp->receiver,
	        .receiving_connection = i,
	        .goodput_octets = (pair->end_octets - pair->begin_octets) & DELIVERED_MASK,
	        .octets = pair->octets,
	        .segments = pair->segments,
	        .again_segments = pair->again_segments,
	};
}

/* All that arrived in order at a port went through its line. */
static void check_sum(const struct trial_tcp *tcp, struct trial_result *result)
{
	const uint64_t most = result->tcp_ot + ((uint64_t)tcp->window + tcp->mss) * result->connections;
	uint64_t sum = 0;

	for (unsigned i = 0; i < result->connections; i++)
		sum += result->connection[i].goodput_octets;
	if (sum > most)
		trial_invalid(result,
		              "port %u: %" PRIu64 " octets of TCP in order in %" PRIu64
		              " octet times: more than its line carries",
		              tcp->receiver, sum, result->tcp_ot);
}

void trial_tcp_judge(const struct trial_request *request, const struct trial_counters *counters,
                     const struct tcp_counters *tcp, struct trial_result *result)
{
	const struct trial_tcp *asked = &request->tcp;

	if (asked->senders == 0)
		return;
	result->connections = tcp->count;
	result->tcp_ot = tcp->end_ot - tcp->begin_ot;
	for (unsigned port = 0; port < counters->ports; port++) {
		result->port[port].tcp_offered_frames = counters->tcp_frames[port];
		result->port[port].tcp_received_frames = counters->port[port].rx_tcp_frames;
		result->port[port].tcp_bad_frames = counters->port[port].rx_tcp_bad_frames;
		check_port(asked, counters, port, tcp->dropped_segments[port], result);
	}
	for (unsigned i = 0; i < tcp->count; i++)
		note(asked, tcp, i, result);
	check_life(asked, tcp, result);
	for (unsigned port = 0; port < counters->ports; port++)
		if (counters->port[port].tcp_lost_connections)
			trial_invalid(result, "port %u: %" PRIu64 " TCP connections ended without having been closed",
			              port, counters->port[port].tcp_lost_connections);
	for (unsigned i = 0; i < tcp->count && result->valid; i++)
		check_octets(asked, tcp, i, result);
	if (result->valid)
		check_sum(asked, result);
}
