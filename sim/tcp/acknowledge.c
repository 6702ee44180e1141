// SPDX-License-Identifier: Apache-2.0
// Does what an acknowledgement changes: window, congestion window, recovery of what was lost, timer.
#include "sim/tcp/work.h"

/* Initial window: RFC 5681 section 3.1; one segment if a SYN was lost. */
static uint32_t initial_window(const struct tcp_work *w)
{
	uint32_t mss = w->c->mss;
	if (w->c->syn_resent)
		return mss;
	if (w->settings->initial_segments)
		return mss * w->settings->initial_segments;
	return mss > 2190 ? 2 * mss : mss > 1095 ? 3 * mss : 4 * mss;
}

void tcp_begin_sending(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	c->state = TCP_ESTABLISHED;
	c->snd_una = c->snd_nxt = c->snd_max; // the SYN, which is not to grow cwnd (RFC 5681 section 3.1)
	c->cwnd = initial_window(w);
	c->retries = 0;
	w->restart = true;
	if (c->syn_resent) // RFC 6298 section 5.7
		c->rto = most(c->rto, w->settings->rto_after_syn);
}

/* RFC 9293 section 3.10.7.4: a window of an older segment than the last is not taken. Returns whether it opened again.
 */
static bool take_window(struct tcp_work *w, uint32_t window)
{
	struct tcp_connection *c = w->c;
	bool newer =
	        seq_before(c->snd_wl1, w->in->seq) || (c->snd_wl1 == w->in->seq && !seq_before(w->in->ack, c->snd_wl2));
	if (!newer)
		return false;
	bool opened = c->persist && window;
	c->snd_wnd = window;
	c->snd_wl1 = w->in->seq;
	c->snd_wl2 = w->in->ack;
	c->max_wnd = most(c->max_wnd, window);
	return opened;
}

/* Half of what is on its way, at least two segments (RFC 5681 equation 4). What limited transmit sent beyond cwnd is
 * not counted. */
static uint32_t half_of_flight(const struct tcp_connection *c)
{
	return most(least(c->snd_nxt - c->snd_una, c->cwnd) >> 1, 2u * c->mss);
}

/* RFC 5681 section 3.2; RFC 6582 section 3.2 step 2: not for what the same loss has made to be sent again. */
static void duplicate(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (c->recovery) {
		c->cwnd = grown(c->cwnd, c->mss);
		return;
	}
	if (c->dupacks == 3)
		return;
	c->dupacks++;
	if (c->dupacks == 3 && seq_before(c->recover, w->in->ack)) {
		c->ssthresh = half_of_flight(c);
		c->cwnd = grown(c->ssthresh, 3u * c->mss);
		c->counted = 0;
		c->recover = c->snd_max;
		c->recovery = true;
		c->partial = false;
		c->resend = true;
		c->timing = false; // RFC 6298 section 3, Karn's algorithm
	}
}

/* RFC 6582 section 3.2 step 3, "Impatient": only the first partial acknowledgement restarts the timer. */
static void recover_more(struct tcp_work *w, uint32_t acked)
{
	struct tcp_connection *c = w->c;
	if (seq_before(c->snd_una, c->recover)) {
		uint32_t left = c->cwnd > acked ? c->cwnd - acked : 0;
		c->cwnd = most(acked >= c->mss ? left + c->mss : left, c->mss);
		w->restart = !c->partial;
		c->partial = true;
		c->resend = true;
		return;
	}
	c->cwnd = least(c->ssthresh, most(c->snd_max - c->snd_una, c->mss) + c->mss);
	c->recovery = false;
	c->resend = false;
	w->restart = true;
}

/* Slow start: RFC 5681 equation 2. Congestion avoidance: by octets, as its section 3.1 recommends (RFC 3465
 * section 2.1). */
static void grow(struct tcp_connection *c, uint32_t acked)
{
	if (c->cwnd < c->ssthresh) {
		c->cwnd = grown(c->cwnd, least(acked, c->mss));
		return;
	}
	c->counted += acked;
	if (c->counted >= c->cwnd) {
		c->counted -= c->cwnd;
		c->cwnd = grown(c->cwnd, c->mss);
	}
}

static void advance(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	uint32_t acked = w->in->ack - c->snd_una;
	c->snd_una = w->in->ack;
	if (seq_before(c->snd_nxt, c->snd_una))
		c->snd_nxt = c->snd_una;
	c->dupacks = 0;
	c->timed_out = false;
	c->retries = 0;
	c->resend = false;
	if (c->recovery) {
		recover_more(w, acked);
		return;
	}
	w->restart = true; // RFC 6298 section 5.3
	grow(c, acked);
}

/* RFC 9293 section 3.10.7.4: our FIN was received. */
static void after_fin_acked(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (c->state == TCP_FIN_WAIT_1) {
		c->state = TCP_FIN_WAIT_2;
	} else if (c->state == TCP_CLOSING) {
		c->state = TCP_TIME_WAIT;
		w->restart = true;
	} else if (c->state == TCP_LAST_ACK) {
		c->state = TCP_CLOSED;
	}
}

void tcp_acknowledge(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (!w->take_ack)
		return;
	bool syn = w->in->flags & TCP_SYN;
	uint32_t window = syn ? w->in->window : (uint32_t)w->in->window << c->snd_scale;
	bool sample = c->timing && seq_before(c->timed_seq, w->in->ack);
	// RFC 5681 section 2, DUPLICATE ACKNOWLEDGMENT; the answer to a probe is none.
	bool again = w->in->ack == c->snd_una && c->snd_max != c->snd_una && !c->persist && !w->in->octets && !syn &&
	             !(w->in->flags & TCP_FIN) && window == c->snd_wnd;
	bool opened = take_window(w, window);
	if (w->in->ack != c->snd_una)
		advance(w);
	else if (again)
		duplicate(w);
	tcp_measure(w, sample, opened);
	if (fin_acked(c))
		after_fin_acked(w);
}
