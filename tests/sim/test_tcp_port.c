// SPDX-License-Identifier: Apache-2.0
// Two ports of sim/tcp with up to 64 connections, joined by lines that lose, double and reorder. An observer of the
// segments that are played and sent checks that no port sends beyond the window of the other end, nor leaves out an
// octet, nor sends one again that was acknowledged, nor acknowledges one that did not arrive. Clocks of which the ports
// say that nothing happens are skipped.
#include "sim/dut/random.h"
#include "sim/tcp/port.h"
#include "tests/seed.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OCTETS = 60000, FLIGHTS = 4096 };

// One end of a connection, of which only rcv_nxt is read: which segments are acceptable is seen by it.
struct watch {
	uint32_t iss, acked, edge, highest;
	bool open, fin_arrived;
	uint8_t scale;                // scale of the other end's windows
	uint32_t octets;              // octets that it sends
	uint8_t arrived[MOST_OCTETS]; // octets of the other end
	uint32_t in_order;            // arrived octets without a gap
};

struct flight {
	uint64_t at;
	struct tcp_arrival what;
};

struct pair {
	struct tcp_port port[2];
	struct watch watch[2][TCP_CONNECTIONS];
	unsigned connections;
	struct flight flight[2][FLIGHTS]; // segments on their way to a port
	unsigned flights[2];
	struct tcp_arrival waiting[2][TCP_WAITING + 1]; // not played
	uint32_t written[2], played[2];
	uint64_t clock, busy_until[2], sent_again, steps, skipped;
	uint64_t random;
	uint32_t period, delay, jitter, busy;
	unsigned loss, doubles; // shares in 1000
};

static struct pair pair;

static uint32_t draw(uint32_t low, uint32_t high)
{
	return low + (uint32_t)(splitmix64(&pair.random) % (high - low + 1));
}

static bool before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static void observe_sent(int from, unsigned connection, const struct tcp_segment *out)
{
	struct watch *w = &pair.watch[from][connection];
	uint32_t fin = (out->flags & TCP_FIN) != 0, end = out->seq + out->octets + fin;
	if (out->flags & TCP_RST)
		return;
	if (out->flags & TCP_ACK)
		cr_assert_leq(out->ack - pair.watch[!from][connection].iss - 1, w->in_order + w->fin_arrived,
		              "port %d, connection %u acknowledges what did not arrive", from, connection);
	if (end == out->seq)
		return;
	cr_assert(w->open);
	cr_assert_leq(out->octets, pair.port[from].settings.mss);
	cr_assert(!before(out->seq, w->acked), "port %d, connection %u sends octets again that were acknowledged", from,
	          connection);
	bool probe = end - out->seq == 1 && out->seq == w->acked;
	cr_assert(probe || !before(w->edge, end), "port %d, connection %u sends beyond the window", from, connection);
	cr_assert(!before(w->highest, out->seq), "port %d, connection %u leaves out octets", from, connection);
	pair.sent_again += before(out->seq, w->highest);
	if (before(w->highest, end))
		w->highest = end;
}

/* RFC 9293 section 3.10.7.4: of a segment outside of the window not even the acknowledgement counts. */
static bool acceptable(int to, const struct tcp_segment *in, const struct tcp_connection *c)
{
	uint32_t length = in->octets + (in->flags & TCP_FIN ? 1u : 0);
	uint32_t window = tcp_receive_window(&pair.port[to].settings, c), first = in->seq - c->rcv_nxt;
	return first < window || (length && first + length - 1 < window);
}

static void observe_played(int to, const struct tcp_arrival *what, bool counts)
{
	const struct tcp_segment *in = &what->segment;
	struct watch *w = &pair.watch[to][what->connection];
	if (in->flags & TCP_RST)
		return;
	if (in->flags & TCP_SYN) {
		w->open = true;
		w->scale = in->scale_is_there && pair.port[to].settings.use_scale ? in->scale : 0;
	}
	if ((counts || in->flags & TCP_SYN) && in->flags & TCP_ACK && !before(in->ack, w->acked)) {
		uint32_t edge = in->ack + (in->flags & TCP_SYN ? in->window : (uint32_t)in->window << w->scale);
		w->acked = in->ack;
		w->edge = before(w->edge, edge) ? edge : w->edge;
	}
	const struct watch *other = &pair.watch[!to][what->connection];
	uint32_t offset = in->seq - other->iss - 1;
	for (uint32_t i = 0; i < in->octets && offset + i < other->octets; i++)
		w->arrived[offset + i] = 1;
	w->fin_arrived |= (in->flags & TCP_FIN) != 0;
	while (w->in_order < other->octets && w->arrived[w->in_order])
		w->in_order++;
}

