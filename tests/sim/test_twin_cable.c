// SPDX-License-Identifier: Apache-2.0
/* Two simulated cards on a cable, each with a clock of its own: what host/commands/clock says of these clocks, against
 * the truth that they were opened with. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/base/uint128.h"
#include "host/commands/clock/exchange.h"
#include "host/commands/clock/pair.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/seed.h"
#include "tests/sim/traffic.h"

enum { PAIRS = 40, QUEUES = 10, QUERIES = 30, WORD_OCTETS = 64, PORTS = 2, SETTING_SIZE = 64 };

static const uint64_t NOMINAL = 1000000000;
static const double OT_PER_NS = 12.5;

static uint64_t state;

static uint64_t below(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d) % limit;
}

static void begin(void)
{
	state = test_seed() * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

TestSuite(twin_cable, .init = begin);

/* The settings with which both cards are opened. */
struct truth {
	uint64_t start_ot[CLOCK_CARDS], pace[CLOCK_CARDS];
	uint64_t cable_ps[PORTS]; /* length of each port's cable */
};

static uint64_t start_of_clock(void)
{
	const uint64_t starts[] = {0,
	                           WORD_OCTETS,
	                           (UINT64_C(1) << 32) - below(1000000),  /* the high word of times changes */
	                           (UINT64_C(1) << 43) - below(10000000), /* stamps begin anew */
	                           (UINT64_C(1) << 61) + below(UINT64_C(1) << 43),
	                           below(UINT64_C(1) << 50)};

	return starts[below(sizeof(starts) / sizeof(*starts))] / WORD_OCTETS * WORD_OCTETS;
}

static uint64_t pace_of_clock(void)
{
	const uint64_t paces[] = {NOMINAL, NOMINAL + 100000, NOMINAL - 100000, NOMINAL + 1,
	                          NOMINAL - 100000 + below(200001)};

	return paces[below(sizeof(paces) / sizeof(*paces))];
}

static struct truth draw_truth(void)
{
	const uint64_t lengths[] = {0, 1, 5000, below(100000), below(10000000)};
	struct truth truth = {.cable_ps = {lengths[below(5)], lengths[below(5)]}};

	for (unsigned i = 0; i < CLOCK_CARDS; i++) {
		truth.start_ot[i] = start_of_clock();
		truth.pace[i] = pace_of_clock();
	}
	return truth;
}

static void set(char setting[SETTING_SIZE], const char *name, uint64_t ps)
{
	snprintf(setting, SETTING_SIZE, "%s=%" PRIu64 ".%03u", name, ps / 1000, (unsigned)(ps % 1000));
}

static struct device *open_card(const struct truth *truth, unsigned card)
{
	char ns[SETTING_SIZE], others[SETTING_SIZE], start[SETTING_SIZE], pace[SETTING_SIZE];

	set(ns, "device.cable_ns", truth->cable_ps[0]);
	set(others, "device.other_cables_ns", truth->cable_ps[1]);
	snprintf(start, sizeof(start), "device.clock_start=%" PRIu64, truth->start_ot[card]);
	snprintf(pace, sizeof(pace), "device.clock_pace=%" PRIu64, truth->pace[card]);
	return traffic_open(TWIN_LIBRARY, (const char *const[]){"device.cable=pair", ns, others, start, pace, NULL});
}

/* Returns how far B is ahead of A when A shows a_ot, beyond a base. */
static double true_offset(const struct truth *truth, uint64_t a_ot, int64_t base_ot)
{
	const int128 passed = (int128)a_ot - truth->start_ot[0];
	const int128 b_passed = passed * (int128)truth->pace[1], a_passed = passed * (int128)truth->pace[0];
	const int128 gained = b_passed - a_passed; /* difference in parts of pace[0] */
	const int128 start = (int128)truth->start_ot[1] - truth->start_ot[0] - base_ot;

	return (double)(start + gained / (int128)truth->pace[0]) +
	       (double)(gained % (int128)truth->pace[0]) / (double)truth->pace[0];
}

/* One port has the cable, and the other leads through what is to be measured. */
static struct clock_exchange exchange_of(struct device *const devices[CLOCK_CARDS], uint64_t duration_ns)
{
	const unsigned port = (unsigned)below(PORTS), other = 1 - port;

