// SPDX-License-Identifier: Apache-2.0
// A TCP connection of sim/tcp, rule by rule: two ends on a link whose losses are chosen, or one end and segments made
// by hand.
#include "sim/tcp/payload.h"
#include "tests/sim/tcp_link.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tcp_link *made(uint64_t seed)
{
	static struct tcp_link link;
	tcp_link_init(&link, seed);
	return &link;
}

static void established(struct tcp_link *link, uint32_t iss0, uint32_t octets0, uint32_t octets1)
{
	tcp_link_open(link, iss0, octets0, 5000, octets1);
	tcp_link_run(link, 3 * (link->delay + link->jitter));
	cr_assert_eq(link->end[0].state, TCP_ESTABLISHED);
	cr_assert_eq(link->end[1].state, TCP_ESTABLISHED);
}

Test(tcp, connection_opens_with_three_segments_and_options_of_both)
{
	struct tcp_link *link = made(1);
	link->settings[0].mss = 9000, link->settings[1].mss = 1400, link->settings[1].scale = 7,
	link->settings[1].window = 65535u << 7;
	established(link, 100, 0, 0);
	cr_assert_eq(link->end[0].mss, 1400);
	cr_assert_eq(link->end[1].mss, 1400);
	cr_assert_eq(link->end[0].snd_scale, 7);
	cr_assert_eq(link->end[1].snd_scale, 4);
	cr_assert_eq(link->end[0].snd_una, 101);
	cr_assert_eq(link->end[1].snd_wnd, 65535u << 4);
	cr_assert_eq(link->end[0].snd_wnd, 65535, "the window of a SYN is not scaled");
	tcp_link_free(link);
}

Test(tcp, without_the_option_of_one_end_no_window_is_scaled)
{
	struct tcp_link *link = made(1);
	link->settings[1].use_scale = false, link->settings[1].window = 60000;
	established(link, 100, 1000000, 1000000);
	cr_assert_eq(link->end[0].snd_scale + link->end[1].snd_scale, 0);
	cr_assert_eq(link->end[1].snd_wnd, 65535);
	tcp_link_deliver(link, 1000000);
	tcp_link_free(link);
}

static struct {
	int from;
	uint32_t nth, seen;
	uint8_t flags; // all of these
	bool octets;   // it must have octets
} chosen;

static bool loses_chosen(struct tcp_link *link, int from, const struct tcp_segment *segment)
{
	(void)link;
	if (from != chosen.from || (segment->flags & chosen.flags) != chosen.flags || !segment->octets == chosen.octets)
		return false;
	return chosen.seen++ == chosen.nth;
}

static void lose(struct tcp_link *link, int from, uint8_t flags, bool octets, uint32_t nth)
{
	chosen.from = from, chosen.flags = flags, chosen.octets = octets, chosen.nth = nth, chosen.seen = 0;
	link->loses = loses_chosen;
}

Test(tcp, stream_arrives_whole_whichever_segment_is_lost)
{
	static const uint8_t flags[] = {TCP_SYN, TCP_FIN, TCP_ACK};
	for (int from = 0; from < 2; from++)
		for (unsigned kind = 0; kind < 4; kind++)
			for (uint32_t nth = 0; nth < (kind < 2 ? 1 : 40); nth++) {
				struct tcp_link *link = made(1);
				lose(link, from, kind == 3 ? TCP_ACK : flags[kind], kind == 3, nth);
				tcp_link_open(link, 0xfffff000, 40 * 1460, 1, 3 * 1460 + 7);
				tcp_link_run(link, 10000000);
				tcp_link_close(link, 0);
				tcp_link_close(link, 1);
				tcp_link_deliver(link, 10000000);
				cr_assert(!tcp_link_run(link, 100000000));
				cr_assert_eq(link->end[0].state, TCP_CLOSED, "end 0: %u", link->end[0].state);
				cr_assert_eq(link->end[1].state, TCP_CLOSED, "end 1: %u", link->end[1].state);
				if (kind < 2)
					cr_assert_gt(chosen.seen, 1, "what is lost is sent again");
				tcp_link_free(link);
			}
}