static void fly(int to, const struct tcp_arrival *what)
{
	cr_assert_lt(pair.flights[to], FLIGHTS);
	pair.flight[to][pair.flights[to]++] = (struct flight){pair.clock + pair.delay + draw(0, pair.jitter), *what};
}

static unsigned earliest(int to)
{
	unsigned first = 0;
	for (unsigned i = 1; i < pair.flights[to]; i++)
		if (pair.flight[to][i].at < pair.flight[to][first].at)
			first = i;
	return first;
}

/* Takes what arrives in this clock, if anything does. */
static bool land(int to, struct tcp_arrival *what)
{
	unsigned first = earliest(to);
	if (!pair.flights[to] || pair.flight[to][first].at > pair.clock)
		return false;
	*what = pair.flight[to][first].what;
	pair.flight[to][first] = pair.flight[to][--pair.flights[to]];
	return true;
}

static struct tcp_played play_port(int i, const struct tcp_command *command)
{
	struct tcp_port *port = &pair.port[i];
	struct tcp_arrival arrival;
	struct tcp_inputs in = {.now = (uint32_t)(pair.clock / pair.period),
	                        .may_send = pair.clock >= pair.busy_until[i]};
	in.command = command;
	in.arrival = land(i, &arrival) ? &arrival : NULL;
	struct tcp_connection was = port->connection[port->next];
	uint32_t dropped = port->dropped;
	struct tcp_played played = tcp_port_clock(port, &in);
	if (port->m_valid) { // a segment of a step that began before the one that does now
		struct tcp_arrival sent = {port->m_connection, port->m_segment};
		observe_sent(i, sent.connection, &sent.segment);
		pair.busy_until[i] = pair.clock + draw(0, pair.busy);
		if (draw(0, 999) >= pair.loss)
			fly(!i, &sent);
		if (draw(0, 999) < pair.doubles)
			fly(!i, &sent);
	}
	if (played.valid && played.kind == TCP_SEGMENT) {
		const struct tcp_arrival *what = &pair.waiting[i][pair.played[i]++ % (TCP_WAITING + 1)];
		cr_assert_eq(what->connection, played.connection);
		observe_played(i, what, acceptable(i, &what->segment, &was));
	}
	if (played.valid)
		cr_assert_leq(port->connection[played.connection].delivered, pair.watch[i][played.connection].in_order);
	if (in.arrival && port->dropped == dropped)
		pair.waiting[i][pair.written[i]++ % (TCP_WAITING + 1)] = arrival;
	pair.steps += played.valid;
	return played;
}

/* Clocks in which nothing happens at either end. */
static uint64_t idle(void)
{
	struct tcp_ticks ticks = {(uint32_t)(pair.clock / pair.period),
	                          pair.period - (uint32_t)(pair.clock % pair.period), pair.period};
	uint64_t least = TCP_FOREVER;
	for (int i = 0; i < 2; i++) {
		bool may_send = pair.clock >= pair.busy_until[i];
		uint64_t next = tcp_port_idle(&pair.port[i], &ticks, may_send);
		uint64_t until = may_send ? TCP_FOREVER : pair.busy_until[i] - pair.clock;
		if (pair.flights[i]) {
			uint64_t at = pair.flight[i][earliest(i)].at;
			next = at <= pair.clock ? 0 : at - pair.clock < next ? at - pair.clock : next;
		}
		next = until < next ? until : next;
		least = next < least ? next : least;
	}
	return least;
}

/* Plays a clock, or skips those in which nothing happens; false: nothing ever will. */
static bool go_on(void)
{
	uint64_t clocks = idle();
	if (clocks == TCP_FOREVER)
		return false;
	for (int i = 0; i < 2; i++) {
		if (clocks)
			tcp_port_skip(&pair.port[i], clocks);
		else
			play_port(i, NULL);
	}
	pair.clock += clocks ? clocks : 1;
	pair.skipped += clocks;
	return true;
}

