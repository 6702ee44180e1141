// SPDX-License-Identifier: Apache-2.0
// Decides what a segment that arrives is: RFC 9293 section 3.10.7, up to the acknowledgement. Nothing of it is used
// before it is known to be acceptable.
#include "sim/tcp/work.h"

/* RST as the answer to a segment: RFC 9293 section 3.10.7.1. One to which it is no answer gets none. */
static void refuse(struct tcp_work *w)
{
	const struct tcp_segment *in = w->in;
	if (in->flags & TCP_RST)
		return;
	bool ack = in->flags & TCP_ACK;
	w->refuse = true;
	w->refuse_flags = ack ? TCP_RST : TCP_RST | TCP_ACK;
	w->refuse_seq = ack ? in->ack : 0;
	w->refuse_ack = ack ? 0 : in->seq + in->octets + !!(in->flags & TCP_SYN) + !!(in->flags & TCP_FIN);
}

/* Its sequence number and options; 536 if it names no MSS (RFC 9293 section 3.7.1). */
static void take_syn(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	const struct tcp_segment *in = w->in;
	c->rcv_nxt = in->seq + 1;
	c->mss = (uint16_t)least(w->settings->mss, in->mss ? in->mss : 536);
	c->scale_ok = w->settings->use_scale && in->scale_is_there;
	c->snd_scale = c->scale_ok ? (in->scale > 14 ? 14 : in->scale) : 0; // RFC 7323 section 2.3
	c->snd_wnd = c->max_wnd = in->window;                               // never scaled in a SYN
	c->snd_wl1 = in->seq;
	c->snd_wl2 = in->flags & TCP_ACK ? in->ack : c->snd_una;
}

/* RFC 9293 section 3.10.7.2. A SYN's octets and FIN are left to be sent again. */
static void arrive_at_listen(struct tcp_work *w)
{
	if (w->in->flags & TCP_RST)
		return;
	if (w->in->flags & TCP_ACK) {
		refuse(w);
	} else if (w->in->flags & TCP_SYN) {
		take_syn(w);
		w->c->state = TCP_SYN_RECEIVED;
	}
}

/* RFC 9293 section 3.10.7.3. */
static void arrive_at_syn_sent(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	bool ack = w->in->flags & TCP_ACK;
	bool acks_syn = ack && w->in->ack == c->snd_una + 1 && c->snd_max != c->snd_una;
	if (ack && !acks_syn) {
		refuse(w);
	} else if (w->in->flags & TCP_RST) {
		if (ack)
			c->state = TCP_CLOSED;
	} else if (w->in->flags & TCP_SYN) {
		take_syn(w);
		if (acks_syn) {
			c->ack_now = true;
			w->take_ack = true;
			tcp_begin_sending(w);
		} else { // both open at once: SYN goes again, with ACK
			c->state = TCP_SYN_RECEIVED;
			c->snd_nxt = c->snd_una;
			c->timing = false;
		}
	}
}

/* RFC 9293 section 3.10.7.4, first check; the window is never 0. */
static bool acceptable(const struct tcp_work *w)
{
	uint32_t octets = (uint32_t)w->in->octets + !!(w->in->flags & TCP_SYN) + !!(w->in->flags & TCP_FIN);
	uint32_t window = tcp_receive_window(w->settings, w->c);
	uint32_t first = w->in->seq - w->c->rcv_nxt, last = first + octets - 1;
	return first < window || (octets && last < window);
}

static void arrive_at_others(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	const struct tcp_segment *in = w->in;
	if (!acceptable(w)) {
		if (!(in->flags & TCP_RST))
			c->ack_now = true;
		if (c->state == TCP_TIME_WAIT && (in->flags & TCP_FIN)) // FIN again: 2 MSL begin anew
			w->restart = true;
		return;
	}
	if (in->flags & TCP_RST) { // RFC 5961 section 3.2
		if (in->seq != c->rcv_nxt)
			c->ack_now = true;
		else
			c->state = TCP_CLOSED; // SYN-RECEIVED too: who wants to listen again opens it again
		return;
	}
	if (in->flags & TCP_SYN) { // RFC 5961 section 4.2
		c->ack_now = true;
		return;
	}
	if (!(in->flags & TCP_ACK))
		return;
	bool within = in->ack - c->snd_una <= c->snd_max - c->snd_una;
	if (c->state == TCP_SYN_RECEIVED) {
		if (!within || in->ack == c->snd_una) {
			refuse(w);
			return;
		}
		tcp_begin_sending(w);
	} else if (!within && seq_before(c->snd_max, in->ack)) { // it acknowledges something that was never sent
		c->ack_now = true;
		return;
	}
	w->take_ack = within;
	w->take_data = true;
}

void tcp_arrive(struct tcp_work *w)
{
	switch (w->c->state) {
	case TCP_CLOSED:
		refuse(w);
		break;
	case TCP_LISTEN:
		arrive_at_listen(w);
		break;
	case TCP_SYN_SENT:
		arrive_at_syn_sent(w);
		break;
	default:
		arrive_at_others(w);
	}
}
