// SPDX-License-Identifier: Apache-2.0
/* Ports joined to TAPs, with a socket in the place of each TAP and a clock that the test sets: which frame is where at
 * what time, and what is a disturbance. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/tap/tap_line.h"
#include "tests/seed.h"
#include "tests/sim/fcs.h"

enum { PORTS = 2, FCS = 4, QUEUE_FRAMES = 1000, MAX_SEEN = 1024 };

static const uint64_t LINK_BPS = 9999872; /* 19531 words of 512 bits a second */
static const int64_t ORIGIN_NS = 7000000123;

static struct tap_line line;
static int linux_end[PORTS];

/* Frames that enter a port, and when they start. */
struct seen {
	uint8_t room[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
	uint8_t octets[MAX_SEEN][1600];
	struct line_frame frame[MAX_SEEN];
	size_t count;
};
static struct seen seen[PORTS];
static struct line_decoder watcher[PORTS];

/* Frames that leave the tester. */
static struct frame_store sent[PORTS];
static struct line_encoder sender[PORTS];

static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

static uint8_t *begin(void *context)
{
	return ((struct seen *)context)->room;
}

static void end(void *context, const struct line_frame *frame)
{
	struct seen *here = context;

	cr_assert(here->count < MAX_SEEN && frame->length <= sizeof(here->octets[0]));
	memcpy(here->octets[here->count], frame->octets, frame->length);
	here->frame[here->count++] = *frame;
}

static void open_line(void)
{
	const struct real_time time = {.link_bps = LINK_BPS, .origin_ns = ORIGIN_NS};
	int fds[PORTS];

	for (unsigned i = 0; i < PORTS; i++) {
		const struct line_sink sink = {begin, end, &seen[i]};
		int pair[2];

		cr_assert_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair), 0);
		fds[i] = pair[0];
		linux_end[i] = pair[1];
		seen[i].count = 0;
		line_decoder_init(&watcher[i], &sink);
		cr_assert_eq(frame_store_init(&sent[i]), 0);
		line_encoder_init(&sender[i], &sent[i]);
	}
	cr_assert_eq(tap_line_init(&line, fds, PORTS, &time, QUEUE_FRAMES), 0);
}

static void close_line(void)
{
	tap_line_release(&line);
	for (unsigned i = 0; i < PORTS; i++) {
		close(linux_end[i]);
		frame_store_release(&sent[i]);
	}
}

TestSuite(tap, .init = open_line, .fini = close_line);

/* -- helpers ------------------------------------------------------------------------------------------------------- */

static uint64_t word_number;

/* Passes the words up to this one, while the clock stands still. */
static void pass(uint64_t until_word)
{
	struct line_word word;

	for (; word_number < until_word; word_number++)
		for (unsigned i = 0; i < PORTS; i++) {
			if (line_encode(&sender[i], word_number, &word))
				tap_line_put(&line, i, word_number, &word);
			else
				tap_line_put_idle(&line, i, word_number);
			if (tap_line_take(&line, i, word_number, &word))
				line_decode(&watcher[i], word_number, &word);
			else if (!line_decoder_idle(&watcher[i]))
				line_decode(&watcher[i], word_number, &LINE_IDLE_WORD);
		}
}

/* The clock moves on, and the simulation with it. */
static void run_to_ns(int64_t ns)
{
	tap_line_now(&line, ORIGIN_NS + ns);
	pass(tap_line_due(&line));
}

/* A frame with the FCS of its octets, which are `fill` on and on, leaves the tester. */
static void send_frame(unsigned port, uint32_t length, uint8_t fill, uint64_t start_ot)
{
	uint8_t *octets = frame_store_reserve(&sent[port]);
	uint32_t fcs;

	memset(octets, fill, length);
	fcs = fcs_of(octets, length - FCS);
	for (unsigned i = 0; i < FCS; i++)
		octets[length - FCS + i] = (uint8_t)(fcs >> (8 * i));
	cr_assert_eq(frame_store_put(&sent[port], length, start_ot), 0);
}

/* The same with its last octet inverted. */
static void send_bad_frame(unsigned port, uint32_t length, uint64_t start_ot)
{
	uint64_t id;

	memset(frame_store_reserve(&sent[port]), 0x5a, length);
	cr_assert_eq(frame_store_keep(&sent[port], length, &id), 0);
	cr_assert_eq(frame_store_send(&sent[port], &sent[port], id, start_ot, true), 0);
}

/* Returns how many octets the next frame has that Linux got; -1: none. */
static ssize_t linux_got(unsigned port, uint8_t octets[1600])
{
	return recv(linux_end[port], octets, 1600, MSG_DONTWAIT);
}