Test(tcp, lost_segment_is_sent_again_after_three_duplicates_and_not_by_the_timer)
{
	struct tcp_link *link = made(1);
	lose(link, 0, TCP_ACK, true, 20);
	established(link, 7, 200 * 1460, 0);
	uint32_t began = link->now;
	tcp_link_deliver(link, 1000000);
	cr_assert_lt(link->now - began, 5000);
	cr_assert_lt(link->end[0].cwnd, 200 * 1460);
	cr_assert_neq(link->end[0].ssthresh, TCP_MOST);
	cr_assert(!link->end[0].recovery);
	tcp_link_free(link);
}

/* An end that is spoken to by hand: established, nothing received, its own iss 0, the peer's 1000, mss 1000. */
struct alone {
	struct tcp_settings settings;
	struct tcp_connection c;
	struct tcp_output out;
	uint32_t now;
};

static void step(struct alone *a, struct tcp_event event)
{
	tcp_step(&a->settings, &a->c, &event, a->now, true, &a->out);
}

static struct tcp_segment *hand(struct alone *a, uint32_t seq, uint32_t ack, uint8_t flags, uint16_t window,
                                uint16_t octets)
{
	step(a, (struct tcp_event){
	                .kind = TCP_SEGMENT,
	                .segment = {.seq = seq, .ack = ack, .flags = flags, .window = window, .octets = octets}});
	return &a->out.segment;
}

/* A plain acknowledgement. */
static bool answered(struct alone *a, uint32_t ack)
{
	hand(a, 1001, ack, TCP_ACK, 65535, 0);
	return a->out.sent;
}

static unsigned turns(struct alone *a)
{
	unsigned sent = 0;
	while (a->out.again) {
		step(a, (struct tcp_event){.kind = TCP_TURN});
		sent += a->out.sent;
	}
	return sent;
}

static struct alone *spoken_to(uint32_t octets, uint16_t window)
{
	static struct alone a;
	memset(&a, 0, sizeof(a));
	a.settings = tcp_link_settings();
	a.settings.mss = 1000;
	step(&a, (struct tcp_event){.kind = TCP_OPEN, .octets = octets});
	cr_assert_eq(a.out.segment.flags, TCP_SYN);
	cr_assert_eq(a.out.segment.mss, 1000);
	step(&a,
	     (struct tcp_event){
	             .kind = TCP_SEGMENT,
	             .segment = {.seq = 1000, .ack = 1, .flags = TCP_SYN | TCP_ACK, .window = window, .mss = 1460}});
	cr_assert_eq(a.c.state, TCP_ESTABLISHED);
	return &a;
}

Test(tcp, new_connection_sends_its_initial_window_and_grows_by_a_segment_per_acknowledgement)
{
	struct alone *a = spoken_to(1000000, 65535);
	cr_assert_eq(a->out.segment.octets, 1000);
	cr_assert_eq(turns(a), 3, "initial window of 4 segments, the first with the handshake");
	hand(a, 1001, 1001, TCP_ACK, 65535, 0);
	cr_assert_eq(a->c.cwnd, 5000);
	cr_assert_eq(1 + turns(a), 2);
	hand(a, 1001, 3001, TCP_ACK, 65535, 0);
	cr_assert_eq(a->c.cwnd, 6000, "by one segment for two that were acknowledged");
}

Test(tcp, congestion_avoidance_grows_by_a_segment_per_window_of_octets)
{
	struct alone *a = spoken_to(100000000, 65535);
	a->c.ssthresh = 4000;
	turns(a);
	uint32_t ack = 1;
	for (unsigned i = 0; i < 4; i++) {
		cr_assert_eq(a->c.cwnd, 4000);
		hand(a, 1001, ack += 1000, TCP_ACK, 65535, 0);
		turns(a);
	}
	cr_assert_eq(a->c.cwnd, 5000);
	cr_assert_eq(a->c.counted, 0);
}