static void command(int which, unsigned connection, const struct tcp_event *event)
{
	struct tcp_command given = {(uint8_t)connection, *event};
	for (bool done = false; !done;) {
		for (int i = 0; i < 2; i++) {
			struct tcp_played played = play_port(i, i == which ? &given : NULL);
			done |= i == which && played.valid && played.kind == event->kind;
		}
		pair.clock++;
	}
}

static void draw_settings(struct tcp_settings *s)
{
	*s = (struct tcp_settings){.mss = (uint16_t)(draw(0, 2) ? draw(500, 9000) : draw(20, 100)),
	                           .use_scale = draw(0, 2) != 0,
	                           .scale = (uint8_t)draw(0, 6),
	                           .initial_segments = (uint8_t)draw(0, 12),
	                           .ack_every = (uint8_t)draw(1, 3),
	                           .ack_delay = draw(1, 50),
	                           .granularity = 1,
	                           .rto_initial = draw(100, 500),
	                           .rto_min = draw(20, 200),
	                           .rto_max = draw(500, 3000),
	                           .rto_after_syn = draw(100, 500),
	                           .time_wait = draw(1, 500)};
	s->window = draw(1, 2000) << s->scale;
	if (draw(0, 1))
		s->window = 65535u << (s->use_scale ? s->scale : 0) >> s->scale << s->scale;
}

static void open_all(void)
{
	for (unsigned n = 0; n < pair.connections; n++) {
		for (int i = 1; i >= 0; i--) {
			struct watch *w = &pair.watch[i][n];
			uint32_t most = 20u * pair.port[i].settings.mss, window = 40 * pair.port[!i].settings.window;
			most = most < window ? most : window;
			w->octets = draw(0, most < MOST_OCTETS ? most : MOST_OCTETS);
			w->iss = draw(0, 1) ? 0u - draw(1, 2 * MOST_OCTETS) : draw(0, UINT32_MAX - 1);
			w->acked = w->edge = w->iss;
			w->highest = w->iss + 1;
		}
		for (int i = 1; i >= 0; i--)
			command(i, n,
			        &(struct tcp_event){.kind = TCP_OPEN,
			                            .passive = i,
			                            .iss = pair.watch[i][n].iss,
			                            .octets = pair.watch[i][n].octets});
	}
}

static bool all(bool closed)
{
	for (int i = 0; i < 2; i++)
		for (unsigned n = 0; n < pair.connections; n++) {
			const struct tcp_connection *c = &pair.port[i].connection[n];
			if (closed ? c->state != TCP_CLOSED : c->delivered != pair.watch[!i][n].octets)
				return false;
		}
	return true;
}

static void play(uint64_t seed)
{
	memset(&pair, 0, sizeof pair);
	pair.random = seed;
	for (int i = 0; i < 2; i++) {
		draw_settings(&pair.port[i].settings);
		tcp_port_reset(&pair.port[i]);
	}
	pair.connections = draw(0, 2) ? draw(1, 6) : draw(30, TCP_CONNECTIONS);
	pair.period = draw(0, 1) ? 200 : draw(1, 300);
	pair.delay = draw(1, 2000);
	pair.jitter = draw(0, 1) ? 0 : draw(1, 1000);
	pair.loss = draw(0, 1) ? draw(0, 10) : draw(10, 150);
	pair.doubles = draw(0, 1) ? 0 : draw(1, 100);
	pair.busy = draw(0, 1) ? 0 : draw(1, 60);
	open_all();
	while (!all(false))
		cr_assert(go_on() && pair.steps < 10000000, "seed %" PRIu64 ": octets do not arrive", seed);
	for (unsigned n = 0; n < pair.connections; n++)
		for (int i = 0; i < 2; i++)
			command(i, n, &(struct tcp_event){.kind = TCP_CLOSE});
	while (!all(true))
		cr_assert(go_on() && pair.steps < 10000000, "seed %" PRIu64 ": it is not over", seed);
}

Test(tcp_port, no_port_sends_beyond_the_window_nor_skips_or_repeats_what_was_acknowledged)
{
	uint64_t first = test_seed(), sent_again = 0, skipped = 0, steps = 0;
	for (uint64_t n = 0; n < 100; n++) {
		play(first + n * 1000003);
		sent_again += pair.sent_again, skipped += pair.skipped, steps += pair.steps;
	}
	printf("%" PRIu64 " steps, %" PRIu64 " segments sent again, %" PRIu64 " clocks skipped\n", steps, sent_again,
	       skipped);
	cr_assert(sent_again > 100 && skipped > steps);
}
