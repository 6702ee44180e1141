// SPDX-License-Identifier: Apache-2.0
/* Tests what models and stacks say about themselves, against playing them; and random draws against their
 * distribution. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/dut/dut.h"
#include "sim/dut/random.h"
#include "sim/dut/stalls.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

enum { MAX_SETTINGS = 10, MOST_FRAMES = 100000 };

/* Directions of settings as "model=fifo service_fps=1M"; a comma takes no space here. */
static void open_duts(const char *text, struct dut **duts, size_t count)
{
	struct fpgauge_sim_option given[MAX_SETTINGS];
	char names[MAX_SETTINGS][40], copy[256];
	const char *bad_option;
	char error[256] = "", *rest = copy;
	struct sim_options options = {given, 0, &bad_option, error, sizeof(error)};

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *one; (one = strsep(&rest, " ")) != NULL; options.count++) {
		char *value = one;

		snprintf(names[options.count], sizeof(names[0]), "dut.%s", strsep(&value, "="));
		given[options.count] = (struct fpgauge_sim_option){names[options.count], value};
	}
	cr_assert(dut_create(&options, NULL, 0, LINK_BPS, duts, count) == 0, "%s: %s", text, error);
}

static struct dut *open_dut(const char *text)
{
	struct dut *dut;

	open_duts(text, &dut, 1);
	return dut;
}

/* True when the frame came out; sets when. Nothing may be put aside. */
static bool send(struct dut *dut, uint64_t start_ot, uint32_t octets, uint64_t *departure_ot)
{
	const struct dut_frame frame = {.start_ot = start_ot, .octets = octets};
	struct dut_frame out[2];
	size_t count = 1;
	const size_t given = dut_pass(dut, &frame, &count, start_ot, out, 2);

	cr_assert(count == 1 && given <= 1);
	*departure_ot = out[0].start_ot;
	return given == 1;
}

static uint64_t first_lost(const char *text, uint32_t octets, uint64_t numerator, uint64_t denominator)
{
	struct dut *dut = open_dut(text);
	uint64_t n, departure_ot;

	for (n = 0; n < MOST_FRAMES; n++)
		if (!send(dut, (uint64_t)((uint128)n * numerator / denominator) / 8 * 8, octets, &departure_ot))
			break;
	dut_destroy(dut);
	return n;
}

static const char *const LOSSLESS_BELOW_THEIR_RATE[] = {
        "model=fifo buffer_octets=1000 service_fps=70%",
        "model=fifo buffer_octets=64 service_fps=50%",
        "model=fifo buffer_octets=100000 overhead_octets=24 service_bps=61G",
        "model=fifo buffer_octets=9000 overhead_octets=4 service_bps=83%",
        "model=fifo buffer_frames=77 service_bps=33.3G",
        "model=fifo buffer_frames=1 overhead_octets=20 service_bps=90G",
        "model=fifo service_fps=20M buffer_frames=31 forwarding=cut_through latency_ns=800",
        "model=fifo service_bps=20G buffer_octets=3100 forwarding=cut_through latency_ns=740",
        "model=overload service_fps=60% buffer_frames=100",
        "model=overload,fifo service_bps=55G overload_service=33% buffer_octets=20000",
        "model=fifo,reset dark_at_ns=1000000000 service_fps=70% buffer_frames=9",
        "model=reset dark_at_ns=1000000000",
        "model=wire,reset latency_ns=77 dark_at_ns=1000000000",
        "model=fifo",
};

static const uint32_t SIZES[] = {64, 65, 67, 128, 256, 999, 1518};