Test(tcp, three_duplicates_halve_the_window_and_partial_acknowledgements_send_one_segment_each)
{
	struct alone *a = spoken_to(1000000, 65535);
	a->c.cwnd = 20000;
	turns(a);
	cr_assert_eq(a->c.snd_max, 20001);
	for (unsigned i = 0; i < 2; i++) {
		hand(a, 1001, 1, TCP_ACK, 65535, 0);
		cr_assert(a->out.sent && a->out.segment.seq == 20001 + i * 1000, "limited transmit, RFC 3042");
		turns(a);
	}
	hand(a, 1001, 1, TCP_ACK, 65535, 0);
	cr_assert_eq(a->out.segment.seq, 1);
	cr_assert_eq(a->c.ssthresh, 10000, "limited transmit is not counted");
	cr_assert_eq(a->c.cwnd, 13000);
	cr_assert_eq(a->c.recover, 22001);
	cr_assert_eq(turns(a), 0);
	for (unsigned i = 0; i < 9; i++)
		cr_assert(!answered(a, 1));
	hand(a, 1001, 1, TCP_ACK, 65535, 0); // cwnd is 23000 now
	cr_assert(a->out.sent && a->out.segment.seq == 22001);
	turns(a);
	hand(a, 1001, 5001, TCP_ACK, 65535, 0);
	cr_assert(a->out.sent && a->out.segment.seq == 5001, "a partial acknowledgement");
	cr_assert_eq(a->c.cwnd, 23000 - 5000 + 1000);
	cr_assert(a->c.recovery);
	turns(a);
	hand(a, 1001, 22001, TCP_ACK, 65535, 0);
	cr_assert(!a->c.recovery);
	cr_assert_leq(a->c.cwnd, 10000);
	turns(a);
	uint32_t recover = a->c.recover;
	cr_assert_eq(recover, 22001);
}

Test(tcp, duplicates_of_what_a_timeout_sent_again_start_no_recovery)
{
	struct alone *a = spoken_to(1000000, 65535);
	a->c.cwnd = 8000;
	turns(a);
	a->now = a->c.timer_at;
	step(a, (struct tcp_event){.kind = TCP_TICK});
	cr_assert(a->out.sent && a->out.segment.seq == 1);
	cr_assert_eq(a->c.cwnd, 1000);
	cr_assert_eq(a->c.ssthresh, 4000);
	turns(a);
	for (unsigned i = 0; i < 5; i++)
		cr_assert(!answered(a, 1));
	cr_assert(!a->c.recovery);
	cr_assert_eq(a->c.cwnd, 1000);
}

Test(tcp, timer_backs_off_to_its_maximum_and_a_measured_round_trip_sets_it_again)
{
	struct alone *a = spoken_to(1000000, 65535);
	cr_assert_eq(a->c.rto, a->settings.rto_min, "the handshake took no tick");
	a->c.cwnd = 20000;
	turns(a);
	uint32_t expected = a->settings.rto_min;
	for (unsigned i = 0; i < 20; i++) {
		cr_assert_eq(a->c.timer_at - a->now, expected);
		a->now = a->c.timer_at - 1;
		step(a, (struct tcp_event){.kind = TCP_TICK});
		cr_assert(!a->out.sent);
		a->now++;
		step(a, (struct tcp_event){.kind = TCP_TICK});
		cr_assert(a->out.sent && a->out.segment.seq == 1);
		turns(a);
		expected = expected * 2 < a->settings.rto_max ? expected * 2 : a->settings.rto_max;
	}
	cr_assert_eq(a->c.ssthresh, 10000, "set by the first, not by those that follow");
	hand(a, 1001, 1001, TCP_ACK, 65535, 0);
	cr_assert_eq(a->c.rto, expected, "what was sent again is not measured");
	turns(a);
	hand(a, 1001, 20001, TCP_ACK, 65535, 0); // all that was sent before the timeouts
	turns(a);
	a->now += 8000;
	hand(a, 1001, a->c.snd_max, TCP_ACK, 65535, 0);
	cr_assert_eq(a->c.rto, 1000 + 8000, "SRTT 1000, RTTVAR 2000 after 0, then 8000");
}

