/* SPDX-License-Identifier: Apache-2.0 */
/* Bursty traffic on a FIFO that is played frame by frame, and with a tester that fails. */
#include "bench_case.h"
#include "host/bench/rfc2544/bursty_traffic.h"

static struct bench_case c;
static struct bursty_traffic_settings settings;
static const uint32_t SIZES[] = {64, 1518};
static const uint64_t SERVICE_N = 37, SERVICE_D = 100, BUFFER_FRAMES = 50;

static void begin(void)
{
	case_begin(&c, SIZES, 2);
	settings = (struct bursty_traffic_settings){.bursts = {4, {1, 16, 64, 79}},
	                                            .trial_duration_ns = 2000000,
	                                            .search_trial_duration_ns = 2000000,
	                                            .max_gap = {QUANTITY_PLAIN, 0, 1},
	                                            .resolution = {QUANTITY_PERCENT, 1, 1000}};
	c.tests[0].benchmark = &BURSTY_TRAFFIC.plan;
	c.tests[0].settings = &settings;
	c.plan.test_count = 1;
	fifo_begin(&c.fifo, BUFFER_FRAMES, SERVICE_N, SERVICE_D);
}

static void end(void)
{
	case_end(&c);
}

TestSuite(bursty_traffic, .init = begin, .fini = end);

static const json_t *row_of(uint32_t frame_octets, size_t i)
{
	return json_array_get(json_object_get(case_result(&c, "bursty_traffic", frame_octets), "bursts"), i);
}

/* Frames lost in the trial that a row is about, at a gap. */
static uint64_t lost_at(uint32_t frame_octets, const json_t *row, double gap_octets)
{
	const uint64_t burst = (uint64_t)number(row, "burst_frames"), gap = (uint64_t)gap_octets;
	const uint64_t period = burst * (frame_octets + 20) + gap - 12, bursts = (25000000 + period - 1) / period;
	const struct trial_request request = {.shape = {.frame_octets = frame_octets},
	                                      .gap_octets = 12,
	                                      .burst_frames = burst,
	                                      .bursts = bursts > 2 ? bursts : 2,
	                                      .burst_gap_octets = gap};

	return fifo_lost_of_bursts(&c.fifo, &request);
}

/* A burst of 79 frames at 64 octets leaves 79 - floor(78 x 0.37) = 51 in the buffer of 50, one of 78 has room. */
static void check_rows(void)
{
	for (unsigned size = 0; size < 2; size++) {
		const json_t *result = case_result(&c, "bursty_traffic", SIZES[size]);

		cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
		cr_assert_eq(json_array_size(json_object_get(result, "bursts")), 4);
		for (size_t i = 0; i < 3; i++) {
			const json_t *row = row_of(SIZES[size], i);
			const double gap = number(row, "inter_burst_gap_octets"),
			             lossy = number(row, "lossy_gap_octets");

			cr_expect_str_eq(text(row, "outcome"), "found");
			cr_expect_eq(lost_at(SIZES[size], row, gap), 0);
			cr_expect_eq(2 * lost_at(SIZES[size], row, lossy),
			             (uint64_t)number(row, "lossy_gap_lost_frames"));
			cr_expect_gt(number(row, "lossy_gap_lost_frames"), 0);
			cr_expect_eq(gap - lossy, number(row, "resolution_octets"));
			cr_expect_leq(gap, number(row, "true_gap_octets") + number(row, "resolution_octets"));
		}
		cr_expect_str_eq(text(row_of(SIZES[size], 3), "outcome"), "no_gap");
		cr_expect(isnan(number(row_of(SIZES[size], 3), "inter_burst_gap_octets")));
		cr_expect(isnan(number(row_of(SIZES[size], 3), "true_gap_octets")));
		cr_expect_eq(number(result, "bursts_without_gap"), 1);
		cr_expect(flagged(result, "bursts of 79 frames were lost even with a gap of"));
	}
}

Test(bursty_traffic, gap_of_a_fifo_is_the_smallest_at_which_it_loses_nothing)
{
	cr_assert_eq(case_run(&c), 0);
	check_rows();
	cr_expect_eq(number(row_of(64, 3), "trials"), 1);
	cr_expect_eq(c.fifo.last.settle_ot, 25000000000u);
}

static void check_settled(void)
{
	cr_assert_eq(case_run(&c), 0);
	for (size_t i = 0; i < 3; i++) {
		const json_t *row = row_of(64, i);

		cr_expect_eq(lost_at(64, row, number(row, "inter_burst_gap_octets")), 0);
		cr_expect_gt(lost_at(64, row, number(row, "lossy_gap_octets")), 0);
		cr_expect_eq(number(row, "inter_burst_gap_octets") - number(row, "lossy_gap_octets"),
		             number(row, "resolution_octets"));
	}
	cr_expect_str_eq(text(row_of(64, 3), "outcome"), "no_gap");
}

/* Trials of a hundredth find gaps that are too short, because the buffer hides it. */
Test(bursty_traffic, gap_that_short_trials_found_is_settled_by_trials_of_full_length)
{
	settings.search_trial_duration_ns = 20000;
	check_settled();
}

Test(bursty_traffic, gap_that_trials_of_full_length_confirm_at_once_keeps_the_lossy_one_below_it)
{
	settings.search_trial_duration_ns = settings.trial_duration_ns - 1000;
	check_settled();
	cr_expect_float_eq(number(row_of(64, 1), "trials"), 20, 4);
}

/* Each invalid trial has loss that must not be believed, and is repeated with its gap. */
Test(bursty_traffic, repeats_invalid_trials_and_does_not_count_them_as_loss)
{
	for (unsigned every = 2; every <= 7; every++) {
		fifo_begin(&c.fifo, BUFFER_FRAMES, SERVICE_N, SERVICE_D);
		c.fifo.invalid_every = every;
		cr_assert_eq(case_run(&c), 0);
		check_rows();
		cr_expect_gt(number(case_result(&c, "bursty_traffic", 64), "invalid_trials"), 0);
	}
}

Test(bursty_traffic, of_a_tester_that_fails_for_good_is_invalid)
{
	const json_t *result;

	c.fifo.invalid_trials = 1000;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "bursty_traffic", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect(strstr(text(result, "why_invalid"), "ended after 0 of 4 burst sizes"), "%s",
	          text(result, "why_invalid"));
	cr_expect_eq(json_array_size(json_object_get(result, "bursts")), 0);
	cr_expect(isnan(number(result, "max_inter_burst_gap_octets")));
	cr_expect(isnan(number(result, "bursts_without_gap")));
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0);
}

Test(bursty_traffic, of_a_device_that_goes_away_keeps_the_burst_sizes_that_are_done)
{
	const json_t *result;

	c.fifo.cancel_after = 30;
	cr_assert_eq(case_run(&c), ERROR_CANCELLED);
	result = case_result(&c, "bursty_traffic", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect_eq(json_array_size(json_object_get(result, "bursts")), 1);
	cr_expect(isnan(number(result, "max_inter_burst_gap_octets")), "not known of the others");
}

Test(bursty_traffic, of_a_wire_is_the_minimum_gap)
{
	fifo_begin(&c.fifo, BUFFER_FRAMES, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	cr_expect_eq(number(case_result(&c, "bursty_traffic", 1518), "max_inter_burst_gap_octets"), 12);
	cr_expect_eq(number(case_result(&c, "bursty_traffic", 1518), "min_load_percent"), 100);
	cr_expect_eq(number(row_of(64, 1), "trials"), 2);
	cr_expect(flagged(case_result(&c, "bursty_traffic", 64), "the device holds line rate"));
}