static void check_truth(const char *text, uint32_t octets)
{
	struct dut *dut = open_dut(text);
	struct fpgauge_sim_truth truth;
	uint64_t departure_ot, burst, period_ot;

	dut_truth(dut, octets, &truth);
	if (truth.longest_burst_frames > 0) {
		cr_assert(send(dut, 80, octets, &departure_ot), "%s: %u", text, octets);
		cr_expect(departure_ot - 80 == truth.latency_ot, "%s: %u octets: latency %" PRIu64 ", not %" PRIu64,
		          text, octets, departure_ot - 80, truth.latency_ot);
	}
	burst = first_lost(text, octets, octets + 20, 1);
	cr_expect(burst == MOST_FRAMES ? truth.longest_burst_frames >= MOST_FRAMES
	                               : burst == truth.longest_burst_frames,
	          "%s: %u octets: burst %" PRIu64 ", not %" PRIu64, text, octets, burst, truth.longest_burst_frames);
	if (truth.throughput_fps > 0) {
		/* The stated load passes, apart from rounding in a double; one three hundredths higher does not. */
		period_ot = (uint64_t)ceil(1e3 * (double)LINK_BPS / 8 / truth.throughput_fps);
		cr_expect(first_lost(text, octets, period_ot + 1, 1000) == MOST_FRAMES, "%s: %u octets at %f", text,
		          octets, truth.throughput_fps);
		if (period_ot * 97 / 100 > (octets + 20) * UINT64_C(1000))
			cr_expect(first_lost(text, octets, period_ot * 97 / 100, 1000) < MOST_FRAMES,
			          "%s: %u octets at %f", text, octets, truth.throughput_fps);
	}
	dut_destroy(dut);
}

Test(truth, is_what_playing_gives)
{
	for (size_t i = 0; i < sizeof(LOSSLESS_BELOW_THEIR_RATE) / sizeof(LOSSLESS_BELOW_THEIR_RATE[0]); i++)
		for (size_t s = 0; s < sizeof(SIZES) / sizeof(SIZES[0]); s++)
			check_truth(LOSSLESS_BELOW_THEIR_RATE[i], SIZES[s]);
}

Test(truth, a_buffer_of_octets_holds_no_frame_that_is_longer)
{
	struct dut *dut = open_dut("model=fifo buffer_octets=1000 overhead_octets=1");
	struct fpgauge_sim_truth truth;

	dut_truth(dut, 1000, &truth);
	cr_expect(truth.buffer_frames == 0 && truth.longest_burst_frames == 0 && truth.throughput_fps == 0);
	dut_truth(dut, 499, &truth);
	cr_expect(truth.buffer_frames == 2);
	dut_destroy(dut);
}

Test(truth, is_none_where_frames_are_lost_by_chance_or_on_purpose)
{
	static const char *const texts[] = {"model=faults drop_every=1000", "model=stall",
	                                    "model=fifo,faults corrupt_probability=0.001%",
	                                    "model=stall,fifo,reset dark_at_ns=5"};

	for (size_t i = 0; i < 4; i++) {
		struct dut *dut = open_dut(texts[i]);
		struct fpgauge_sim_truth truth;

		dut_truth(dut, 64, &truth);
		cr_expect(isnan(truth.throughput_fps) && truth.longest_burst_frames == FPGAUGE_SIM_TRUTH_NONE, "%s",
		          texts[i]);
		cr_expect(truth.latency_ot > 0);
		dut_destroy(dut);
	}
}

Test(truth, of_a_stack_names_it_and_adds_latencies)
{
	struct dut *dut = open_dut("model=faults,fifo drop_every=100 buffer_frames=20 latency_ns=800 service_fps=100M");
	struct fpgauge_sim_truth truth;

	dut_truth(dut, 64, &truth);
	cr_expect_str_eq(truth.model, "faults,fifo");
	cr_expect(truth.buffer_frames == 20);
	cr_expect(truth.latency_ot == 72 + 10200);
	dut_destroy(dut);
}

/* -- overload ------------------------------------------------------------------------------------------------------ */

Test(truth, overload_serves_its_share_while_too_much_is_offered_and_recovers_when_empty)
{
	struct dut *dut = open_dut("model=overload service_fps=50% overload_service=50% buffer_frames=100");
	uint64_t start_ot = 0, departure_ot, passed = 0;

	for (unsigned n = 0; n < 100000; n++, start_ot += 88)
		passed += send(dut, start_ot, 64, &departure_ot);
	/* A quarter of line rate, 88 of 336 octet times, plus the frames before the first loss. */
	cr_expect(passed > 100000 * 88 / 336 && passed < 100000 * 88 / 336 + 300, "%" PRIu64, passed);
	start_ot += 336 * 101;
	cr_expect(send(dut, start_ot, 64, &departure_ot) && departure_ot == start_ot + 72 + 168);
	dut_destroy(dut);
}