Test(tcp, round_trip_estimate_is_that_of_rfc_6298_within_its_rounding)
{
	struct alone *a = spoken_to(0x3fffffff, 65535);
	double srtt = 0, rttvar = 0;
	uint64_t random = 5;
	bool first = true;
	a->c.measured = false;
	for (unsigned i = 0; i < 500; i++) {
		turns(a);
		a->now = a->c.timed_at + 50 + (uint32_t)(splitmix64(&random) % 900);
		double r = a->now - a->c.timed_at;
		rttvar = first ? r / 2 : 0.75 * rttvar + 0.25 * (srtt > r ? srtt - r : r - srtt);
		srtt = first ? r : 0.875 * srtt + 0.125 * r;
		first = false;
		a->settings.rto_min = 1;
		hand(a, 1001, a->c.snd_max, TCP_ACK, 65535, 0);
		double rto = srtt + 4 * rttvar, off = rto > a->c.rto ? rto - a->c.rto : a->c.rto - rto;
		cr_assert_lt(off, 12, "RTO %u instead of %f", a->c.rto, rto);
	}
}

Test(tcp, closed_window_is_probed_with_one_octet_at_growing_intervals)
{
	struct alone *a = spoken_to(10000, 4000);
	turns(a);
	hand(a, 1001, 4001, TCP_ACK, 0, 0);
	cr_assert(!a->out.sent && a->c.persist);
	uint32_t interval = a->c.timer_at - a->now;
	for (unsigned i = 0; i < 6; i++) {
		a->now = a->c.timer_at;
		step(a, (struct tcp_event){.kind = TCP_TICK});
		cr_assert(a->out.sent && a->out.segment.seq == 4001 && a->out.segment.octets == 1);
		cr_assert_eq(turns(a), 0);
		interval *= 2;
		cr_assert_eq(a->c.timer_at - a->now, interval);
		hand(a, 1001, 4001, TCP_ACK, 0, 0);
		cr_assert(!a->out.sent);
	}
	uint32_t cwnd = a->c.cwnd;
	hand(a, 1001, 4001, TCP_ACK, 3000, 0);
	cr_assert(a->out.sent && a->out.segment.seq == 4001 && a->out.segment.octets == 1000);
	cr_assert_eq(turns(a), 2);
	cr_assert_eq(a->c.cwnd, cwnd);
	cr_assert_eq(a->c.rto, a->settings.rto_min);
}

Test(tcp, small_window_is_not_filled_until_half_of_the_largest_or_the_timer)
{
	struct alone *a = spoken_to(10000, 4000);
	turns(a);
	hand(a, 1001, 4001, TCP_ACK, 300, 0);
	cr_assert(!a->out.sent, "300 of 4000 octets: a silly window");
	a->now = a->c.timer_at;
	step(a, (struct tcp_event){.kind = TCP_TICK});
	cr_assert(a->out.sent && a->out.segment.octets == 300);
	cr_assert(!a->c.persist, "from here on the timer is that of what is on its way");
	cr_assert_eq(turns(a), 0);
	hand(a, 1001, 4301, TCP_ACK, 1000, 0);
	cr_assert(a->out.sent && a->out.segment.octets == 1000);
}

