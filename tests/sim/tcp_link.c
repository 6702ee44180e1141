// SPDX-License-Identifier: Apache-2.0
// The link, its observer, and the order of events.
#include "tests/sim/tcp_link.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static bool before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static uint64_t below(struct tcp_link *link, uint64_t limit)
{
	return splitmix64(&link->random) % limit;
}

/* Ticks of 1 us: a data centre. */
struct tcp_settings tcp_link_settings(void)
{
	return (struct tcp_settings){.mss = 1460,
	                             .window = 65535u << 4,
	                             .use_scale = true,
	                             .scale = 4,
	                             .ack_every = 2,
	                             .ack_delay = 200,
	                             .granularity = 1,
	                             .rto_initial = 1000000,
	                             .rto_min = 1000,
	                             .rto_max = 60000000,
	                             .rto_after_syn = 3000000,
	                             .time_wait = 10000};
}

void tcp_link_init(struct tcp_link *link, uint64_t seed)
{
	memset(link, 0, sizeof(*link));
	link->settings[0] = link->settings[1] = tcp_link_settings();
	link->random = seed;
	link->delay = 10;
}

void tcp_link_free(struct tcp_link *link)
{
	for (int i = 0; i < 2; i++)
		free(link->seen[i].arrived);
}

static void put_underway(struct tcp_link *link, int to, const struct tcp_segment *segment)
{
	cr_assert(link->underway < LINK_SEGMENTS);
	link->segment[link->underway].at =
	        link->now + link->delay + (uint32_t)(link->jitter ? below(link, link->jitter) : 0);
	link->segment[link->underway].to = to;
	link->segment[link->underway++].segment = *segment;
}

/* The stream's octets and FIN take a place in the window; a closed window may be probed with one octet. */
static void observe_sent(struct tcp_link *link, int from, const struct tcp_segment *out)
{
	struct tcp_seen *seen = &link->seen[from];
	uint32_t fin = (out->flags & TCP_FIN) != 0, end = out->seq + out->octets + fin;
	const struct tcp_connection *c = &link->end[from];
	if (out->flags & TCP_RST)
		return;
	if (out->flags & TCP_ACK)
		cr_assert(seen->open && out->ack - link->seen[!from].iss - 1 <= seen->in_order + seen->fin_arrived,
		          "end %d acknowledges what did not arrive", from);
	if (!out->octets && !fin)
		return;
	cr_assert(seen->open);
	cr_assert_leq(out->octets, link->settings[from].mss);
	cr_assert(!before(out->seq, seen->acked), "end %d sends octets again that were acknowledged", from);
	bool probe = end - out->seq == 1 && out->seq == seen->acked;
	cr_assert(probe || !before(seen->edge, end), "end %d sends beyond the window", from);
	cr_assert(probe || end - seen->acked <= c->cwnd + 2u * c->mss || before(end, c->snd_nxt + 1),
	          "end %d sends beyond cwnd", from);
	cr_assert(!before(seen->highest, out->seq), "end %d leaves out octets", from);
	if (before(out->seq, seen->highest))
		seen->sent_again++;
	if (before(seen->highest, end))
		seen->highest = end;
}

/* RFC 9293 section 3.10.7.4: of a segment outside of the window not even the acknowledgement counts. */
static bool within_window(const struct tcp_link *link, int to, const struct tcp_segment *in)
{
	const struct tcp_connection *c = &link->end[to];
	uint32_t length = in->octets + (in->flags & TCP_FIN ? 1u : 0),
	         edge = c->rcv_nxt + tcp_receive_window(&link->settings[to], c);
	uint32_t last = in->seq + (length ? length - 1 : 0);
	return (!before(in->seq, c->rcv_nxt) && before(in->seq, edge)) ||
	       (length && !before(last, c->rcv_nxt) && before(last, edge));
}

static void observe_arrived(struct tcp_link *link, int to, const struct tcp_segment *in)
{
	struct tcp_seen *seen = &link->seen[to];
	if (in->flags & TCP_RST)
		return;
	if (in->flags & TCP_SYN) {
		seen->open = true;
		seen->scale = in->scale_is_there && link->settings[to].use_scale ? in->scale : 0;
	}
	bool counts = in->flags & TCP_SYN || within_window(link, to, in);
	if (counts && in->flags & TCP_ACK && !before(in->ack, seen->acked)) {
		uint32_t window = in->flags & TCP_SYN ? in->window : (uint32_t)in->window << seen->scale;
		seen->acked = in->ack;
		if (before(seen->edge, in->ack + window))
			seen->edge = in->ack + window;
	}
	uint32_t offset = in->seq - link->seen[!to].iss - 1;
	for (uint32_t i = 0; i < in->octets; i++)
		if (offset + i < link->octets[!to])
			seen->arrived[offset + i] = 1;
	if (in->flags & TCP_FIN)
		seen->fin_arrived = true;
	while (seen->in_order < link->octets[!to] && seen->arrived[seen->in_order])
		seen->in_order++;
}

