// SPDX-License-Identifier: Apache-2.0
// The octets of a segment: RFC 9293 section 3.10.7.4, seventh and eighth check. They are consumed as they come in
// order.
#include "sim/tcp/work.h"

/* Octets [begin, end), within the window. Ranges are apart, so at most one reaches below begin and at most one beyond
 * end, and what they add cannot touch another. */
static void merge(struct tcp_connection *c, uint32_t *begin, uint32_t *end)
{
	uint32_t first = *begin, last = *end;
	for (unsigned i = 0; i < TCP_RANGES; i++) {
		struct tcp_range *range = &c->range[i];
		if (!range->used || seq_before(last, range->begin) || seq_before(range->end, first))
			continue;
		range->used = false;
		if (seq_before(range->begin, first))
			*begin = range->begin;
		if (seq_before(last, range->end))
			*end = range->end;
	}
}

/* Octets for which no range is free are dropped, and sent again by the peer. */
static void keep(struct tcp_connection *c, uint32_t begin, uint32_t end)
{
	for (unsigned i = 0; i < TCP_RANGES; i++)
		if (!c->range[i].used) {
			c->range[i] = (struct tcp_range){true, begin, end};
			return;
		}
}

/* RFC 5681 section 4.2: at once if it is out of order or closes a part of a gap, else every so many segments, or after
 * a time. */
static void owe(struct tcp_work *w, bool at_once)
{
	struct tcp_connection *c = w->c;
	c->owed = c->owed == 3 ? 3 : c->owed + 1;
	if (at_once || c->owed >= w->settings->ack_every) {
		c->ack_now = true;
	} else if (!c->ack_on) {
		c->ack_on = true;
		c->ack_at = w->now + w->settings->ack_delay;
	}
}

static void take_octets(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	uint32_t edge = c->rcv_nxt + tcp_receive_window(w->settings, c);
	uint32_t begin = w->in->seq, end = begin + w->in->octets;
	if (seq_before(begin, c->rcv_nxt))
		begin = c->rcv_nxt;
	if (seq_before(edge, end))
		end = edge;
	if (!seq_before(begin, end)) { // all of it is there
		c->ack_now |= w->in->octets != 0;
		return;
	}
	bool gaps = false;
	for (unsigned i = 0; i < TCP_RANGES; i++)
		gaps |= c->range[i].used;
	merge(c, &begin, &end);
	if (begin == c->rcv_nxt) {
		c->delivered = (c->delivered + (end - begin)) & 0xffffffffffff;
		c->rcv_nxt = end;
	} else {
		keep(c, begin, end);
		gaps = true;
	}
	owe(w, gaps);
}

/* RFC 9293 section 3.10.7.4, eighth check, once all octets before FIN are there. */
static void take_fin(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	c->rcv_nxt++;
	c->fin_known = false;
	c->ack_now = true;
	if (c->state == TCP_ESTABLISHED) {
		c->state = TCP_CLOSE_WAIT;
	} else if (c->state == TCP_FIN_WAIT_1) {
		c->state = TCP_CLOSING;
	} else {
		c->state = TCP_TIME_WAIT;
		w->restart = true;
	}
}

void tcp_receive(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (!w->take_data || c->state < TCP_ESTABLISHED)
		return;
	if (c->state > TCP_FIN_WAIT_2) { // nothing is after FIN: it is sent again
		c->ack_now |= w->in->octets || (w->in->flags & TCP_FIN);
		return;
	}
	uint32_t edge = c->rcv_nxt + tcp_receive_window(w->settings, c);
	uint32_t fin_seq = w->in->seq + w->in->octets;
	take_octets(w);
	if ((w->in->flags & TCP_FIN) && seq_before(fin_seq, edge)) {
		c->fin_known = true;
		c->fin_seq = fin_seq;
		c->ack_now = true;
	}
	if (c->fin_known && c->rcv_nxt == c->fin_seq)
		take_fin(w);
}