Test(tcp, octets_out_of_order_are_kept_in_four_ranges_and_acknowledged_at_once)
{
	struct alone *a = spoken_to(0, 65535);
	for (unsigned i = 0; i < 4; i++) {
		cr_assert_eq(hand(a, 2001 + i * 2000, 1, TCP_ACK, 65535, 1000)->ack, 1001);
		cr_assert(a->out.sent);
	}
	hand(a, 21001, 1, TCP_ACK, 65535, 500); // no range is left: dropped
	hand(a, 2501, 1, TCP_ACK, 65535, 1700); // joins the first two
	hand(a, 21001, 1, TCP_ACK, 65535, 500);
	cr_assert_eq(hand(a, 1001, 1, TCP_ACK, 65535, 1000)->ack, 5001);
	cr_assert_eq(hand(a, 3001, 1, TCP_ACK, 65535, 9000)->ack, 12001);
	cr_assert_eq(hand(a, 12001, 1, TCP_ACK, 65535, 9000)->ack, 21501);
	cr_assert_eq(a->c.delivered, 20500);
	cr_assert_eq(hand(a, 3001, 1, TCP_ACK, 65535, 9000)->ack, 21501, "octets again are acknowledged at once");
	cr_assert_eq(a->c.delivered, 20500);
}

Test(tcp, acknowledgement_waits_for_a_second_segment_or_the_delay)
{
	struct alone *a = spoken_to(0, 65535);
	hand(a, 1001, 1, TCP_ACK, 65535, 1000);
	cr_assert(!a->out.sent);
	cr_assert_eq(hand(a, 2001, 1, TCP_ACK, 65535, 1000)->ack, 3001);
	hand(a, 3001, 1, TCP_ACK, 65535, 1000);
	a->now += 199;
	step(a, (struct tcp_event){.kind = TCP_TICK});
	cr_assert(!a->out.sent);
	a->now++;
	step(a, (struct tcp_event){.kind = TCP_TICK});
	cr_assert(a->out.sent && a->out.segment.ack == 4001);
	a->settings.ack_every = 1;
	cr_assert_eq(hand(a, 4001, 1, TCP_ACK, 65535, 1000)->ack, 5001);
}

Test(tcp, segments_outside_of_the_window_change_nothing_and_are_answered)
{
	struct alone *a = spoken_to(0, 65535);
	struct tcp_connection was = a->c;
	hand(a, 1000, 1, TCP_ACK, 65535, 1);
	cr_assert(a->out.sent && a->out.segment.ack == 1001);
	hand(a, 1001 + 65535, 1, TCP_ACK, 65535, 1);
	cr_assert(a->out.sent);
	hand(a, 1001 + 65535, 1, TCP_RST, 65535, 0);
	cr_assert(!a->out.sent);
	hand(a, 1001, 2, TCP_ACK, 65535, 100); // acknowledges what was never sent
	cr_assert(a->out.sent && a->out.segment.ack == 1001);
	hand(a, 1002, 1, TCP_RST, 65535, 0);
	cr_assert(a->out.sent && a->c.state == TCP_ESTABLISHED, "RFC 5961 section 3.2");
	hand(a, 1001, 1, TCP_SYN, 65535, 0);
	cr_assert(a->out.sent && a->c.state == TCP_ESTABLISHED, "RFC 5961 section 4.2");
	cr_assert_eq(memcmp(&was, &a->c, sizeof(was)), 0);
	hand(a, 1001, 1, TCP_RST, 65535, 0);
	cr_assert(!a->out.sent && a->c.state == TCP_CLOSED);
	hand(a, 1001, 77, TCP_ACK, 65535, 5);
	cr_assert(a->out.segment.flags == TCP_RST && a->out.segment.seq == 77);
	hand(a, 1001, 0, TCP_SYN, 65535, 5);
	cr_assert(a->out.segment.flags == (TCP_RST | TCP_ACK) && a->out.segment.ack == 1007);
}

Test(tcp, connection_closes_in_every_order)
{
	for (unsigned order = 0; order < 300; order++) {
		struct tcp_link *link = made(order + 1);
		link->jitter = order % 3 ? order % 23 : 0;
		established(link, 100 * order, order % 7 * 1000, order % 5 * 700);
		tcp_link_close(link, order % 2);
		tcp_link_run(link, order / 6);
		tcp_link_close(link, !(order % 2));
		tcp_link_deliver(link, 1000000);
		cr_assert(!tcp_link_run(link, 10000000));
		for (int i = 0; i < 2; i++) {
			cr_assert_eq(link->end[i].state, TCP_CLOSED, "order %u, end %d: %u", order, i,
			             link->end[i].state);
			cr_assert_eq(link->end[i].snd_una, link->end[i].snd_end + 1, "its FIN was acknowledged");
		}
		tcp_link_free(link);
	}
}