	return (struct clock_exchange){.ends = {{devices[0], port}, {devices[1], port}},
	                               .through_port = {other, other},
	                               .through_octets = 64 + (uint32_t)below(9000),
	                               .duration_ns = duration_ns};
}

/* The bound at all times from before the exchange to an hour after it. */
static void expect_bounds(const struct truth *truth, const struct clock_pair *pair, uint64_t from_ot, uint64_t to_ot)
{
	for (unsigned i = 0; i < QUERIES; i++) {
		const uint64_t hour_ot = UINT64_C(45000000000000);
		const uint64_t at =
		        i % 3 == 2 ? to_ot + below(hour_ot) : truth->start_ot[0] + below(to_ot - truth->start_ot[0]);
		const struct clock_offset seen = clock_pair_offset(pair, at, 0);
		const double true_ot = true_offset(truth, at, seen.base_ot);

		cr_assert(seen.ot.low <= true_ot && true_ot <= seen.ot.high,
		          "%.3f is not within %.3f to %.3f: starts %" PRIu64 ", %" PRIu64 ", paces %" PRIu64
		          ", %" PRIu64 ", cable %" PRIu64 " ps, at %" PRIu64 " of %" PRIu64 " to %" PRIu64,
		          true_ot, seen.ot.low, seen.ot.high, truth->start_ot[0], truth->start_ot[1], truth->pace[0],
		          truth->pace[1], truth->cable_ps[0], at, from_ot, to_ot);
	}
}

/* Frames are late by the group in which they are seen, and by nothing else: so is the bound, at most. */
static void expect_narrow(const struct clock_pair *pair, uint64_t middle_ot)
{
	const struct clock_offset seen = clock_pair_offset(pair, middle_ot, 0);

	cr_assert(seen.ot.high - seen.ot.low <= 8.2, "%.3f", seen.ot.high - seen.ot.low);
}

/* Returns the delay of frames between these ports, by the clock of B. A simulation takes thousandths of octet times. */
static double true_delay(const struct truth *truth, unsigned port)
{
	return (double)truth->cable_ps[port] * OT_PER_NS / 1000 * (double)truth->pace[1] / (double)NOMINAL;
}

static void expect_delay(const struct truth *truth, const struct clock_pair *pair, unsigned port)
{
	const struct clock_bound delay = clock_pair_delay(pair);
	const double true_ot = true_delay(truth, port);

	cr_assert(delay.low <= true_ot && true_ot - 0.002 <= delay.high, "%.3f is not within %.3f to %.3f", true_ot,
	          delay.low, delay.high);
}

/* A frame is seen up to a group late; that is in its latency. */
static void expect_latencies(const struct truth *truth, const struct clock_pair *pair,
                             const struct clock_sights *through, unsigned port)
{
	const double true_ot = true_delay(truth, port);

	cr_assert_eq(through->of_way[CLOCK_A_TO_B], CLOCK_FRAMES);
	cr_assert_eq(through->of_way[CLOCK_B_TO_A], CLOCK_FRAMES);
	for (size_t i = below(20); i < through->count; i += 1 + below(20)) {
		const struct clock_bound latency = clock_pair_latency(pair, &through->sight[i], 0);

		cr_assert(latency.low <= true_ot + through->error_ot[through->sight[i].way] * 1.001 &&
		                  true_ot - 0.002 <= latency.high,
		          "%.3f, and up to 8 more, is not within %.3f to %.3f", true_ot, latency.low, latency.high);
		cr_assert(latency.high - latency.low <= 8.5, "%.3f wide", latency.high - latency.low);
	}
}

/* -- a device between other ports --------------------------------------------------------------------------------- */

/* One that takes whole frames, serves them at a rate, one after the other, and delays them: alone, a frame always takes
 * the same time; at a load above its rate each one waits longer than the one before it. */
struct queue {
	uint64_t service_fps, latency_ot;
};

static struct queue draw_queue(bool is_slow)
{
	return (struct queue){.service_fps = is_slow ? 250000 + below(249000) : 1000000 + below(100000000),
	                      .latency_ot = 25 * below(10000)};
}

