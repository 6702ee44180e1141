// SPDX-License-Identifier: Apache-2.0
/* Offset and drift of two clocks of known truth: the bound holds at every time that is asked for, whatever the frames
 * were like, and it is not wider than they make it. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/commands/clock/pair.h"
#include "host/commands/clock/registers.h"
#include "tests/seed.h"

enum { PAIRS = 80, MOST_FRAMES = 300, QUERIES = 24, GROUP = 8 };

static uint64_t state;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static double unit(void)
{
	return (double)(draw() >> 11) / (double)(UINT64_C(1) << 53);
}

static uint64_t below(uint64_t limit)
{
	return draw() % limit;
}

static void seed(void)
{
	state = test_seed() * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* The lateness of frames within what it may be. */
enum lateness { EVEN, NEVER, ALWAYS, RARELY_EARLY, RARELY_LATE, LATENESSES };

/* Two clocks, and all that the arithmetic is not told. */
struct truth {
	uint64_t a_ot, b_ot; /* readings at the same moment */
	double rate;         /* B gains on A */
	double delay_ot[CLOCK_WAYS], wander_ot, wander_period_ot;
	enum lateness lateness;
	struct clock_limits limits;
	double asymmetry_ot, duration_ot;
	struct clock_sight sights[CLOCK_WAYS * MOST_FRAMES];
	size_t count;
};

static double one_of(const double *values, size_t count)
{
	return values[below(count)];
}

/* The time that B shows beyond b_ot when A is x beyond a_ot, fractions and all. */
static long double b_after(const struct truth *truth, long double x)
{
	const double swing =
	        truth->wander_ot != 0 ? truth->wander_ot * sin(2 * M_PI * (double)x / truth->wander_period_ot) : 0;

	return x + x * (long double)truth->rate + (long double)swing;
}

/* The other way round; the swing is slow, so a few rounds are exact to far below an octet time. */
static long double a_after(const struct truth *truth, long double y)
{
	long double x = y;

	for (unsigned i = 0; i < 8; i++)
		x -= b_after(truth, x) - y;
	return x;
}

static double late(const struct truth *truth, enum clock_way way)
{
	const double most = truth->limits.error_ot[way] - GROUP; /* the receiver's group takes the rest */

	switch (truth->lateness) {
	case NEVER:
		return 0;
	case ALWAYS:
		return most;
	case RARELY_EARLY:
		return below(50) == 0 ? unit() * most : most;
	case RARELY_LATE:
		return below(50) == 0 ? unit() * most : 0;
	default:
		return unit() * most;
	}
}

static uint64_t group_up(long double ot)
{
	return (uint64_t)ceill(ot / GROUP) * GROUP;
}

/* A sender stamps its own groups; a receiver sees a frame when its next one begins. Delays are by the clock of B. */
static void send(struct truth *truth, enum clock_way way, double at)
{
	const bool to_b = way == CLOCK_A_TO_B;
	const uint64_t sent = (uint64_t)(at / GROUP) * GROUP;
	const long double left = to_b ? b_after(truth, sent) : sent; /* time on the clock of B */
	const long double came = left + (long double)(truth->delay_ot[way] + late(truth, way));
	const uint64_t seen = group_up(to_b ? came : a_after(truth, came));

	truth->sights[truth->count++] = (struct clock_sight){
	        .a_ot = truth->a_ot + (to_b ? sent : seen), .b_ot = truth->b_ot + (to_b ? seen : sent), .way = way};
}

static uint64_t start_of_clock(void)
{
	const uint64_t starts[] = {
	        0, 8, UINT64_C(1) << 32, (UINT64_C(1) << 43) - 4096, UINT64_C(1) << 62, below(UINT64_C(1) << 60)};

	return starts[below(sizeof(starts) / sizeof(*starts))] / GROUP * GROUP;
}

