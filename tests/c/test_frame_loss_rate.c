/* SPDX-License-Identifier: Apache-2.0 */
/* Frame loss rate on a FIFO whose answer is known, and with a tester that fails. */
#include "bench_case.h"
#include "host/bench/rfc2544/frame_loss_rate.h"

static struct bench_case c;
static struct frame_loss_rate_settings settings;
static const uint32_t SIZES[] = {64, 1518};
static const uint64_t SERVICE_N = 37, SERVICE_D = 100, BUFFER_FRAMES = 50;

static void begin(void)
{
	case_begin(&c, SIZES, 2);
	settings = (struct frame_loss_rate_settings){.trial_duration_ns = 10000000, .step = {QUANTITY_PERCENT, 1, 10}};
	c.tests[0].benchmark = &FRAME_LOSS_RATE.plan;
	c.tests[0].settings = &settings;
	c.plan.test_count = 1;
	fifo_begin(&c.fifo, BUFFER_FRAMES, SERVICE_N, SERVICE_D);
}

static void end(void)
{
	case_end(&c);
}

TestSuite(frame_loss_rate, .init = begin, .fini = end);

static const json_t *points_of(uint32_t frame_octets)
{
	return json_object_get(case_result(&c, "frame_loss_rate", frame_octets), "points");
}

/* Every point: loads from the top down, and the loss of this FIFO at each, in both directions. */
static void check_points(uint32_t frame_octets, size_t count)
{
	const json_t *points = points_of(frame_octets);
	const struct rate line = rate_max_theoretical(UINT64_C(100000000000), frame_octets);

	cr_assert_eq(json_array_size(points), count, "%zu points", json_array_size(points));
	for (size_t i = 0; i < count; i++) {
		const json_t *point = json_array_get(points, i);
		const uint64_t offered = (uint64_t)number(point, "offered_frames");
		const struct rate load = rate_scale(line, 10 - i, 10);
		const uint64_t lost =
		        2 * fifo_lost(offered / 2, BUFFER_FRAMES, load, rate_scale(line, SERVICE_N, SERVICE_D));

		cr_expect_float_eq(number(point, "load_percent"), 100 - 10 * (double)i, 1e-9);
		cr_expect_float_eq(number(point, "load_fps"), rate_fps(load), 1e-3);
		cr_expect_eq((uint64_t)number(point, "lost_frames"), lost, "at load %zu", i);
		cr_expect_eq((uint64_t)number(point, "received_frames"), offered - lost);
		cr_expect_float_eq(number(point, "loss_percent"), 100 * (double)lost / (double)offered, 1e-9);
	}
}

/* 37%: 40% loses, 30% and 20% do not. */
Test(frame_loss_rate, of_a_fifo_is_its_loss_at_every_load_down_to_two_without)
{
	cr_assert_eq(case_run(&c), 0);
	for (unsigned i = 0; i < 2; i++) {
		const json_t *result = case_result(&c, "frame_loss_rate", SIZES[i]);

		check_points(SIZES[i], 9);
		cr_expect(is_true(result, "valid"));
		cr_expect_float_eq(number(result, "loss_free_load_percent"), 30, 1e-9);
		cr_expect_eq(number(json_object_get(result, "counters"), "trials"), 9);
		cr_expect_eq(json_array_size(json_object_get(result, "ports")), 2);
	}
}

/* Each invalid trial has loss that must not be believed, and is repeated at its load. */
Test(frame_loss_rate, repeats_invalid_trials_in_the_middle_and_does_not_count_them)
{
	for (unsigned every = 2; every <= 7; every++) {
		fifo_begin(&c.fifo, BUFFER_FRAMES, SERVICE_N, SERVICE_D);
		c.fifo.invalid_every = every;
		cr_assert_eq(case_run(&c), 0);
		check_points(64, 9);
		check_points(1518, 9);
		cr_expect_gt(number(case_result(&c, "frame_loss_rate", 64), "invalid_trials"), 0);
		cr_expect(is_true(case_result(&c, "frame_loss_rate", 64), "valid"));
	}
}

Test(frame_loss_rate, of_a_tester_that_fails_for_good_is_invalid)
{
	const json_t *result;

	c.fifo.invalid_trials = 1000;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "frame_loss_rate", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect(strstr(text(result, "why_invalid"), "ended after 0 loads"), "%s", text(result, "why_invalid"));
	cr_expect_eq(json_array_size(points_of(64)), 0);
	cr_expect(isnan(number(result, "line_rate_loss_percent")));
	cr_expect(isnan(number(result, "max_loss_percent")));
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0);
}

Test(frame_loss_rate, keeps_what_it_measured_before_the_run_was_stopped)
{
	const json_t *result;

	c.fifo.cancel_after = 4;
	cr_assert_eq(case_run(&c), ERROR_CANCELLED);
	result = case_result(&c, "frame_loss_rate", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect(strstr(text(result, "why_invalid"), "ended after 4 loads: stopped by the user"), "%s",
	          text(result, "why_invalid"));
	check_points(64, 4);
	cr_expect(isnan(number(result, "loss_free_load_percent")));
}

Test(frame_loss_rate, needs_no_more_and_no_fewer_trials_than_it_says_before)
{
	const uint64_t steps[][2] = {{1, 10}, {7, 100}, {1, 1000}};

	for (unsigned i = 0; i < 3; i++) {
		settings.step = (struct quantity){QUANTITY_PERCENT, steps[i][0], steps[i][1]};
		for (unsigned slow = 0; slow < 2; slow++) {
			struct extent extent = FRAME_LOSS_RATE.extent(&c.tests[0], 64, UINT64_C(100000000000));

			fifo_begin(&c.fifo, 1, 1, slow ? 100000 : 1);
			cr_assert_eq(case_run(&c), 0);
			cr_expect_eq(number(case_result(&c, "frame_loss_rate", 64), "trials"),
			             slow ? extent.most.trials : extent.least.trials);
			cr_expect_eq(flagged(case_result(&c, "frame_loss_rate", 64), "even at the lowest load"), slow);
		}
	}
}
