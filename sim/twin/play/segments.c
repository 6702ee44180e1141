// SPDX-License-Identifier: Apache-2.0
/* Segments of TCP connections among the frames of a port: hw/rtl/tx/tx.v and tx_segment.v. */
#include "host/base/ethernet.h"
#include "sim/twin/play/sender.h"

enum {
	MOST_TAGS = 2,
	IPV4_OCTETS = 20,
	IPV6_OCTETS = 40,
	PROTOCOL_TCP = 6,
	TCP_OCTETS = 20,
	TCP_PORT = 2, /* place of the destination port in the TCP header */
};

/* -- what is in a frame -------------------------------------------------------------------------------------------- */

static uint8_t octet_at(const struct frame_tables *tables, const struct frame_flow *flow, unsigned at)
{
	if (at < FRAME_HEADER_OCTETS)
		return flow->header[at];
	return flow->body_entries == 0 ? 0 : tables->body[flow->body_first][at - FRAME_HEADER_OCTETS];
}

static unsigned pair_at(const struct frame_tables *tables, const struct frame_flow *flow, unsigned at)
{
	return (unsigned)octet_at(tables, flow, at) << 8 | octet_at(tables, flow, at + 1);
}

/* The octet at which TCP begins, as rx_tcp.v finds it; 0: there is none. */
static unsigned tcp_at(const struct frame_tables *tables, const struct frame_flow *flow)
{
	unsigned type_at = AT_TYPE, tags = 0, l3;

	while (tags < MOST_TAGS &&
	       (pair_at(tables, flow, type_at) == TYPE_VLAN || pair_at(tables, flow, type_at) == TYPE_SERVICE)) {
		type_at += TAG_OCTETS;
		tags++;
	}
	l3 = type_at + 2;
	if (pair_at(tables, flow, type_at) == TYPE_IPV4)
		return octet_at(tables, flow, l3) == 0x45 && octet_at(tables, flow, l3 + 9) == PROTOCOL_TCP &&
		                       (pair_at(tables, flow, l3 + 6) & 0x3fff) == 0
		               ? l3 + IPV4_OCTETS
		               : 0;
	return pair_at(tables, flow, type_at) == TYPE_IPV6 && octet_at(tables, flow, l3) >> 4 == 6 &&
	                       octet_at(tables, flow, l3 + 6) == PROTOCOL_TCP
	               ? l3 + IPV6_OCTETS
	               : 0;
}

void sender_note_segment(const struct sender *sender, struct record_segment *segment)
{
	const struct sender_tcp *tcp = &sender->tcp;
	const struct frame_flow *flow = &tcp->tables->flow[sender_segment(sender).flow];
	const unsigned at = tcp_at(tcp->tables, flow);

	*segment = (struct record_segment){.is = at != 0 && at + TCP_OCTETS == tcp->header_octets,
	                                   .port_octet = (uint8_t)(at + TCP_PORT),
	                                   .port = (uint16_t)pair_at(tcp->tables, flow, at + TCP_PORT),
	                                   .segment = tcp->segment.segment};
}

/* -- when it is the next one --------------------------------------------------------------------------------------- */

void sender_start_connections(struct sender *sender, uint64_t clock)
{
	struct sender_tcp *tcp = &sender->tcp;

	tcp->prepared = PREPARED_NOTHING;
	if (tcp->connections == NULL)
		return;
	if (sender->settings.turns.flows != 0)
		tcp->prepared = PREPARED_TURN;
	sender->flags |= FLOW_UNSIGNED;
	connections_start(tcp->connections, clock, sender->close_clock);
}

/* The first descriptor is there before the first segment can be; from then on there always is one. */
void sender_prepare_next(struct sender *sender, uint64_t start_ot, bool of_rule)
{
	struct sender_tcp *tcp = &sender->tcp;
	const uint64_t clock = sender_paced_clock(start_ot);

	if (sender->pacer.frame == sender->frames)
		connections_end(tcp->connections, clock + 1);
	if (of_rule) /* it had the place of what is next */
		return;
	tcp->prepared_clock = clock + 1;
	if (connections_take(tcp->connections, clock, &tcp->segment))
		tcp->prepared = PREPARED_SEGMENT;
	else
		tcp->prepared = sender->settings.turns.flows != 0 ? PREPARED_TURN : PREPARED_NOTHING;
}

/* A start that comes too late, one clock before the trial ends, takes a segment all the same. */
static void take_too_late(struct sender *sender, uint64_t limit)
{
	struct connections *connections = sender->tcp.connections;
	const uint64_t due_octets = sender_due_octets(sender, &sender->pacer, &sender->rules);
	struct connections_sent lost;
	uint64_t clock;

	if (due_octets == UINT64_MAX || sender->origin_word == 0 || sender->pacer.frame >= sender->frames)
		return;
	clock = sender_paced_clock(sender_origin_ot(sender) + due_octets);
	if (sender_origin_ot(sender) + due_octets >= sender->end_ot && clock < sender->close_clock && clock < limit &&
	    clock >= connections->clock && connections_take(connections, clock, &lost))
		return;
}

/* A frame of a rule may be the next one, and the last: then no connection may have gone on beyond it. */
static uint64_t seen_before(const struct sender *sender, uint64_t limit)
{
	const uint64_t next_ot = sender_next_ot(sender);
	const uint64_t clock = next_ot != UINT64_MAX ? sender_paced_clock(next_ot) : UINT64_MAX;

	return clock < limit ? clock : limit;
}

void sender_play_connections(struct sender *sender, uint64_t until_ot)
{
	struct sender_tcp *tcp = &sender->tcp;
	const uint64_t until_clock = until_ot / WORD_OCTETS,
	               limit = until_clock > TX_LATENCY ? until_clock - TX_LATENCY : 0;

	if (tcp->connections == NULL)
		return;
	if (tcp->prepared == PREPARED_NOTHING &&
	    connections_take_next(tcp->connections, seen_before(sender, limit), &tcp->segment)) {
		tcp->prepared = PREPARED_SEGMENT;
		tcp->prepared_clock = tcp->connections->clock;
	}
	if (sender_next_ot(sender) < until_ot)
		return;
	take_too_late(sender, limit);
	connections_play(tcp->connections, limit);
}
