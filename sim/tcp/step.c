// SPDX-License-Identifier: Apache-2.0
// One step: the event, then what is to be sent, then the timer.
#include "sim/tcp/work.h"
#include <string.h>

static void open_connection(struct tcp_work *w, const struct tcp_event *event)
{
	struct tcp_connection *c = w->c;
	memset(c, 0, sizeof *c);
	c->state = event->passive ? TCP_LISTEN : TCP_SYN_SENT;
	c->endless = event->endless;
	c->snd_una = c->snd_nxt = c->snd_max = c->recover = event->iss;
	c->snd_end = event->iss + 1 + event->octets;
	c->mss = w->settings->mss;
	c->cwnd = w->settings->mss;
	c->ssthresh = TCP_MOST; // "arbitrarily high", RFC 5681 section 3.1
	c->rto = w->settings->rto_initial;
}

/* RFC 9293 section 3.10.4: what was to be sent is sent, then FIN; an endless stream ends where it is. */
static void close_connection(struct tcp_work *w)
{
	struct tcp_connection *c = w->c;
	if (c->closing || c->state == TCP_CLOSED)
		return;
	if (c->state == TCP_LISTEN || c->state == TCP_SYN_SENT) {
		c->state = TCP_CLOSED;
		return;
	}
	c->closing = true;
	if (c->endless)
		c->snd_end = c->state == TCP_SYN_RECEIVED ? c->snd_una + 1 : c->snd_max;
	c->endless = false;
}

void tcp_step(const struct tcp_settings *settings, struct tcp_connection *connection, const struct tcp_event *event,
              uint32_t now, bool may_send, struct tcp_output *output)
{
	struct tcp_work w = {.settings = settings, .c = connection, .in = &event->segment, .now = now};
	memset(output, 0, sizeof *output);
	switch (event->kind) {
	case TCP_OPEN:
		open_connection(&w, event);
		break;
	case TCP_CLOSE:
		close_connection(&w);
		break;
	case TCP_TICK:
		tcp_tick(&w);
		break;
	case TCP_SEGMENT:
		tcp_arrive(&w);
		tcp_acknowledge(&w);
		tcp_receive(&w);
		break;
	case TCP_TURN:
		break;
	}
	tcp_send(&w, may_send, output);
	tcp_set_timer(&w);
}
