// SPDX-License-Identifier: Apache-2.0
// The timers of a connection: RFC 6298, the probe of a closed window, the delayed acknowledgement, TIME-WAIT.
#include "sim/tcp/work.h"

#define ROUND_TRIP_MOST ((1u << 24) - 1) // ticks: so that 8 x SRTT stays small

static uint32_t backed_off(const struct tcp_work *w)
{
	return least(w->c->rto << 1, w->settings->rto_max); // RFC 6298 section 5.5
}

/* RFC 6298 section 5.4 to 5.7, RFC 5681 section 3.1, RFC 6582 section 3.2 step 4. All that is on its way is to be sent
 * again, from snd_una on. What is on its way is counted from snd_una to snd_nxt: while octets are sent again, that is
 * what the network holds. */
static void lose(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (c->state == TCP_SYN_SENT || c->state == TCP_SYN_RECEIVED) {
		c->syn_resent = true;
	} else {
		if (!c->timed_out) // again the same segment: RFC 5681 section 3.1, ssthresh stays
			c->ssthresh = most(least(c->snd_nxt - c->snd_una, c->cwnd) >> 1, 2u * c->mss);
		c->cwnd = c->mss;
		c->timed_out = true;
	}
	c->counted = 0;
	c->dupacks = 0;
	c->recovery = false;
	c->resend = false;
	c->recover = c->snd_max;
	c->snd_nxt = c->snd_una;
	c->timing = false;
	c->rto = backed_off(w);
}

static void expire(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	w->restart = true;
	if (c->state == TCP_TIME_WAIT) {
		c->state = TCP_CLOSED;
	} else if (c->persist) { // RFC 9293 section 3.8.6.1: for ever, at intervals that grow
		c->probe = true;
		c->rto = backed_off(w);
	} else {
		lose(w);
		c->retries = (uint8_t)least(c->retries + 1u, 31);
		if (w->settings->retries && c->retries > w->settings->retries)
			c->state = TCP_CLOSED;
	}
}

void tcp_tick(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (c->ack_on && !seq_before(w->now, c->ack_at)) {
		c->ack_on = false;
		c->ack_now = true;
	}
	if (c->timer_on && !seq_before(w->now, c->timer_at))
		expire(w);
}

/* RFC 6298 section 2.2, 2.3: SRTT in eighths, RTTVAR in quarters, so that what is divided there is only shifted here. A
 * window that has opened ends the intervals of its probes, which were not measured. */
void tcp_measure(struct tcp_work *w, bool sample, bool window_opened)
{
	struct tcp_connection *c = w->c;
	if (sample) {
		uint32_t r = least(w->now - c->timed_at, ROUND_TRIP_MOST), srtt = c->srtt8 >> 3;
		if (!c->measured) {
			c->srtt8 = r << 3;
			c->rttvar4 = r << 1;
		} else {
			c->rttvar4 = c->rttvar4 - (c->rttvar4 >> 2) + (r > srtt ? r - srtt : srtt - r);
			c->srtt8 = c->srtt8 - srtt + r;
		}
		c->measured = true;
		c->timing = false;
	}
	if (c->measured && (sample || window_opened)) {
		uint32_t rto = (c->srtt8 >> 3) + most(w->settings->granularity, c->rttvar4);
		c->rto = least(most(rto, w->settings->rto_min), w->settings->rto_max);
	}
	w->restart |= window_opened;
}

void tcp_set_timer(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (c->state <= TCP_LISTEN) {
		c->timer_on = false;
		c->ack_on = false;
	} else if (c->state == TCP_TIME_WAIT) {
		if (w->restart)
			c->timer_at = w->now + w->settings->time_wait;
		c->timer_on = true;
	} else if (c->snd_max == c->snd_una && !c->persist) { // RFC 6298 section 5.2
		c->timer_on = false;
	} else if (w->restart || !c->timer_on) { // section 5.1
		c->timer_at = w->now + c->rto;
		c->timer_on = true;
	}
}