Test(truth, a_state_tells_a_server_that_is_overloaded_from_one_that_is_not)
{
	uint8_t states[2][256];
	size_t sizes[2];

	for (unsigned loses = 0; loses < 2; loses++) {
		struct dut *dut = open_dut("model=overload service_fps=1M buffer_frames=2");
		uint64_t departure_ot;

		cr_assert(send(dut, 0, 64, &departure_ot) && send(dut, 88, 64, &departure_ot));
		cr_assert(!loses || !send(dut, 176, 64, &departure_ot));
		sizes[loses] = dut_state(dut, 800, 0, states[loses], sizeof(states[0]));
		dut_destroy(dut);
	}
	cr_assert(sizes[0] == sizes[1] && sizes[0] > 0 && memcmp(states[0], states[1], sizes[0]) != 0);
}

/* -- reset --------------------------------------------------------------------------------------------------------- */

Test(truth, dark_begins_and_ends_at_its_octet_time)
{
	/* Dark from 10000 until 260000. */
	static const struct {
		uint64_t start_ot;
		uint32_t octets;
		uint64_t leaves_ot; /* 0: never */
	} rows[] = {
	        {9904, 71, 9984}, {9904, 80, 9992}, {9904, 81, 0}, /* would leave at 10000 */
	        {9920, 71, 0},                                     /* is complete at 9999, but not out */
	        {9920, 72, 0},    {259912, 64, 0},  {259992, 64, 0}, {260000, 64, 260072}, {260008, 64, 260080},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dut *dut = open_dut("model=faults,reset drop_every=1000 dark_at_ns=800 dark_for_ns=20000");
		uint64_t departure_ot = 0;
		const bool left = send(dut, rows[i].start_ot, rows[i].octets, &departure_ot);

		cr_expect(left == (rows[i].leaves_ot != 0) && (!left || departure_ot == rows[i].leaves_ot),
		          "row %zu: %" PRIu64, i, left ? departure_ot : 0);
		dut_destroy(dut);
	}
}

Test(truth, dark_is_longer_than_the_longest_frame_on_a_slower_link_too)
{
	static const struct fpgauge_sim_option given[] = {
	        {"dut.model", "reset"}, {"dut.dark_at_ns", "5"}, {"dut.dark_for_ns", "20000"}};
	const char *bad_option;
	char error[256] = "";
	const struct sim_options options = {given, 3, &bad_option, error, sizeof(error)};
	struct dut *dut;

	cr_expect(dut_create(&options, NULL, 0, UINT64_C(1000000000), &dut, 1) == -1);
	cr_expect_str_eq(error, "20000: must be 131232 or more on this link");
	cr_assert(dut_create(&options, NULL, 0, UINT64_C(10000000000), &dut, 1) == 0, "%s", error);
	dut_destroy(dut);
}

Test(truth, what_is_inside_when_it_gets_dark_takes_no_room_afterwards)
{
	struct dut *dut = open_dut("model=fifo,reset service_fps=1k buffer_frames=1 dark_at_ns=800 dark_for_ns=20000");
	uint64_t departure_ot;

	cr_expect(!send(dut, 80, 64, &departure_ot), "it would leave long after the beginning");
	cr_expect(send(dut, 300000, 64, &departure_ot) && departure_ot == 300072 + 12500000);
	dut_destroy(dut);
}

Test(truth, what_arrives_whole_in_the_octet_time_in_which_it_gets_dark_is_lost)
{
	/* Visible in the drops: every second frame is dropped, and a lost one is not counted. */
	for (uint32_t octets = 63; octets < 66; octets++) {
		struct dut *dut = open_dut("model=faults,reset drop_every=2 dark_at_ns=800 dark_for_ns=20000");
		uint64_t departure_ot;

		send(dut, 9928, octets, &departure_ot); /* complete at 9999, 10000, 10001 */
		cr_expect(send(dut, 300000, 64, &departure_ot) == (octets != 63), "%u", octets);
		dut_destroy(dut);
	}
}

/* Opens it, and gives a command at every time that is not 0. */
static struct dut *open_and_reset(const char *settings, const uint64_t from_ot[3])
{
	struct dut *dut = open_dut(settings);