static void linux_sends(unsigned port, uint32_t length, uint8_t fill)
{
	uint8_t octets[1600];

	memset(octets, fill, length);
	cr_assert_eq(send(linux_end[port], octets, length, 0), (ssize_t)length);
}

static bool is_disturbed(const char *says)
{
	char text[200] = "";
	const bool disturbed = tap_line_disturbance(&line, text, sizeof(text));

	cr_expect(!disturbed || strstr(text, says), "\"%s\" does not say \"%s\"", text, says);
	return disturbed;
}

/* -- time ---------------------------------------------------------------------------------------------------------- */

Test(real_time, an_octet_time_of_a_link_of_1_gbit_is_8_ns)
{
	const struct real_time time = {.link_bps = 1000000000, .origin_ns = 1000, .origin_ot = 50};

	cr_expect_eq(real_time_ot(&time, 1000), 50);
	cr_expect_eq(real_time_ot(&time, 1007), 50);
	cr_expect_eq(real_time_ot(&time, 1008), 51);
	cr_expect_eq(real_time_ns(&time, 51), 1008);
	cr_expect_eq(real_time_span_ot(&time, 15), 1);
	cr_expect_eq(real_time_span_ns(&time, 3), 24);
}

/* 9999872 = 512 x 19531: in 512 s exactly 9999872 x 64 octets pass; a word takes 51200.655... ns. */
Test(real_time, a_rate_that_does_not_divide_a_second_does_not_drift)
{
	const struct real_time time = {.link_bps = LINK_BPS};

	cr_expect_eq(real_time_ot(&time, INT64_C(512000000000)), LINK_BPS * 64);
	cr_expect_eq(real_time_ns(&time, 64), 51201);
	cr_expect_eq(real_time_ot(&time, 51200), 63);
	cr_expect_eq(real_time_ns(&time, LINK_BPS * 64 * 100000), INT64_C(51200000000000000));
}

Test(real_time, the_first_nanosecond_of_an_octet_time_is_the_first_one)
{
	const uint64_t seed = test_seed() | 1;
	uint64_t state = seed;

	for (unsigned i = 0; i < 100000; i++) {
		const struct real_time at = {.link_bps = 10000000 + draw(&state, 990000001),
		                             .origin_ns = (int64_t)draw(&state, INT64_C(1) << 50),
		                             .origin_ot = draw(&state, UINT64_C(1) << 40)};
		const uint64_t ot = at.origin_ot + 1 + draw(&state, UINT64_C(1) << draw(&state, 45));
		const int64_t ns = real_time_ns(&at, ot);

		cr_assert(real_time_ot(&at, ns) >= ot && real_time_ot(&at, ns - 1) < ot, "seed %llu: octet time %llu",
		          (unsigned long long)seed, (unsigned long long)ot);
	}
}

/* 500 frames of 64 octets are 42000 octet times of 0.8 us (a little more at this rate). */
Test(tap, half_a_queue_of_the_shortest_frames_may_be_late_and_never_more_than_100_ms)
{
	cr_expect_eq(tap_line_most_late_ns(&line.time, 1000), 33600430);
	cr_expect_eq(tap_line_most_late_ns(&line.time, 1001), 33600430);
	cr_expect_eq(tap_line_most_late_ns(&line.time, 0), 0);
	cr_expect_eq(tap_line_most_late_ns(&line.time, 100000), 100000000);
}

/* -- frames -------------------------------------------------------------------------------------------------------- */

/* 8 + 64 octets from octet time 64 on end at 136, in word 2, which is over at 192 x 800.01024 ns. */
Test(tap, a_frame_is_written_without_its_fcs_when_its_last_word_is_over_and_not_before)
{
	uint8_t octets[1600];

	send_frame(0, 64, 0xa5, 64);
	run_to_ns(153601);
	cr_expect_eq(linux_got(0, octets), -1);
	run_to_ns(153602);
	cr_assert_eq(linux_got(0, octets), 60);
	for (unsigned i = 0; i < 60; i++)
		cr_expect_eq(octets[i], 0xa5);
	cr_expect_eq(linux_got(0, octets), -1);
	cr_expect_eq(linux_got(1, octets), -1);
	cr_expect_not(is_disturbed(""));
}

