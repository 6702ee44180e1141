// SPDX-License-Identifier: Apache-2.0
// Incast as Vasudevan et al. saw it ("Safe and Effective Fine-grained TCP Retransmissions for Datacenter
// Communication", SIGCOMM 2009): a client asks N servers for a block, the answers meet in a small buffer, and the
// client asks for the next block when it has all of this one. With a minimum timer of 200 ms a lost tail stops all of
// them; with 1 ms it does not.
#include "sim/tcp/tcp.h"
#include "tests/sim/tcp_link.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SENDERS = 48, FLIGHT = 65536, HEADERS = 78 }; // HEADERS: TCP to Ethernet, preamble and gap

struct flight {
	uint32_t at;
	int to; // port; below 0: the client's end -1 - to
	struct tcp_segment segment;
};

/* Ticks of 100 ns; 1 Gbit/s: 12.5 octets a tick. */
struct incast {
	struct tcp_settings settings;
	struct tcp_connection server[MOST_SENDERS], client[MOST_SENDERS];
	unsigned senders;
	bool again[2 * MOST_SENDERS];
	uint32_t now, free_at; // when the port of the client has sent what it holds
	uint32_t buffer_octets;
	uint64_t lost, timeouts;
	uint32_t first, last;
	struct flight flight[FLIGHT];
};

static struct incast incast;

static bool before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static void fly(int to, uint32_t at, const struct tcp_segment *segment)
{
	cr_assert_lt(incast.last - incast.first, FLIGHT);
	incast.flight[incast.last++ % FLIGHT] = (struct flight){at, to, *segment};
}

/* The switch's port to the client: a fifo of so many octets; those that do not fit are lost. Acknowledgements meet no
 * queue. */
static void transmit(unsigned from, bool is_server, const struct tcp_segment *segment)
{
	enum { DELAY = 250 }; // a round trip of 50 us
	if (!is_server) {
		fly((int)from, incast.now + 2 * DELAY, segment);
		return;
	}
	uint32_t wire = segment->octets + (uint32_t)HEADERS;
	uint32_t busy = before(incast.now, incast.free_at) ? incast.free_at - incast.now : 0;
	if (busy * 25 / 2 + wire > incast.buffer_octets) {
		incast.lost++;
		return;
	}
	incast.free_at = incast.now + busy + (wire * 2 + 24) / 25;
	fly(-1 - (int)from, incast.free_at, segment);
}

static void play(unsigned which, bool is_server, const struct tcp_event *event)
{
	struct tcp_connection *c = is_server ? &incast.server[which] : &incast.client[which];
	bool had_timed_out = c->timed_out;
	struct tcp_output out;
	tcp_step(&incast.settings, c, event, incast.now, true, &out);
	incast.timeouts += c->timed_out && !had_timed_out;
	incast.again[2 * which + is_server] = out.again;
	if (out.sent)
		transmit(which, is_server, &out.segment);
}

/* Two kinds of flights are each in order of time; the earliest is taken. */
static struct flight *earliest(void)
{
	struct flight *best = NULL;
	for (uint32_t i = incast.first; i != incast.last; i++) {
		struct flight *flight = &incast.flight[i % FLIGHT];
		if (!best || before(flight->at, best->at))
			best = flight;
	}
	return best;
}

static void land(struct flight *flight)
{
	struct tcp_event event = {.kind = TCP_SEGMENT, .segment = flight->segment};
	int to = flight->to;
	*flight = incast.flight[incast.first++ % FLIGHT];
	if (to < 0)
		play((unsigned)(-1 - to), false, &event);
	else
		play((unsigned)to, true, &event);
}

static void earlier(bool on, uint32_t at, uint32_t *next)
{
	if (on && before(at, *next))
		*next = at;
}

static void turn_all(void)
{
	for (bool some = true; some;) {
		some = false;
		for (unsigned i = 0; i < 2 * incast.senders; i++)
			if (incast.again[i]) {
				play(i / 2, i % 2, &(struct tcp_event){.kind = TCP_TURN});
				some = true;
			}
	}
}

static void tick_all(void)
{
	for (unsigned i = 0; i < incast.senders; i++) {
		play(i, false, &(struct tcp_event){.kind = TCP_TICK});
		play(i, true, &(struct tcp_event){.kind = TCP_TICK});
	}
}

static void next_event(void)
{
	turn_all();
	struct flight *flight = earliest();
	uint32_t next = flight ? flight->at : incast.now + 20000000; // 2 s: some timer is earlier
	for (unsigned i = 0; i < incast.senders; i++)
		for (int k = 0; k < 2; k++) {
			const struct tcp_connection *c = k ? &incast.server[i] : &incast.client[i];
			earlier(c->timer_on, c->timer_at, &next);
			earlier(c->ack_on, c->ack_at, &next);
		}
	incast.now = before(next, incast.now) ? incast.now : next;
	if (flight && !before(incast.now, flight->at))
		land(flight);
	else
		tick_all();
}

static bool all_have(uint64_t octets)
{
	for (unsigned i = 0; i < incast.senders; i++)
		if (incast.client[i].delivered < octets)
			return false;
	return true;
}

/* More octets for every server, which is what a further write of the user is. */
static void ask(uint32_t octets)
{
	for (unsigned i = 0; i < incast.senders; i++) {
		incast.server[i].snd_end += octets;
		play(i, true, &(struct tcp_event){.kind = TCP_TURN});
	}
}

/* Goodput in Mbit/s of `blocks` blocks of 1 MiB, striped over all servers. */
static double goodput(unsigned senders, uint32_t rto_min_ticks, unsigned blocks)
{
	memset(&incast, 0, sizeof(incast));
	incast.settings = tcp_link_settings();
	incast.settings.rto_min = rto_min_ticks;
	incast.settings.rto_initial = 10000000;
	incast.settings.ack_delay = 4000;
	incast.senders = senders;
	incast.buffer_octets = 32768;
	for (unsigned i = 0; i < senders; i++) {
		play(i, true, &(struct tcp_event){.kind = TCP_OPEN, .passive = true, .iss = 1000 * i});
		play(i, false, &(struct tcp_event){.kind = TCP_OPEN, .iss = 77 * i});
	}
	while (incast.first != incast.last)
		next_event();
	for (unsigned i = 0; i < senders; i++)
		cr_assert_eq(incast.server[i].state, TCP_ESTABLISHED);
	uint32_t began = incast.now, each = (1u << 20) / senders;
	for (uint64_t block = 1; block <= blocks; block++) {
		ask(each);
		while (!all_have(block * each))
			next_event();
	}
	return 8.0 * each * senders * blocks * 10 / (incast.now - began);
}

Test(tcp_incast, goodput_collapses_with_a_minimum_of_200_ms_and_not_with_1_ms)
{
	static const unsigned senders[] = {8, 16, 32, 47};
	for (unsigned i = 0; i < sizeof(senders) / sizeof(senders[0]); i++) {
		double slow = goodput(senders[i], 2000000, 10);
		cr_assert_gt(incast.timeouts, 0);
		double fast = goodput(senders[i], 10000, 10);
		cr_assert_gt(incast.lost, 0, "there is incast in both");
		printf("%u servers: 200 ms %.0f Mbit/s, 1 ms %.0f Mbit/s\n", senders[i], slow, fast);
		cr_assert_lt(slow, 100, "%u servers: %f Mbit/s at 200 ms", senders[i], slow);
		cr_assert_gt(fast, 400, "%u servers: %f Mbit/s at 1 ms", senders[i], fast);
	}
}