/* Returns when a frame leaves the queue that came at start_ot, by docs/dut-models.md. *free: when the service before
 * ends, in parts of an octet time. */
static uint64_t leaves_at(const struct queue *queue, uint128 *free, uint64_t start_ot, uint32_t octets)
{
	const uint128 fps = queue->service_fps, came = (start_ot + 8 + octets) * fps;

	*free = (came > *free ? came : *free) + UINT64_C(12500000000);
	return ((uint64_t)((*free + fps - 1) / fps) + queue->latency_ot + 7) / 8 * 8;
}

/* The card's other port leads through it. */
static struct device *open_with_queue(const struct truth *truth, const struct queue *queue, unsigned card)
{
	char cable[SETTING_SIZE], others[SETTING_SIZE], start[SETTING_SIZE], pace[SETTING_SIZE], service[SETTING_SIZE],
	        latency[SETTING_SIZE];

	set(cable, "device.cable_ns", truth->cable_ps[0]);
	set(others, "device.other_cables_ns", truth->cable_ps[1]);
	snprintf(start, sizeof(start), "device.clock_start=%" PRIu64, truth->start_ot[card]);
	snprintf(pace, sizeof(pace), "device.clock_pace=%" PRIu64, truth->pace[card]);
	snprintf(service, sizeof(service), "dut.service_fps=%" PRIu64, queue->service_fps);
	snprintf(latency, sizeof(latency), "dut.latency_ns=%" PRIu64, queue->latency_ot * 2 / 25);
	return traffic_open(TWIN_LIBRARY,
	                    (const char *const[]){"device.cable=pair", cable, others, start, pace, "dut.model=fifo",
	                                          "dut.buffer_frames=1000", service, latency, NULL});
}

/* Frame by frame: what the queue and the cable behind it took, by the clock of B, is within the bound, but for the
 * group in which it was seen. Returns the longest way less the shortest, in octet times. */
static double expect_way(const struct truth *truth, const struct clock_pair *pair, const struct clock_sights *through,
                         const struct queue *queue, enum clock_way way, uint32_t octets)
{
	const double b_per_true = (double)truth->pace[1] / (double)NOMINAL,
	             b_per_sender = way == CLOCK_A_TO_B ? (double)truth->pace[1] / (double)truth->pace[0] : 1;
	double least = INFINITY, most = 0;
	uint128 free = 0;
	unsigned frames = 0;

	for (size_t i = 0; i < through->count; i++) {
		const struct clock_sight *sight = &through->sight[i];
		const uint64_t sent_ot = way == CLOCK_A_TO_B ? sight->a_ot : sight->b_ot;
		struct clock_bound seen;
		struct clock_offset at;
		double true_ot;

		if (sight->way != way)
			continue;
		seen = clock_pair_latency(pair, sight, 0);
		true_ot = (double)(leaves_at(queue, &free, sent_ot, octets) - sent_ot) * b_per_sender +
		          (double)truth->cable_ps[1] * OT_PER_NS / 1000 * b_per_true;
		cr_assert(seen.low <= true_ot + through->error_ot[way] * 1.001 && true_ot - 0.002 <= seen.high,
		          "frame %u: %.3f, and up to 8 more, is not within %.3f to %.3f", frames, true_ot, seen.low,
		          seen.high);
		at = clock_pair_offset(pair, sight->a_ot, 0);
		cr_assert(seen.high - seen.low <= at.ot.high - at.ot.low + 0.02, "%.3f wide, the offset %.3f",
		          seen.high - seen.low, at.ot.high - at.ot.low);
		least = fmin(least, true_ot);
		most = fmax(most, true_ot);
		frames++;
	}
	cr_assert_eq(frames, CLOCK_FRAMES);
	return most - least;
}

struct seen {
	struct clock_sights cable, through;
};

