// SPDX-License-Identifier: Apache-2.0
// The next segment of a connection: an RST that answers, SYN, octets and FIN, or an acknowledgement alone.
#include "sim/tcp/work.h"

struct tcp_choice {
	uint32_t base; // sequence number of what is to be sent
	uint32_t octets;
	bool fin, good;
};

/* States in which octets and FIN are sent, or sent again. */
static bool sends(uint8_t state)
{
	return state == TCP_ESTABLISHED || state == TCP_CLOSE_WAIT || state == TCP_FIN_WAIT_1 || state == TCP_CLOSING ||
	       state == TCP_LAST_ACK;
}

/* Octets that may be sent beyond snd_nxt. Limited transmit (RFC 3042, RFC 5681 section 3.2 step 1) allows a new segment
 * for each of the first two duplicate acknowledgements. */
static uint32_t usable(const struct tcp_connection *c)
{
	uint32_t limited = c->recovery || c->snd_nxt != c->snd_max ? 0
	                   : c->dupacks == 1                       ? c->mss
	                   : c->dupacks == 2                       ? 2u * c->mss
	                                                           : 0;
	uint32_t window = least(c->snd_wnd, c->cwnd + limited), flight = c->snd_nxt - c->snd_una;
	return window > flight ? window - flight : 0;
}

/* FIN takes a place in the window as an octet does. Avoidance of silly windows: RFC 9293 section 3.8.6.2.1. */
static struct tcp_choice choose(struct tcp_connection *c)
{
	struct tcp_choice choice = {.base = c->resend || c->probe ? c->snd_una : c->snd_nxt};
	if (!sends(c->state))
		return choice;
	bool fin_sent = c->closing && choice.base == c->snd_end + 1;
	uint32_t left = c->endless ? TCP_MOST : fin_sent ? 0 : c->snd_end - choice.base;
	bool fin_left = c->closing && !fin_sent;
	uint32_t window = usable(c);
	uint32_t room = c->resend  ? least(c->snd_max - c->snd_una, c->snd_wnd)
	                : c->probe ? most(least(c->snd_wnd, TCP_MOST), 1)
	                           : window;
	choice.octets = least(least(left, c->mss), room);
	choice.fin = fin_left && choice.octets == left && room > left;
	bool some = choice.octets || choice.fin;
	bool idle = c->snd_nxt == c->snd_una;
	bool wide = choice.octets == c->mss || choice.octets == left || (idle && choice.octets >= c->max_wnd >> 1);
	choice.good = some && (c->resend || c->probe || wide);
	c->persist = (left || fin_left) && idle && !c->resend && (!c->snd_wnd || !(some && wide));
	return choice;
}

static void fill(const struct tcp_work *w, struct tcp_segment *out, uint8_t flags, uint32_t seq)
{
	const struct tcp_connection *c = w->c;
	uint32_t window = tcp_receive_window(w->settings, c);
	out->flags = flags;
	out->seq = seq;
	out->ack = flags & TCP_ACK ? c->rcv_nxt : 0;
	if (flags & TCP_SYN)
		out->window = (uint16_t)least(w->settings->window, 65535);
	else
		out->window = (uint16_t)(c->scale_ok ? window >> w->settings->scale : window);
}

static void send_syn(struct tcp_work *w, struct tcp_segment *out)
{
	struct tcp_connection *c = w->c;
	bool answer = c->state == TCP_SYN_RECEIVED;
	fill(w, out, answer ? TCP_SYN | TCP_ACK : TCP_SYN, c->snd_una);
	out->mss = w->settings->mss;
	out->scale_is_there = answer ? c->scale_ok : w->settings->use_scale; // RFC 7323 section 2.2
	out->scale = out->scale_is_there ? w->settings->scale : 0;
}

static void send_octets(struct tcp_work *w, const struct tcp_choice *choice, struct tcp_segment *out)
{
	struct tcp_connection *c = w->c;
	fill(w, out, (uint8_t)(TCP_ACK | (choice->fin ? TCP_FIN : 0)), choice->base);
	out->octets = (uint16_t)choice->octets;
	if (choice->octets && !c->endless && choice->base + choice->octets == c->snd_end)
		out->flags |= TCP_PSH; // RFC 9293 section 3.9.1.2: the end of what the user sends
	if (choice->fin && c->state == TCP_ESTABLISHED)
		c->state = TCP_FIN_WAIT_1;
	else if (choice->fin && c->state == TCP_CLOSE_WAIT)
		c->state = TCP_LAST_ACK;
}

/* Moves the sender behind what it has sent. One round trip at a time is measured, of octets that are sent for the first
 * time (RFC 6298 section 3). A probe of a closed window is no part of the flight: it is sent again when the window
 * opens. */
static void count_sent(struct tcp_work *w, uint32_t base, uint32_t length)
{
	struct tcp_connection *c = w->c;
	uint32_t end = base + length;
	if (base == c->snd_max && !c->timing && !c->probe) {
		c->timing = true;
		c->timed_seq = base;
		c->timed_at = w->now;
	}
	if (seq_before(c->snd_max, end))
		c->snd_max = end;
	if (seq_before(c->snd_nxt, end) && !(c->probe && !c->snd_wnd))
		c->snd_nxt = end;
	c->persist &= !c->snd_wnd;
	c->resend = false;
	c->probe = false;
}

/* Acknowledges all, as everything does that carries ACK. */
static void acknowledged(struct tcp_connection *c)
{
	c->ack_now = false;
	c->ack_on = false;
	c->owed = 0;
}

void tcp_send(struct tcp_work *w, bool may_send, struct tcp_output *output)
{
	struct tcp_connection *c = w->c;
	struct tcp_segment *out = &output->segment;
	bool syn = (c->state == TCP_SYN_SENT || c->state == TCP_SYN_RECEIVED) && c->snd_nxt == c->snd_una;
	struct tcp_choice choice = choose(c);
	bool ack = c->ack_now && c->state >= TCP_SYN_RECEIVED;
	output->again = !may_send || choice.good;
	output->sent = may_send && (w->refuse || syn || choice.good || ack);
	if (!output->sent)
		return;
	if (w->refuse) {
		output->again |= syn || ack;
		out->flags = w->refuse_flags;
		out->seq = w->refuse_seq;
		out->ack = w->refuse_ack;
		return;
	}
	if (syn) {
		send_syn(w, out);
		count_sent(w, c->snd_una, 1);
	} else if (choice.good) {
		send_octets(w, &choice, out);
		count_sent(w, choice.base, choice.octets + choice.fin);
	} else {
		// The number is behind all that was sent, or the peer would find it to be old while octets are sent
		// again.
		fill(w, out, TCP_ACK, c->persist ? c->snd_nxt : c->snd_max);
	}
	acknowledged(c);
}