/* A frame of 54 octets is the shortest that the core sends. */
Test(tap, a_frame_that_is_too_short_for_a_mac_is_written_all_the_same)
{
	uint8_t octets[1600];

	send_frame(1, 54, 7, 64);
	send_frame(1, 63, 1, 256);
	send_frame(1, 1518, 2, 512);
	run_to_ns(3000000);
	cr_assert_eq(linux_got(1, octets), 50);
	for (unsigned i = 0; i < 50; i++)
		cr_expect_eq(octets[i], 7);
	cr_expect_eq(linux_got(1, octets), 59);
	cr_expect_eq(linux_got(1, octets), 1514);
	cr_expect_eq(linux_got(1, octets), -1);
	cr_expect_not(is_disturbed(""));
}

/* Linux would take it for a right one; not to give it is no verdict on Linux either. */
Test(tap, a_frame_with_a_wrong_fcs_is_not_written_and_a_disturbance)
{
	uint8_t octets[1600];

	send_frame(1, 100, 1, 64);
	send_bad_frame(1, 100, 256);
	send_frame(1, 101, 2, 512);
	run_to_ns(3000000);
	cr_expect_eq(linux_got(1, octets), 96);
	cr_expect_eq(linux_got(1, octets), 97);
	cr_expect_eq(linux_got(1, octets), -1);
	cr_expect(is_disturbed("port 1: a frame with a wrong FCS cannot be given to Linux: a TAP carries no FCS"));
	cr_expect_not(is_disturbed(""));
}

Test(tap, so_is_a_frame_that_is_broken_or_no_frame_of_ethernet)
{
	struct line_word word;
	uint8_t octets[1600];

	send_frame(1, 200, 1, 64); /* words 1 to 4, but the line falls idle in mid-frame */
	tap_line_now(&line, ORIGIN_NS + 1000000);
	pass(3);
	cr_assert(line_encode(&sender[1], 3, &word));
	tap_line_put_idle(&line, 1, word_number++);
	cr_assert(line_encode(&sender[1], 4, &word));
	pass(tap_line_due(&line));
	cr_expect(is_disturbed(
	        "port 1: a frame that is broken cannot be given to Linux: a TAP carries whole frames only"));
	send_frame(1, 17, 3, 1408); /* 13 octets and an FCS: not even a header */
	run_to_ns(3000000);
	cr_expect(is_disturbed("port 1: a frame that is broken cannot be given to Linux"));
	cr_expect_eq(linux_got(1, octets), -1);
	cr_expect_not(is_disturbed(""));
}

/* 1 ms is octet time 1249 (1249.98); a frame starts at the next multiple of 8, 1256. */
Test(tap, a_frame_of_linux_starts_at_the_time_it_is_now_padded_and_with_an_fcs)
{
	const uint8_t *octets = seen[1].octets[0];
	uint32_t fcs;

	linux_sends(1, 42, 0x3c);
	run_to_ns(1000000);
	run_to_ns(1200000);
	cr_assert_eq(seen[1].count, 1);
	cr_expect_eq(seen[1].frame[0].start_ot, 1256);
	cr_assert_eq(seen[1].frame[0].length, 64);
	for (unsigned i = 0; i < 60; i++)
		cr_expect_eq(octets[i], i < 42 ? 0x3c : 0, "octet %u", i);
	fcs = fcs_of(octets, 60);
	for (unsigned i = 0; i < FCS; i++)
		cr_expect_eq(octets[60 + i], (uint8_t)(fcs >> (8 * i)));
	cr_expect_eq(seen[0].count, 0);
}

/* The frames start from 1256 on: 84 octet times each, rounded down to a multiple of 8. */
Test(tap, frames_of_linux_wait_until_their_line_is_free)
{
	const uint64_t starts[] = {1256, 1336, 1424, 1504};

	for (unsigned i = 0; i < 4; i++)
		linux_sends(0, 60, (uint8_t)i);
	run_to_ns(1000000);
	run_to_ns(2000000);
	cr_assert_eq(seen[0].count, 4);
	for (unsigned i = 0; i < 4; i++) {
		cr_expect_eq(seen[0].frame[i].start_ot, starts[i]);
		cr_expect_eq(seen[0].octets[i][20], i);
	}
}

/* 41999 octet times in advance at 10 Mb/s; a frame of 1514 octets takes 1538, so 28 of them are taken: the last begins
 * within that time. The rest stays where a bridge's queue is. */
Test(tap, no_more_is_taken_from_linux_than_the_line_has_time_for)
{
	unsigned sent_frames = 0;
	uint8_t octets[1514] = {0};

	for (unsigned look = 0; look < 8; look++) { /* a socket holds fewer than that at a time */
		while (send(linux_end[0], octets, sizeof(octets), 0) > 0)
			sent_frames++;
		tap_line_now(&line, ORIGIN_NS + 100000 + look * 20000);
	}
	cr_assert(sent_frames > 40, "%u", sent_frames);
	run_to_ns(60000000);
	cr_expect_eq(seen[0].count, 28);
}