static void check_pair(const struct truth *truth, struct seen *seen)
{
	struct device *devices[CLOCK_CARDS] = {open_card(truth, 0), open_card(truth, 1)};
	const struct clock_exchange exchange = exchange_of(devices, CLOCK_LEAST_NS + below(2) * below(1000000000));
	const unsigned port = exchange.ends[0].port;
	struct clock_limits limits = {0};
	struct clock_pair pair;
	struct error error = {0};
	uint64_t from_ot, to_ot, middle_ot;

	traffic_wait(devices[below(2)], below(100000));
	cr_assert_eq(device_now(devices[0], &from_ot, &error), 0);
	cr_assert_eq(clock_exchange_run(&exchange, &seen->cable, &seen->through, &error), 0, "%s", error.text);
	cr_assert_eq(device_now(devices[0], &to_ot, &error), 0);
	cr_assert_str_empty(seen->cable.why_not);
	cr_assert_str_empty(seen->through.why_not);
	cr_assert_eq(seen->cable.count, CLOCK_SIGHTS);
	/* Amid the exchange, which is over long before the wait for frames through a device. The fit sorts them. */
	middle_ot = seen->cable.sight[CLOCK_FRAMES / 2].a_ot;
	memcpy(limits.error_ot, seen->cable.error_ot, sizeof(limits.error_ot));
	cr_assert_eq(clock_pair_fit(&pair, seen->cable.sight, seen->cable.count, &limits, &error), 0, "%s", error.text);
	expect_bounds(truth, &pair, from_ot, to_ot);
	expect_narrow(&pair, middle_ot);
	expect_delay(truth, &pair, port);
	expect_latencies(truth, &pair, &seen->through, 1 - port);
	device_close(devices[0]);
	device_close(devices[1]);
}

Test(twin_cable, the_true_offset_of_two_cards_and_latency_between_them_are_within_their_bounds_at_all_times)
{
	struct seen *seen = malloc(sizeof(*seen));

	for (unsigned i = 0; i < PAIRS; i++) {
		const struct truth truth = draw_truth();

		check_pair(&truth, seen);
	}
	free(seen);
}

static void check_queues(bool is_slow, struct seen *seen)
{
	const struct truth truth = draw_truth();
	const struct queue queues[CLOCK_CARDS] = {draw_queue(is_slow), draw_queue(is_slow)};
	struct device *devices[CLOCK_CARDS] = {open_with_queue(&truth, &queues[0], 0),
	                                       open_with_queue(&truth, &queues[1], 1)};
	const struct clock_exchange exchange = {.ends = {{devices[0], 0}, {devices[1], 0}},
	                                        .through_port = {1, 1},
	                                        .through_octets = 64 + (uint32_t)below(9000),
	                                        .duration_ns = is_slow ? CLOCK_LEAST_NS : 10 * CLOCK_LEAST_NS};
	struct clock_limits limits = {0};
	struct clock_pair pair;
	struct error error = {0};

	cr_assert_eq(clock_exchange_run(&exchange, &seen->cable, &seen->through, &error), 0, "%s", error.text);
	cr_assert_str_empty(seen->through.why_not);
	memcpy(limits.error_ot, seen->cable.error_ot, sizeof(limits.error_ot));
	cr_assert_eq(clock_pair_fit(&pair, seen->cable.sight, seen->cable.count, &limits, &error), 0, "%s", error.text);
	for (unsigned way = 0; way < CLOCK_WAYS; way++) {
		const struct queue *queue = &queues[way == CLOCK_A_TO_B ? 0 : 1];
		const double spread_ot =
		        expect_way(&truth, &pair, &seen->through, queue, (enum clock_way)way, exchange.through_octets);

		/* 500,000 frames a second: the queue grows by what its service takes longer than 25,000 octet times. */
		if (is_slow)
			cr_expect_gt(spread_ot, 0.9 * 499 * (12.5e9 / (double)queue->service_fps - 25000) - 1e3);
		else
			cr_expect_leq(spread_ot, 10, "alone, a frame waits for no other");
	}
	device_close(devices[0]);
	device_close(devices[1]);
}

Test(twin_cable, latency_through_a_device_is_within_its_bound_frame_by_frame_constant_or_growing_with_load)
{
	struct seen *seen = malloc(sizeof(*seen));

	for (unsigned i = 0; i < QUEUES; i++)
		check_queues(i % 2 == 0, seen);
	free(seen);
}

static uint64_t now_of(struct device *device)
{
	struct error error;
	uint64_t now_ot = 0;

	cr_assert_eq(device_now(device, &now_ot, &error), 0, "%s", error.text);
	return now_ot;
}