static void make(struct truth *truth)
{
	const double rates[] = {0, 1e-4, -1e-4, 2e-4, -2e-4, 1e-9, (unit() - 0.5) * 2e-4};
	const double errors[] = {GROUP, GROUP + 24, GROUP + 1000, GROUP + unit() * 300};
	const double delays[] = {0, 0.1, 61.25, 5000 * unit(), 1e6};
	const double durations[] = {1e8, 1.25e10, 1.25e11};
	const double delay = one_of(delays, 5);

	memset(truth, 0, sizeof(*truth));
	truth->a_ot = start_of_clock();
	truth->b_ot = start_of_clock();
	truth->rate = one_of(rates, 7);
	truth->duration_ot = one_of(durations, 3);
	for (unsigned way = 0; way < CLOCK_WAYS; way++)
		truth->limits.error_ot[way] = one_of(errors, 4);
	truth->limits.wander_ot = below(3) == 0 ? unit() * 50 : 0;
	truth->wander_ot = truth->limits.wander_ot * (below(2) == 0 ? 1 : unit());
	truth->wander_period_ot = truth->duration_ot * (0.1 + unit() * 3);
	truth->asymmetry_ot = below(2) == 0 ? 0 : unit() * 100;
	truth->delay_ot[CLOCK_A_TO_B] = delay + (below(2) == 0 ? truth->asymmetry_ot * unit() : 0);
	truth->delay_ot[CLOCK_B_TO_A] =
	        delay + (truth->delay_ot[CLOCK_A_TO_B] > delay ? 0 : truth->asymmetry_ot * unit());
	truth->lateness = (enum lateness)below(LATENESSES);
}

static void exchange(struct truth *truth)
{
	const uint64_t frames = 2 + below(MOST_FRAMES - 2);

	for (uint64_t i = 0; i < frames; i++)
		for (unsigned way = 0; way < CLOCK_WAYS; way++)
			send(truth, (enum clock_way)way,
			     i == 0   ? 0
			     : i == 1 ? truth->duration_ot
			              : unit() * truth->duration_ot);
}

/* True offset when A is x beyond a_ot, less a base. */
static double offset_beyond(const struct truth *truth, double x, int64_t base_ot)
{
	return (double)(b_after(truth, x) - (long double)x +
	                (long double)(int64_t)(truth->b_ot - truth->a_ot - (uint64_t)base_ot));
}

static void expect_within(const struct truth *truth, const struct clock_pair *pair, double x, double asymmetry_ot)
{
	const uint64_t at = (uint64_t)x;
	const struct clock_offset seen = clock_pair_offset(pair, truth->a_ot + at, asymmetry_ot);
	const double true_ot = offset_beyond(truth, (double)at, seen.base_ot);

	cr_assert(seen.ot.low <= true_ot && true_ot <= seen.ot.high,
	          "%.3f is not within %.3f to %.3f, at %.3g of %.3g, rate %.3g, lateness %d, asymmetry %g", true_ot,
	          seen.ot.low, seen.ot.high, x, truth->duration_ot, truth->rate, truth->lateness, asymmetry_ot);
}

static void expect_delay(const struct truth *truth, const struct clock_pair *pair)
{
	const struct clock_bound delay = clock_pair_delay(pair);
	const double mean = (truth->delay_ot[CLOCK_A_TO_B] + truth->delay_ot[CLOCK_B_TO_A]) / 2;

	cr_assert(delay.low <= mean && mean <= delay.high, "delay %.3f is not within %.3f to %.3f", mean, delay.low,
	          delay.high);
}

/* The bound in the middle of the exchange is at most what the stated errors leave open if nothing is known of the
 * frames but these; and if frames are late by anything in between, it is no more than the group in which a receiver
 * sees them, one more that chance may never have hit, and a fifth of the errors for what else chance has left out. */