/* -- disturbances -------------------------------------------------------------------------------------------------- */

/* The frame ends at octet time 136, 108802 ns; 33600430 ns later is the last time at which it is no disturbance. */
Test(tap, a_frame_that_leaves_too_late_is_a_disturbance_once)
{
	send_frame(0, 64, 1, 64);
	run_to_ns(108802 + 33600430);
	cr_expect_not(is_disturbed(""));
	close_line();
	word_number = 0;
	open_line();
	send_frame(0, 64, 1, 64);
	run_to_ns(108802 + 33600431);
	cr_expect(is_disturbed("port 0: the simulation fell behind real time by 33.600 ms"));
	cr_expect_not(is_disturbed(""));
}

Test(tap, a_frame_that_may_have_waited_too_long_is_a_disturbance)
{
	run_to_ns(1000000);
	run_to_ns(51000000);
	cr_expect_not(is_disturbed(""), "nobody waited");
	linux_sends(1, 60, 1);
	run_to_ns(101000000);
	cr_expect(is_disturbed("port 1: the simulation fell behind real time by 50.000 ms"));
}

Test(tap, a_frame_that_linux_does_not_take_is_a_disturbance)
{
	for (unsigned i = 0; i < 300; i++) /* more than a socket holds */
		send_frame(0, 64, (uint8_t)i, 64 + i * 88);
	run_to_ns(25000000);
	cr_expect(is_disturbed("port 0: Linux did not take a frame: Resource temporarily unavailable"));
	cr_expect_not(is_disturbed(""));
}

Test(tap, an_interface_that_is_gone_is_the_end)
{
	close(linux_end[1]);
	linux_end[1] = dup(linux_end[0]);
	send_frame(1, 64, 1, 64);
	run_to_ns(1000000);
	cr_expect(is_disturbed("port 1: Linux did not take a frame: "));
}

/* -- all of it ----------------------------------------------------------------------------------------------------- */

struct expected {
	uint64_t not_before_ot;
	uint32_t length;
	uint8_t fill;
};

/* Every frame of Linux enters once, in order, not before it was there, and on a legal line: on average 12 octets apart,
 * to within the 7 of the alignment. */
static void check_entered(const struct expected *expected, size_t count, unsigned port, uint64_t seed)
{
	uint64_t free_ot = 0;

	cr_assert_eq(seen[port].count, count, "seed %llu", (unsigned long long)seed);
	for (size_t i = 0; i < count; i++) {
		const struct line_frame *frame = &seen[port].frame[i];

		cr_assert_eq(frame->length, expected[i].length < 60 ? 64 : expected[i].length + FCS);
		cr_assert_eq(seen[port].octets[i][0], expected[i].fill, "seed %llu", (unsigned long long)seed);
		cr_assert(frame->start_ot % 8 == 0 && frame->start_ot + 7 >= free_ot &&
		                  frame->start_ot >= expected[i].not_before_ot,
		          "seed %llu frame %zu", (unsigned long long)seed, i);
		free_ot = (frame->start_ot > free_ot ? frame->start_ot : free_ot) + frame->length + 20;
	}
}

Test(tap, frames_at_random_times_enter_once_in_order_and_no_sooner_than_they_came)
{
	static struct expected expected[MAX_SEEN];
	const uint64_t seed = test_seed() | 1;
	uint64_t state = seed;
	size_t count = 0;
	int64_t now_ns = 0;

	while (count < 500) {
		now_ns += 20000 + (int64_t)draw(&state, UINT64_C(1) << draw(&state, 22));
		for (uint64_t burst = draw(&state, 4); burst > 0; burst--) {
			struct expected *one = &expected[count++];

			*one = (struct expected){real_time_ot(&line.time, ORIGIN_NS + now_ns),
			                         (uint32_t)(14 + draw(&state, 1501)), (uint8_t)draw(&state, 256)};
			linux_sends(1, one->length, one->fill);
		}
		run_to_ns(now_ns);
		while (!tap_port_has_room(&line.port[1], real_time_ot(&line.time, ORIGIN_NS + now_ns), 0))
			run_to_ns(now_ns += 20000);
	}
	run_to_ns(now_ns + 1000000000);
	check_entered(expected, count, 1, seed);
	cr_expect_eq(seen[0].count, 0);
	cr_expect_not(is_disturbed(""));
}