/* Reading a clock takes a few words of time, on both cards. */
Test(twin_cable, time_passes_for_both_cards_whichever_is_waited_for)
{
	for (unsigned i = 0; i < PAIRS; i++) {
		const struct truth truth = draw_truth();
		struct device *devices[CLOCK_CARDS] = {open_card(&truth, 0), open_card(&truth, 1)};

		for (unsigned look = 0; look < 10; look++) {
			uint64_t a_ot, b_ot;
			double ahead_ot;

			traffic_wait(devices[below(2)], below(UINT64_C(1) << 40));
			a_ot = now_of(devices[0]);
			b_ot = now_of(devices[1]);
			ahead_ot = (double)((int64_t)(b_ot - a_ot) - (int64_t)(truth.start_ot[1] - truth.start_ot[0])) -
			           true_offset(&truth, a_ot, (int64_t)(truth.start_ot[1] - truth.start_ot[0]));
			cr_assert(fabs(ahead_ot) <= 32 * WORD_OCTETS, "%.1f octet times", ahead_ot);
		}
		device_close(devices[0]);
		device_close(devices[1]);
	}
}

static uint64_t counter(struct device *device, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(0, which));
}

/* 84 octets a frame at line rate, of a sender that is 200 ppm faster than its receiver: some gaps are shorter there. */
Test(twin_cable, frames_at_line_rate_all_arrive_however_the_clocks_differ)
{
	enum { FRAMES = 20000, FRAME_OCTETS = 64, PERIOD_OT = 84 };
	const struct truth truth = {.pace = {NOMINAL + 100000, NOMINAL - 100000}, .cable_ps = {12345}};
	struct device *devices[CLOCK_CARDS] = {open_card(&truth, 0), open_card(&truth, 1)};
	const struct sent_traffic traffic = {.frame_octets = FRAME_OCTETS, .stop_frames = FRAMES};

	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_prepare(devices[i], &traffic);
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_write32(devices[i], FPGAUGE_PORT_RX_EXPECTED(0), 1);
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_start(devices[i]);
	traffic_wait(devices[0], FRAMES * PERIOD_OT * 2);
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_snapshot(devices[i]);
	for (unsigned i = 0; i < CLOCK_CARDS; i++) {
		cr_expect_eq(counter(devices[i], FPGAUGE_COUNTER_TX_FRAMES), FRAMES);
		cr_expect_eq(counter(devices[i], FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), FRAMES);
		cr_expect_eq(counter(devices[i], FPGAUGE_COUNTER_RX_BAD_FRAMES), 0);
		cr_expect_eq(counter(devices[i], FPGAUGE_COUNTER_RX_LOST_FRAMES), 0);
		cr_expect_geq(counter(devices[i], FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS), 1);
	}
	device_close(devices[1]);
	device_close(devices[0]);
}

/* Neither card does what the other does: its counters, settings and strobes are its own. */
Test(twin_cable, a_clear_of_one_card_leaves_the_counters_of_the_other)
{
	const struct truth truth = {.pace = {NOMINAL, NOMINAL}};
	struct device *devices[CLOCK_CARDS] = {open_card(&truth, 0), open_card(&truth, 1)};
	const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 10};

	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_prepare(devices[i], &traffic);
	traffic_start(devices[0]);
	traffic_wait(devices[0], 100000);
	traffic_write32(devices[0], FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	traffic_wait(devices[0], 100000);
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_snapshot(devices[i]);
	cr_expect_eq(counter(devices[0], FPGAUGE_COUNTER_TX_FRAMES), 0);
	cr_expect_eq(counter(devices[1], FPGAUGE_COUNTER_TX_FRAMES), 0, "B was not started");
	cr_expect_eq(counter(devices[1], FPGAUGE_COUNTER_RX_FRAMES), 10);
	device_close(devices[0]);
	device_close(devices[1]);
}

static void expect_no_measurement(struct device *const devices[CLOCK_CARDS], const char *text)
{
	const struct clock_exchange exchange = {.ends = {{devices[0], 0}, {devices[1], 0}},
	                                        .duration_ns = CLOCK_LEAST_NS};
	struct clock_sights *sights = malloc(sizeof(*sights));
	struct error error = {0};

	cr_expect_eq(clock_exchange_run(&exchange, sights, NULL, &error), 0, "%s", error.text);
	cr_expect(strstr(sights->why_not, text) != NULL, "%s", sights->why_not);
	free(sights);
}