static void expect_narrow(const struct truth *truth, const struct clock_pair *pair)
{
	const struct clock_offset seen =
	        clock_pair_offset(pair, truth->a_ot + (uint64_t)(truth->duration_ot / 2), truth->asymmetry_ot);
	const double errors_ot = truth->limits.error_ot[CLOCK_A_TO_B] + truth->limits.error_ot[CLOCK_B_TO_A];
	const double open_ot = (errors_ot + 4 * truth->limits.wander_ot) * 1.01 + truth->asymmetry_ot +
	                       2 * truth->limits.wander_ot + 0.1;

	cr_assert(seen.ot.high - seen.ot.low <= open_ot, "%.3f wide, %.3f at most", seen.ot.high - seen.ot.low,
	          open_ot);
	if (truth->lateness != EVEN || truth->count < 400 || truth->limits.wander_ot > 0)
		return;
	cr_assert(seen.ot.high - seen.ot.low <= 2 * GROUP * 1.01 + errors_ot / 10 + truth->asymmetry_ot + 0.1,
	          "%.3f wide of errors of %.3f, asymmetry %.3f", seen.ot.high - seen.ot.low, errors_ot,
	          truth->asymmetry_ot);
}

static void check_pair(struct truth *truth)
{
	struct clock_pair pair;
	struct error error = {0};

	make(truth);
	exchange(truth);
	cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s", error.text);
	cr_assert(pair.rate.low <= truth->rate + 4 * truth->limits.wander_ot / truth->duration_ot &&
	          pair.rate.high >= truth->rate - 4 * truth->limits.wander_ot / truth->duration_ot);
	for (unsigned i = 0; i < QUERIES; i++) {
		/* Clocks with wander are straight lines only while they are measured. */
		const double x = truth->wander_ot > 0 || i % 2 == 0 ? unit() * truth->duration_ot
		                                                    : truth->duration_ot * unit() * 1000;

		expect_within(truth, &pair, x, truth->asymmetry_ot);
		expect_within(truth, &pair, x, INFINITY);
	}
	expect_delay(truth, &pair);
	expect_narrow(truth, &pair);
}

Test(clock_pair, the_true_offset_is_within_the_bound_at_all_times)
{
	struct truth *truth = malloc(sizeof(*truth));

	seed();
	for (unsigned i = 0; i < PAIRS; i++)
		check_pair(truth);
	free(truth);
}

/* Latency between cards of a frame of which the time is known, and the time that a bound lasts. */
Test(clock_pair, a_latency_between_the_cards_is_within_its_bound)
{
	struct truth *truth = malloc(sizeof(*truth));
	struct clock_pair pair;
	struct error error = {0};

	seed();
	for (unsigned i = 0; i < PAIRS / 2; i++) {
		const double took = 8 + unit() * 1e6;
		const enum clock_way way = (enum clock_way)below(CLOCK_WAYS);
		struct clock_sight sight = {.way = way};
		struct clock_bound latency;
		uint64_t at;

		make(truth);
		truth->wander_ot = truth->limits.wander_ot = 0;
		exchange(truth);
		cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s",
		             error.text);
		/* Clocks show whole octet times, so that one stamp is up to one early. */
		at = below((uint64_t)truth->duration_ot);
		sight.a_ot = truth->a_ot + at;
		sight.b_ot = truth->b_ot + (uint64_t)(int64_t)floorl(b_after(truth, at) +
		                                                     (long double)(way == CLOCK_A_TO_B ? took : -took));
		latency = clock_pair_latency(&pair, &sight, truth->asymmetry_ot);
		cr_assert(latency.low - 1 <= took && took - 1 <= latency.high, "%.2f is not within %.2f to %.2f", took,
		          latency.low, latency.high);
		cr_assert(latency.high - latency.low <= 2000, "%.2f wide", latency.high - latency.low);
	}
	free(truth);
}