	for (unsigned i = 0; i < 3 && from_ot[i] != 0; i++)
		cr_assert(dut_reset(dut, from_ot[i]));
	return dut;
}

/* Dark lasts 250000 octet times. A frame of 64 octets that starts within it is lost, and one that starts at its end is
 * not. */
Test(truth, dark_times_that_touch_are_one)
{
	static const char at_10000[] = "model=faults,reset drop_every=1000 dark_at_ns=800 dark_for_ns=20000",
	                  without[] = "model=faults,reset drop_every=1000 dark_for_ns=20000";
	static const struct {
		const char *settings;
		uint64_t from_ot[3];
		uint64_t start_ot;
		bool leaves;
	} rows[] = {
	        {without, {0}, 10000, true}, /* no command: it never goes dark */
	        {without, {100000}, 99920, true},
	        {without, {100000}, 100000, false},
	        {without, {100000}, 349992, false},
	        {without, {100000}, 350000, true},
	        {without, {100000, 200000}, 449992, false}, /* a command while dark prolongs it */
	        {without, {100000, 200000}, 450000, true},
	        {without, {100000, 350000}, 349992, false}, /* so does one at its end */
	        {without, {100000, 350000}, 350000, false},
	        {without, {100000, 350000}, 600000, true},
	        {without, {100000, 360000}, 350000, true}, /* not dark in between */
	        {without, {100000, 360000}, 360000, false},
	        {without, {100000, 360000}, 610000, true},
	        {without, {100000, 400000, 700000}, 949992, false}, /* nothing is left of earlier ones */
	        {without, {100000, 400000, 700000}, 950000, true},
	        {at_10000, {200000}, 449992, false},
	        {at_10000, {200000}, 450000, true},
	        {at_10000, {270000}, 262000, true},
	        {at_10000, {270000}, 270000, false},
	        {"model=faults,reset drop_every=1000 dark_at_ns=40000 dark_for_ns=20000", {100000}, 360000, true},
	        {"model=faults,reset drop_every=1000 dark_at_ns=40000 dark_for_ns=20000", {100000}, 500000, false},
	        {"model=faults,reset drop_every=1000 dark_at_ns=40000 dark_for_ns=20000", {300000}, 749992, false},
	        {"model=faults,reset drop_every=1000 dark_at_ns=40000 dark_for_ns=20000", {300000}, 750000, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dut *dut = open_and_reset(rows[i].settings, rows[i].from_ot);
		uint64_t departure_ot;

		cr_expect(send(dut, rows[i].start_ot, 64, &departure_ot) == rows[i].leaves, "row %zu", i);
		dut_destroy(dut);
	}
}

Test(truth, what_is_inside_goes_with_a_dark_time_that_no_frame_has_seen)
{
	/* Visible in the drops after the buffer: every second frame is dropped. The first frame was in the buffer until
	 * 100000; the second finds room, so the third is the third. */
	struct dut *dut =
	        open_dut("model=fifo,faults,reset service_fps=1k buffer_frames=1 drop_every=2 dark_for_ns=20000");
	uint64_t departure_ot;

	send(dut, 80, 64, &departure_ot);
	cr_assert(dut_reset(dut, 100000) && dut_reset(dut, 2000000));
	send(dut, 1980000, 64, &departure_ot);
	cr_expect(send(dut, 2300000, 64, &departure_ot));
	dut_destroy(dut);
}

Test(truth, a_device_without_reset_refuses_it)
{
	struct dut *dut = open_dut("model=fifo,faults drop_every=2");

	cr_expect(!dut_reset(dut, 100000));
	dut_destroy(dut);
	dut = open_dut("model=wire");
	cr_expect(!dut_reset(dut, 100000));
	dut_destroy(dut);
}

/* -- draws --------------------------------------------------------------------------------------------------------- */

Test(draws, below_a_share_of_all_are_hits_and_even_the_least_share_has_one)
{
	static const struct {
		struct quantity share;
		uint64_t limit;
	} rows[] = {
	        {{.numerator = 1, .denominator = 1}, UINT64_MAX},
	        {{.numerator = 1, .denominator = 2}, UINT64_MAX / 2},
	        {{.numerator = 3, .denominator = 4}, UINT64_MAX / 4 * 3 + 2},
	        {{.numerator = 1, .denominator = 3},
	         UINT64_MAX / 3}, /* 6148914691236517205 and a third: one more hits */
	        {{.numerator = 1, .denominator = UINT64_MAX}, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect(random_limit(&rows[i].share) == rows[i].limit, "row %zu: %" PRIu64, i,
		          random_limit(&rows[i].share));
}

Test(draws, exponential_times_are_minus_mean_times_the_logarithm)
{
	uint64_t state = 42, check = 42;
	double sum = 0;

	for (unsigned i = 0; i < 100000; i++) {
		const uint64_t mean_ot = 12500 + i * UINT64_C(1000003);
		const double u = (double)(splitmix64(&check) | 1) / 0x1p64;
		const double exact = -log(u) * (double)mean_ot;
		const double drawn = (double)random_exponential_ot(&state, mean_ot);

		/* 32 bits of logarithm. */
		cr_assert(fabs(drawn - exact) <= 2 + (double)mean_ot * 1e-8, "%f, not %f", drawn, exact);
		sum += drawn / (double)mean_ot;
	}
	cr_expect(fabs(sum / 100000 - 1) < 0.01, "mean %f", sum / 100000);
}

Test(draws, of_two_directions_and_two_seeds_differ)
{
	struct dut *duts[2], *other;
	uint64_t departure_ot, same = 0, alike = 0;

	open_duts("model=faults drop_probability=50%", duts, 2);
	other = open_dut("model=faults drop_probability=50% seed=2");
	for (uint64_t n = 0; n < 10000; n++) {
		const bool first = send(duts[0], n * 800, 64, &departure_ot);

		same += first == send(duts[1], n * 800, 64, &departure_ot);
		alike += first == send(other, n * 800, 64, &departure_ot);
	}
	cr_expect(same > 4700 && same < 5300 && alike > 4700 && alike < 5300, "%" PRIu64 " %" PRIu64, same, alike);
	dut_destroy(duts[0]);
	dut_destroy(duts[1]);
	dut_destroy(other);
}

Test(draws, hit_the_share_that_was_asked_for)
{
	static const struct {
		const char *text;
		double share;
	} rows[] = {{"model=faults drop_probability=0.1%", 0.001},
	            {"model=faults drop_probability=0.25", 0.25},
	            {"model=faults drop_probability=99.9%", 0.999},
	            {"model=faults drop_every=7", 1.0 / 7}};

	for (size_t i = 0; i < 4; i++) {
		struct dut *dut = open_dut(rows[i].text);
		const double n = 1000000, deviation = sqrt(n * rows[i].share * (1 - rows[i].share));
		uint64_t departure_ot, lost = 0;

		for (uint64_t k = 0; k < 1000000; k++)
			lost += !send(dut, k * 88, 64, &departure_ot);
		cr_expect(fabs((double)lost - n * rows[i].share) < 4 * deviation, "%s: %" PRIu64, rows[i].text, lost);
		dut_destroy(dut);
	}
}

Test(draws, stalls_do_not_overlap_and_skip_to_where_stepping_leads)
{
	for (unsigned at_random = 0; at_random < 2; at_random++) {
		struct stalls stepped, skipped;
		double gaps = 0;

		stalls_init(&stepped, 777, 12500, at_random, 99);
		stalls_init(&skipped, 777, 12500, at_random, 99);
		for (uint64_t ot = 0; ot < UINT64_C(100000000); ot += ot / 3 + 4001) {
			while (stepped.end_ot <= ot) {
				const uint64_t end_ot = stepped.end_ot;

				cr_assert(stepped.end_ot - stepped.start_ot == 777);
				stalls_next(&stepped);
				cr_assert(stepped.start_ot >= end_ot);
				gaps += (double)(stepped.start_ot - (at_random ? end_ot : end_ot - 777)) / 12500;
			}
			stalls_skip_to(&skipped, ot);
			cr_assert(skipped.start_ot == stepped.start_ot && skipped.end_ot == stepped.end_ot);
		}
		cr_expect(gaps > 1000);
	}
}