/* Frames are seen while they come, by a card that is the only one that anybody asks. What is on a cable when it is
 * pulled out is lost: 10 us of frames. */
Test(twin_cable, a_cable_that_is_pulled_out_brings_no_frames_and_can_be_plugged_in_again)
{
	const struct truth truth = {
	        .start_ot = {0, UINT64_C(1) << 40}, .pace = {NOMINAL, NOMINAL}, .cable_ps = {10000000}};
	struct device *devices[CLOCK_CARDS] = {open_card(&truth, 0), open_card(&truth, 1)};
	const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 5000};
	struct seen *seen = malloc(sizeof(*seen));
	struct clock_exchange exchange;
	struct error error = {0};
	struct device *alone;
	uint64_t came;

	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_prepare(devices[i], &traffic);
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		traffic_start(devices[i]);
	traffic_wait(devices[0], 200000);
	traffic_snapshot(devices[0]);
	came = counter(devices[0], FPGAUGE_COUNTER_RX_FRAMES);
	cr_assert_gt(came, 500);
	cr_assert_lt(came, 1000);
	device_close(devices[1]);
	traffic_wait(devices[0], 1000000);
	traffic_snapshot(devices[0]);
	cr_expect_eq(counter(devices[0], FPGAUGE_COUNTER_TX_FRAMES), 5000);
	cr_expect_eq(counter(devices[0], FPGAUGE_COUNTER_RX_FRAMES), came);
	alone = traffic_open(TWIN_LIBRARY, (const char *const[]){"device.cable=another", NULL});
	expect_no_measurement((struct device *const[]){devices[0], alone}, "none of the frames came");
	device_close(alone);
	devices[1] = open_card(&truth, 1);
	exchange = exchange_of(devices, CLOCK_LEAST_NS);
	cr_expect_eq(clock_exchange_run(&exchange, &seen->cable, &seen->through, &error), 0, "%s", error.text);
	cr_expect_str_empty(seen->cable.why_not);
	device_close(devices[0]);
	device_close(devices[1]);
	free(seen);
}

static struct clock_exchange within(struct device *card)
{
	return (struct clock_exchange){.ends = {{card, 0}, {card, 1}}, .duration_ns = CLOCK_LEAST_NS};
}

/* A cable from a card to itself: the one clock is what it is, and the stamps of the core are exact. */
Test(twin_cable, two_ports_of_one_card_have_one_clock)
{
	struct device *card =
	        traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=wire", "dut.latency_ns=500", NULL});
	const struct clock_exchange exchange = within(card);
	struct clock_sights *sights = malloc(sizeof(*sights));
	struct clock_limits limits = {0};
	struct clock_pair pair;
	struct clock_offset seen;
	struct clock_bound delay;
	struct error error = {0};

	cr_assert_eq(clock_exchange_run(&exchange, sights, NULL, &error), 0, "%s", error.text);
	cr_assert_str_empty(sights->why_not);
	memcpy(limits.error_ot, sights->error_ot, sizeof(limits.error_ot));
	cr_assert_eq(clock_pair_fit(&pair, sights->sight, sights->count, &limits, &error), 0, "%s", error.text);
	seen = clock_pair_offset(&pair, now_of(card), 0);
	delay = clock_pair_delay(&pair);
	cr_expect(seen.ot.low <= -(double)seen.base_ot && -(double)seen.base_ot <= seen.ot.high);
	cr_expect(delay.low <= 6256 && 6256 <= delay.high, "%.3f to %.3f", delay.low, delay.high);
	cr_expect(pair.rate.low <= 0 && 0 <= pair.rate.high);
	device_close(card);
	free(sights);
}

Test(twin_cable, what_loses_frames_is_no_cable)
{
	struct device *card =
	        traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=faults", "dut.drop_every=100", NULL});
	const struct clock_exchange exchange = within(card);
	struct clock_sights *sights = malloc(sizeof(*sights));
	struct error error = {0};

	cr_assert_eq(clock_exchange_run(&exchange, sights, NULL, &error), 0, "%s", error.text);
	cr_expect(strstr(sights->why_not, "495 of 500 frames came, 0 bad: a cable loses none") != NULL, "%s",
	          sights->why_not);
	device_close(card);
	free(sights);
}