/* Hundreds of frames say no more than those that decide, which fit() leaves. */
Test(clock_pair, frames_that_decide_nothing_are_left_out_and_change_nothing)
{
	struct truth *truth = malloc(sizeof(*truth));
	struct clock_pair pair;
	struct error error = {0};

	seed();
	for (unsigned i = 0; i < 10; i++) {
		struct clock_pair all;

		make(truth);
		exchange(truth);
		cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s",
		             error.text);
		cr_expect_leq(pair.count, truth->count);
		all = pair;
		all.count = truth->count; /* sights that were left out are behind the others */
		for (unsigned look = 0; look < 5; look++) {
			const uint64_t at = truth->a_ot + below(UINT64_C(1) << 40);
			const struct clock_offset few = clock_pair_offset(&pair, at, 0),
			                          many = clock_pair_offset(&all, at, 0);

			cr_expect(fabs(few.ot.low - many.ot.low) <= 0.01 && fabs(few.ot.high - many.ot.high) <= 0.01,
			          "%.3f to %.3f, and with %zu more %.3f to %.3f", few.ot.low, few.ot.high,
			          all.count - pair.count, many.ot.low, many.ot.high);
		}
	}
	free(truth);
}

Test(clock_pair, a_bound_lasts_until_it_is_reached)
{
	const uint64_t most = UINT64_C(1) << 50;
	struct truth *truth = malloc(sizeof(*truth));
	struct clock_pair pair;
	struct error error = {0};

	seed();
	for (unsigned i = 0; i < 10; i++) {
		struct clock_offset last, beyond;
		uint64_t lasts, from;

		make(truth);
		truth->wander_ot = truth->limits.wander_ot = 0;
		exchange(truth);
		cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s",
		             error.text);
		from = truth->a_ot + (uint64_t)truth->duration_ot;
		lasts = clock_pair_lasts(&pair, from, 0, 2000, most);
		last = clock_pair_offset(&pair, from + lasts, 0);
		beyond = clock_pair_offset(&pair, from + lasts + lasts / 100 + 8, 0);
		cr_assert(last.ot.high - last.ot.low <= 4000);
		cr_assert_leq(lasts, most);
		cr_assert_eq(clock_pair_lasts(&pair, from, 0, 1e9, 1000), 1000);
		cr_assert(lasts >= most || beyond.ot.high - beyond.ot.low > 4000, "still %.1f",
		          beyond.ot.high - beyond.ot.low);
	}
	free(truth);
}

/* Frames at equal distances from both ends, none of them late. */
static void make_plain(struct truth *truth, double rate, double wander_ot)
{
	enum { FRAMES = 100 };
	const double interval_ot = 1e8;

	memset(truth, 0, sizeof(*truth));
	truth->rate = rate;
	truth->duration_ot = FRAMES * interval_ot;
	truth->wander_ot = wander_ot;
	truth->wander_period_ot = truth->duration_ot;
	truth->limits = (struct clock_limits){.error_ot = {GROUP, GROUP}, .wander_ot = wander_ot};
	for (unsigned i = 0; i < FRAMES; i++) {
		send(truth, CLOCK_A_TO_B, i * interval_ot);
		send(truth, CLOCK_B_TO_A, i * interval_ot);
	}
}

/* B is as far off its line as it may be, one way and the other, and the cable takes no time. */
Test(clock_pair, clocks_that_wander_as_far_as_was_said_stay_within_the_bound)
{
	struct truth *truth = malloc(sizeof(*truth));
	struct clock_pair pair;
	struct error error = {0};

	for (double wander_ot = -500; wander_ot <= 500; wander_ot += 1000) {
		make_plain(truth, 1e-5, fabs(wander_ot));
		truth->wander_ot = wander_ot;
		truth->count = 0;
		for (unsigned i = 0; i < 100; i++) {
			send(truth, CLOCK_A_TO_B, i * 1e8 + 8000);
			send(truth, CLOCK_B_TO_A, i * 1e8 + 8000);
		}
		cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s",
		             error.text);
		for (double x = 8000; x < truth->duration_ot; x += truth->duration_ot / 200) {
			expect_within(truth, &pair, x, 0);
			expect_within(truth, &pair, x, INFINITY);
		}
		expect_delay(truth, &pair);
	}
	free(truth);
}