static void observe_delivered(struct tcp_link *link, int which)
{
	cr_assert_leq(link->end[which].delivered, link->seen[which].in_order, "end %d delivers what did not arrive",
	              which);
	cr_assert_leq(link->end[which].delivered, link->octets[!which]);
}

static void play(struct tcp_link *link, int which, const struct tcp_event *event)
{
	struct tcp_output output;
	bool may_send = !link->busy || below(link, 1000) >= link->busy;
	link->steps++;
	tcp_step(&link->settings[which], &link->end[which], event, link->now, may_send, &output);
	link->again[which] = output.again;
	observe_delivered(link, which);
	if (!output.sent)
		return;
	cr_assert(may_send);
	observe_sent(link, which, &output.segment);
	link->last[which] = output.segment;
	if (link->loses && link->loses(link, which, &output.segment))
		return;
	if (link->loss && below(link, 1000) < link->loss)
		return;
	put_underway(link, !which, &output.segment);
	if (link->doubles && below(link, 1000) < link->doubles)
		put_underway(link, !which, &output.segment);
}

void tcp_link_open(struct tcp_link *link, uint32_t iss0, uint32_t octets0, uint32_t iss1, uint32_t octets1)
{
	struct tcp_event event = {.kind = TCP_OPEN, .iss = iss1, .octets = octets1, .passive = true};
	link->octets[0] = octets0;
	link->octets[1] = octets1;
	for (int i = 0; i < 2; i++) {
		struct tcp_seen *seen = &link->seen[i];
		seen->iss = i ? iss1 : iss0;
		seen->acked = seen->edge = seen->iss;
		seen->highest = seen->iss + 1;
		seen->arrived = calloc(link->octets[!i] + 1, 1);
	}
	play(link, 1, &event);
	event = (struct tcp_event){.kind = TCP_OPEN, .iss = iss0, .octets = octets0};
	play(link, 0, &event);
}

void tcp_link_close(struct tcp_link *link, int which)
{
	play(link, which, &(struct tcp_event){.kind = TCP_CLOSE});
}

void tcp_link_turn(struct tcp_link *link, int which)
{
	play(link, which, &(struct tcp_event){.kind = TCP_TURN});
}

void tcp_link_arrive(struct tcp_link *link, int to, const struct tcp_segment *segment)
{
	observe_arrived(link, to, segment);
	play(link, to, &(struct tcp_event){.kind = TCP_SEGMENT, .segment = *segment});
}

static void earlier(const struct tcp_link *link, uint32_t at, uint32_t *wait)
{
	uint32_t left = before(at, link->now) ? 0 : at - link->now;
	if (left < *wait)
		*wait = left;
}

/* Turns are taken before time goes on. */
static uint32_t until_next(const struct tcp_link *link)
{
	uint32_t wait = UINT32_MAX;
	for (unsigned i = 0; i < link->underway; i++)
		earlier(link, link->segment[i].at, &wait);
	for (int i = 0; i < 2; i++) {
		if (link->end[i].timer_on)
			earlier(link, link->end[i].timer_at, &wait);
		if (link->end[i].ack_on)
			earlier(link, link->end[i].ack_at, &wait);
	}
	return wait;
}

static void play_due(struct tcp_link *link)
{
	for (unsigned i = 0; i < link->underway; i++)
		if (!before(link->now, link->segment[i].at)) {
			struct tcp_segment segment = link->segment[i].segment;
			int to = link->segment[i].to;
			memmove(&link->segment[i], &link->segment[i + 1],
			        (link->underway - i - 1) * sizeof(link->segment[0]));
			link->underway--;
			tcp_link_arrive(link, to, &segment);
			return;
		}
	for (int i = 0; i < 2; i++)
		play(link, i, &(struct tcp_event){.kind = TCP_TICK});
}

bool tcp_link_run(struct tcp_link *link, uint32_t ticks)
{
	uint32_t end = link->now + ticks;
	for (;;) {
		cr_assert_lt(link->steps, 50000000, "it does not come to rest");
		if (link->again[0] || link->again[1]) {
			for (int i = 0; i < 2; i++)
				if (link->again[i])
					tcp_link_turn(link, i);
			continue;
		}
		uint32_t wait = until_next(link);
		if (wait == UINT32_MAX)
			return false;
		if (before(end, link->now + wait)) {
			link->now = end;
			return true;
		}
		link->now += wait;
		play_due(link);
	}
}

void tcp_link_deliver(struct tcp_link *link, uint32_t ticks)
{
	uint32_t end = link->now + ticks;
	while (link->end[0].delivered != link->octets[1] || link->end[1].delivered != link->octets[0]) {
		cr_assert(before(link->now, end), "%u of %u and %u of %u octets were delivered in time",
		          (unsigned)link->end[1].delivered, link->octets[0], (unsigned)link->end[0].delivered,
		          link->octets[1]);
		if (!tcp_link_run(link, 1000))
			cr_assert(link->end[0].delivered == link->octets[1] &&
			                  link->end[1].delivered == link->octets[0],
			          "nothing is left to happen, and %u of %u and %u of %u octets were delivered",
			          (unsigned)link->end[1].delivered, link->octets[0], (unsigned)link->end[0].delivered,
			          link->octets[1]);
	}
}