static void expect_refused(const char *name, const char *value, const char *text)
{
	const struct device_option options[] = {{"device.cable", "refused"}, {name, value}};
	const bool alone = strncmp(name, "device.c", 8) == 0 && strcmp(name, "device.cable") != 0;
	const struct device_config config = {.backend = "sim",
	                                     .library = TWIN_LIBRARY,
	                                     .options = alone ? options + 1 : options,
	                                     .option_count = alone ? 1 : 2};
	struct device *device;
	const char *bad_option = NULL;
	struct error error = {0};

	cr_assert_eq(device_open(&config, &device, &bad_option, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, text) != NULL, "%s", error.text);
	cr_expect_str_eq(bad_option, name);
}

Test(twin_cable, what_a_cable_cannot_have_is_refused)
{
	struct device *first = traffic_open(TWIN_LIBRARY, (const char *const[]){"device.cable=x", NULL});
	struct device *second = traffic_open(TWIN_LIBRARY, (const char *const[]){"device.cable=x", NULL});
	const struct device_option third = {"device.cable", "x"};
	const struct device_config config = {
	        .backend = "sim", .library = TWIN_LIBRARY, .options = &third, .option_count = 1};
	struct device *device;
	const char *bad_option = NULL;
	struct error error = {0};

	expect_refused("dut.model", "switch", "must be a model of one direction");
	expect_refused("device.clock_start", "64", "only with device.cable");
	expect_refused("device.clock_pace", "1000000001", "only with device.cable");
	expect_refused("device.cable_ns", "5", "only with device.cable");
	cr_expect_eq(device_open(&config, &device, &bad_option, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "two ends") != NULL, "%s", error.text);
	cr_expect_neq(device_write32(first, FPGAUGE_PORT_LOOPBACK(0), 1, &error), 0);
	cr_expect(strstr(error.text, "loopback is not simulated") != NULL, "%s", error.text);
	cr_expect_not(device_at_rest(first), "a copy of a process would leave the other end behind");
	cr_expect_eq(traffic_read32(first, FPGAUGE_PORT_TCP_CONNECTIONS(0)), 0);
	device_close(first);
	device_close(second);
}

Test(twin_cable, ports_that_cannot_exchange_frames_are_refused_and_the_user_can_stop_it)
{
	struct device *small = traffic_open(TWIN_LIBRARY, (const char *const[]){"device.ports=2", NULL});
	struct device *large = traffic_open(TWIN_LIBRARY, (const char *const[]){"device.ports=4", NULL});
	const struct clock_exchange missing = {.ends = {{small, 2}, {large, 0}}, .duration_ns = CLOCK_LEAST_NS};
	const struct clock_exchange beyond = {.ends = {{small, 0}, {large, 3}}, .duration_ns = CLOCK_LEAST_NS};
	const struct clock_exchange both = {.ends = {{small, 0}, {large, 0}},
	                                    .duration_ns = CLOCK_LEAST_NS,
	                                    .through_octets = 64,
	                                    .through_port = {1, 0}};
	const _Atomic int stop = 1;
	const struct clock_exchange stopped = {
	        .ends = {{small, 0}, {large, 0}}, .duration_ns = CLOCK_LEAST_NS, .cancel = &stop};
	struct clock_sights *sights = malloc(sizeof(*sights));
	struct error error = {0};

	cr_expect_eq(clock_exchange_run(&missing, sights, NULL, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "must be 0 to 1") != NULL, "%s", error.text);
	cr_expect_eq(clock_exchange_run(&beyond, sights, NULL, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "can expect frames of no other") != NULL, "%s", error.text);
	cr_expect_eq(clock_exchange_run(&both, sights, NULL, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "has the cable") != NULL, "%s", error.text);
	cr_expect_eq(clock_exchange_run(&stopped, sights, NULL, &error), ERROR_CANCELLED);
	device_close(small);
	device_close(large);
	free(sights);
}