static void expect_refused(struct truth *truth, size_t count, const char *text)
{
	struct clock_pair pair;
	struct error error = {0};

	cr_expect_eq(clock_pair_fit(&pair, truth->sights, count, &truth->limits, &error), ERROR_DEVICE);
	cr_expect(strstr(error.text, text) != NULL, "%s", error.text);
}

/* One frame of a way comes four groups late. */
static void expect_late_frame_refused(struct truth *truth, enum clock_way way)
{
	struct clock_pair pair;
	struct error error = {0};
	struct clock_sight *sight = &truth->sights[51];

	make_plain(truth, 1e-5, 0);
	while (sight->way != way)
		sight++;
	*(way == CLOCK_A_TO_B ? &sight->b_ot : &sight->a_ot) += 4 * GROUP;
	expect_refused(truth, truth->count, "no two clocks of constant rate");
	truth->limits.wander_ot = 3 * GROUP;
	cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s", error.text);
}

Test(clock_pair, frames_that_no_two_clocks_could_have_seen_are_no_measurement)
{
	struct truth *truth = malloc(sizeof(*truth));

	for (unsigned way = 0; way < CLOCK_WAYS; way++)
		expect_late_frame_refused(truth, (enum clock_way)way);
	make_plain(truth, 1e-5, 0);
	truth->delay_ot[CLOCK_A_TO_B] = -1000;
	truth->count = 0;
	for (unsigned i = 0; i < 100; i++) {
		send(truth, CLOCK_A_TO_B, i * 1e8 + 8000);
		send(truth, CLOCK_B_TO_A, i * 1e8 + 8000);
	}
	expect_refused(truth, truth->count, "too late or too early"); /* it was there before it left */

	make_plain(truth, 2e-3, 0);
	expect_refused(truth, truth->count, "no two clocks of constant rate");
	make_plain(truth, 0, 0);
	expect_refused(truth, 1, "from the second card to the first");
	expect_refused(truth, 0, "from the first card to the second");
	expect_refused(truth, 2, "too short a time");
	free(truth);
}

/* A card states its errors by its own clock; B's shows more of them, if it is faster. */
Test(clock_pair, errors_of_a_card_are_by_its_own_clock)
{
	enum { ERROR_OT = 100000 };
	const double rate = 9e-4;
	struct truth *truth = malloc(sizeof(*truth));
	struct clock_pair pair;
	struct error error = {0};

	make_plain(truth, rate, 0);
	truth->limits.error_ot[CLOCK_B_TO_A] = GROUP + ERROR_OT;
	for (size_t i = 0; i < truth->count; i++)
		if (truth->sights[i].way == CLOCK_B_TO_A && i % 4 == 1)
			truth->sights[i].a_ot += ERROR_OT;
	cr_assert_eq(clock_pair_fit(&pair, truth->sights, truth->count, &truth->limits, &error), 0, "%s", error.text);
	expect_within(truth, &pair, truth->duration_ot / 2, 0);
	free(truth);
}

Test(clock_pair, a_link_that_was_down_is_told_from_one_that_is_not_there)
{
	const uint32_t present = FPGAUGE_PORT_LINK_STATUS_PRESENT, up = FPGAUGE_PORT_LINK_STATUS_UP;

	cr_expect_not(clock_link_lost(0), "a simulation without a MAC");
	cr_expect_not(
	        clock_link_lost(present | up | FPGAUGE_PORT_LINK_STATUS_CLOCK | FPGAUGE_PORT_LINK_STATUS_ALIGNED));
	cr_expect(clock_link_lost(present));
	cr_expect(clock_link_lost(present | up | FPGAUGE_PORT_LINK_STATUS_DOWN));
	cr_expect(clock_link_lost(present | up | FPGAUGE_PORT_LINK_STATUS_LATE));
	cr_expect(clock_link_lost(present | up | FPGAUGE_PORT_LINK_STATUS_TIME_SLIP));
}