Test(tcp, both_ends_can_open_at_once)
{
	struct tcp_link *link = made(1);
	tcp_link_open(link, 77, 3000, 5000, 4000);
	link->underway = 0;
	link->again[0] = link->again[1] = false;
	for (int i = 0; i < 2; i++) { // both anew, both actively
		struct tcp_event open = {.kind = TCP_OPEN, .iss = i ? 5000 : 77, .octets = i ? 4000 : 3000};
		struct tcp_output out;
		tcp_step(&link->settings[i], &link->end[i], &open, link->now, true, &out);
		cr_assert(out.sent && out.segment.flags == TCP_SYN);
		link->segment[link->underway].at = link->now + 10;
		link->segment[link->underway].to = !i;
		link->segment[link->underway++].segment = out.segment;
	}
	tcp_link_deliver(link, 5000000);
	tcp_link_free(link);
}

Test(tcp, timeouts_without_end_give_up_if_the_settings_say_so)
{
	struct alone *a = spoken_to(1000000, 65535);
	a->settings.retries = 5;
	turns(a);
	for (unsigned i = 0; i < 6; i++) {
		cr_assert_neq(a->c.state, TCP_CLOSED);
		a->now = a->c.timer_at;
		step(a, (struct tcp_event){.kind = TCP_TICK});
		turns(a);
	}
	cr_assert_eq(a->c.state, TCP_CLOSED);
	cr_assert(!a->c.timer_on);
}

Test(tcp, endless_stream_ends_where_it_is_when_it_is_closed)
{
	struct alone *a = spoken_to(0, 65535);
	step(a, (struct tcp_event){.kind = TCP_OPEN, .endless = true});
	step(a, (struct tcp_event){
	                .kind = TCP_SEGMENT,
	                .segment = {.seq = 1000, .ack = 1, .flags = TCP_SYN | TCP_ACK, .window = 60000, .mss = 1000}});
	uint32_t ack = 1;
	for (unsigned i = 0; i < 1000; i++) {
		turns(a);
		cr_assert_geq(a->c.snd_max - ack, 4000);
		hand(a, 1001, ack += 1000, TCP_ACK, 64000, 0);
	}
	turns(a);
	step(a, (struct tcp_event){.kind = TCP_CLOSE});
	uint32_t end = a->c.snd_end;
	cr_assert_eq(end, a->c.snd_max);
	hand(a, 1001, end, TCP_ACK, 65535, 0);
	cr_assert(a->out.segment.flags & TCP_FIN && a->out.segment.seq == end && !a->out.segment.octets);
	cr_assert_eq(a->c.state, TCP_FIN_WAIT_1);
}

Test(tcp, sum_of_a_payload_is_that_of_its_octets)
{
	uint64_t random = 3;
	for (unsigned i = 0; i < 20000; i++) {
		uint32_t seq = (uint32_t)splitmix64(&random),
		         octets = (uint32_t)(splitmix64(&random) % (i % 2 ? 9001 : 20)), sum = 0;
		/* Octet by octet, written anew as it judges a closed form. */
		for (uint32_t k = 0; k < octets; k++) {
			sum += k % 2 ? tcp_payload_octet(seq + k) : (uint32_t)tcp_payload_octet(seq + k) << 8;
			sum = (sum & 0xffff) + (sum >> 16);
		}
		uint32_t got = tcp_payload_sum(seq, octets);
		cr_assert_eq(got % 65535, sum % 65535, "seq %u, %u octets: %04x instead of %04x", seq, octets, got,
		             sum);
	}
}
