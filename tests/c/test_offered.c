/* SPDX-License-Identifier: Apache-2.0 */
/* Results are made of what was offered: external testers that send more or less than they are asked for, within what
 * the plan tolerates, in front of devices whose capacity is known. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_case.h"
#include "host/bench/rfc2544/frame_loss_rate.h"
#include "host/bench/rfc9971/mlrsearch.h"
#include "offering_tester.h"
#include "tests/seed.h"

enum { USUAL = 100, LONG = 2000 };

static struct bench_case c;
static struct offering_tester offering;
static struct frame_loss_rate_settings loss;
static const uint32_t SIZES[] = {64};
static const double LINE_FPS = 1e11 / 8 / 84, STEP_FPS = 1e11 / 8 / 84 / 1000;
static const double CLOCKS = 1e-4; /* IEEE 802.3: two clocks may differ by that */

static void begin(void)
{
	case_begin(&c, SIZES, 1);
	c.plan.test_count = 1;
	loss = (struct frame_loss_rate_settings){.trial_duration_ns = 100000000, .step = {QUANTITY_PERCENT, 1, 10}};
}

static void end(void)
{
	case_end(&c);
}

TestSuite(offered, .init = begin, .fini = end, .timeout = 120);

static json_t *run_test(const char *test)
{
	json_decref(c.context.results);
	c.context.results = json_array();
	c.tests[0].frame_sizes = c.tests[1].frame_sizes = c.sizes;
	c.context.tester = &offering.tester;
	cr_assert_eq(bench_run(&c.context, &c.plan, &c.error), 0, "%s", c.error.text);
	return case_result(&c, test, 64);
}

static void by_goals(void)
{
	c.tests[0].search = PLAN_SEARCH_MLRSEARCH;
	c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, 1, 1};
	c.tests[0].preset_trial_duration_ns = 1000000000;
}

/* -- one fault at a time ------------------------------------------------------------------------------------------ */

/* Half of line rate, by a tester that sends 91% of what it is asked for: asked for 55%, it passes. */
Test(offered, a_tester_that_sends_91_percent_finds_what_the_device_forwards)
{
	const json_t *result;

	offering_begin(&offering, 64, LINE_FPS / 2, 1);
	offering.fps = 0.91;
	result = run_test("throughput");
	cr_expect(is_true(result, "valid"));
	cr_expect_leq(number(result, "throughput_fps"), LINE_FPS / 2 + 10);
	cr_expect_geq(number(result, "throughput_fps"), LINE_FPS / 2 - STEP_FPS);
	cr_expect_geq(number(result, "first_lossy_fps"), LINE_FPS / 2);
	cr_expect_float_eq(number(result, "throughput_percent"), 100 * number(result, "throughput_fps") / LINE_FPS,
	                   1e-9);
	cr_expect_float_eq(number(result, "offered_load_fps"), number(result, "throughput_fps"), 1e-6);
	cr_expect_float_eq(number(result, "intended_load_fps") * 0.91, number(result, "throughput_fps"), 1);
	cr_expect(flagged(result, "the tester offered another load than was intended, 91% of it"));
	cr_expect(flagged(result, "the line was never reached: at most 91% of line rate was offered"));
	cr_expect(!is_true(result, "at_least"), "the device loses above");
}

Test(offered, what_passes_at_91_percent_of_a_line_that_was_never_reached_is_at_least_that)
{
	const json_t *result;

	offering_begin(&offering, 64, LINE_FPS, 1);
	offering.fps = 0.91;
	result = run_test("throughput");
	cr_expect(is_true(result, "valid"));
	cr_expect_float_eq(number(result, "throughput_percent"), 91, 1e-6);
	cr_expect(is_true(result, "at_least"));
	cr_expect(flagged(result, "the line was never reached: at most 91% of line rate was offered"));
	cr_expect(json_is_null(json_object_get(result, "first_lossy_fps")));
}

Test(offered, what_passes_at_91_percent_of_max_load_is_at_least_that_and_no_more)
{
	const json_t *result;

	offering_begin(&offering, 64, LINE_FPS, 1);
	c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, 8, 10};
	offering.fps = 0.91;
	result = run_test("throughput");
	cr_expect_float_eq(number(result, "throughput_percent"), 72.8, 1e-6);
	cr_expect(is_true(result, "at_least"));
	cr_expect(flagged(result,
	                  "the highest load that was offered is 72.8% of line rate, as max_load of the plan says"));
	cr_expect(!flagged(result, "the line was never reached"), "it was not asked for");
}

/* Ten times the resolution. */
Test(offered, a_duration_that_is_one_percent_longer_shifts_no_result)
{
	for (int i = -1; i <= 1; i += 2) {
		const json_t *result;

		offering_begin(&offering, 64, 0.5105 * LINE_FPS, 1);
		offering.duration = 1 + i * 0.0099;
		offering.fps = 1 / offering.duration; /* the frames are those that were intended */
		if (i > 0)                            /* frames that were not sent in time are missing at line rate */
			offering.terms.tolerance = (struct rate){0, 1};
		result = run_test("throughput");
		cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
		cr_expect_float_eq(number(result, "throughput_fps"), 0.5105 * LINE_FPS, 1.02 * STEP_FPS, "%f steps off",
		                   (number(result, "throughput_fps") - 0.5105 * LINE_FPS) / STEP_FPS);
	}
}

Test(offered, a_tester_that_offers_what_it_is_asked_for_changes_no_result_and_raises_no_flag)
{
	const json_t *result;

	offering_begin(&offering, 64, LINE_FPS / 2, 1);
	result = run_test("throughput");
	cr_expect_float_eq(number(result, "throughput_percent"), 50, 1e-9, "on the grid");
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0);
	cr_expect(!json_object_get(result, "intended_load_fps"));
	offering_begin(&offering, 64, LINE_FPS, 1);
	offering.duration = 1 + CLOCKS / 2;
	offering.fps = 1 / offering.duration;
	result = run_test("throughput");
	cr_expect_eq(number(result, "throughput_percent"), 100, "clocks may differ by that");
	cr_expect(!json_object_get(result, "at_least"));
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0);
}

/* The excess is 105% of the frames, or a clock that is half a percent fast: no line carries either. */
Test(offered, more_than_the_line_can_carry_is_the_line_and_a_flag_says_who_is_wrong)
{
	static const struct {
		double duration, fps;
		const char *claim;
	} CASES[] = {{1, 1.05, "up to 105% of it"}, {0.995, 1 / 0.995, "up to 100.5% of it"}};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(*CASES); i++) {
		const json_t *result;

		offering_begin(&offering, 64, 2 * LINE_FPS, 1);
		offering.duration = CASES[i].duration;
		offering.fps = CASES[i].fps;
		offering.most_fps = 2 * LINE_FPS;
		result = run_test("throughput");
		cr_expect_eq(number(result, "throughput_percent"), 100);
		cr_expect(
		        flagged(result, "in 1 of 1 valid trials the tester says that it offered more than line rate"));
		cr_expect(flagged(result, CASES[i].claim));
	}
}

/* RFC 9971 4.9.1: a severe deviation is loss, and the search then finds what the tester can do. */
Test(offered, mlrsearch_takes_what_was_not_offered_for_lost_and_says_whose_limit_it_found)
{
	for (int as_throughput = 0; as_throughput < 2; as_throughput++) {
		const char *key = as_throughput ? "throughput_fps" : "conditional_throughput_fps";
		const json_t *result;

		by_goals();
		if (!as_throughput)
			c.tests[0].benchmark = &MLRSEARCH.plan;
		else
			c.tests[0].benchmark = &THROUGHPUT.plan;
		offering_begin(&offering, 64, LINE_FPS, 1);
		offering.most_fps = 0.92 * LINE_FPS;
		result = run_test(as_throughput ? "throughput" : "mlrsearch");
		cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
		cr_expect_leq(number(result, key), 0.92 * LINE_FPS + 1);
		cr_expect_geq(number(result, key), 0.92 * LINE_FPS * (1 - 0.005));
		cr_expect(is_true(result, "at_least"));
		cr_expect(flagged(result, "no limit of the device was found"));
		cr_expect(flagged(result, "the line was never reached: at most 92% of line rate was offered"));
		/* A device that loses below that is found as by any other tester. */
		offering_begin(&offering, 64, 0.6 * LINE_FPS, 1);
		offering.most_fps = 0.92 * LINE_FPS;
		result = run_test(as_throughput ? "throughput" : "mlrsearch");
		cr_expect_leq(number(result, key), 0.6 * LINE_FPS + 10);
		cr_expect_geq(number(result, key), 0.6 * LINE_FPS * (1 - 0.005));
		cr_expect(!is_true(result, "at_least"));
		/* One that never offers what it is asked for finds nothing, and that is no throughput of 0. */
		offering_begin(&offering, 64, 0.6 * LINE_FPS, 1);
		offering.fps = 0.95;
		result = run_test(as_throughput ? "throughput" : "mlrsearch");
		cr_expect(!is_true(result, "valid"));
		cr_expect(isnan(number(result, key)));
		cr_expect(strstr(text(result, "why_invalid"),
		                 "the tester offered too little even at the lowest load that was tried, 0.01%"),
		          "%s", text(result, "why_invalid"));
	}
}

Test(offered, a_deviation_within_the_goal_width_is_in_the_load_of_mlrsearch)
{
	const json_t *result;

	by_goals();
	c.tests[0].benchmark = &MLRSEARCH.plan;
	offering_begin(&offering, 64, 0.6 * LINE_FPS, 1);
	offering.fps = 0.997;
	result = run_test("mlrsearch");
	cr_expect(is_true(result, "regular"), "%s", text(result, "end"));
	cr_expect_leq(number(result, "conditional_throughput_fps"), 0.6 * LINE_FPS + 10);
	cr_expect_geq(number(result, "relevant_upper_bound_fps"), 0.6 * LINE_FPS);
	cr_expect_geq(number(result, "conditional_throughput_fps"), 0.6 * LINE_FPS * (1 - 0.005));
	cr_expect_float_eq(number(result, "intended_load_fps") * 0.997, number(result, "offered_load_fps"), 1);
}

Test(offered, frame_loss_rate_has_the_loads_that_were_offered)
{
	const json_t *result, *point;
	size_t i;

	c.tests[0].benchmark = &FRAME_LOSS_RATE.plan;
	c.tests[0].settings = &loss;
	offering_begin(&offering, 64, 0.6 * LINE_FPS, 1);
	offering.fps = 0.91;
	result = run_test("frame_loss_rate");
	cr_expect(json_is_null(json_object_get(result, "line_rate_loss_percent")), "the line was never reached");
	cr_expect_float_eq(number(result, "max_load_loss_percent"), 100 * (1 - 0.6 / 0.91), 1e-3);
	json_array_foreach(json_object_get(result, "points"), i, point)
	{
		const double load = 0.91 * (1 - 0.1 * (double)i);

		cr_expect_float_eq(number(point, "load_percent"), 100 * load, 1e-5);
		cr_expect_float_eq(number(point, "load_fps"), load * LINE_FPS, 10);
		cr_expect_float_eq(number(point, "intended_load_fps"), (1 - 0.1 * (double)i) * LINE_FPS, 1);
		cr_expect_float_eq(number(point, "loss_percent"), 100 * fmax(0, 1 - 0.6 / load), 1e-3);
	}
	cr_expect_float_eq(number(result, "loss_free_load_percent"), 0.6 * 91, 1e-5);
	cr_expect_float_eq(number(result, "loss_free_load_fps"), 0.6 * 0.91 * LINE_FPS, 10);
	cr_expect(flagged(result, "the line was never reached: at most 91% of line rate was offered"));
}

/* A burst of N frames passes as far as B and those served meanwhile. */
Test(offered, the_longest_burst_is_of_the_frames_that_were_offered)
{
	const json_t *result;
	const double longest = 8 / (1 - 0.5);

	c.plan.test_count = 2;
	c.tests[1].shape = c.tests[0].shape;
	c.burst.first_burst_frames = 64;
	offering_begin(&offering, 64, LINE_FPS / 2, 1);
	offering.buffer_frames = 1000;
	offering.fps = 0.91;
	result = run_test("back_to_back");
	cr_expect_float_eq(number(result, "average_frames"), longest / 8 * 1000, 2, "%f",
	                   number(result, "average_frames"));
	cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
}

/* -- 100 at random ------------------------------------------------------------------------------------------------ */

enum kind { CONSTANT, BY_CHANCE, CAPPED, KINDS };

static double between(double low, double high)
{
	return low + (high - low) * offering_random(&offering);
}

static void draw_tester(enum kind kind, uint64_t seed)
{
	offering_begin(&offering, 64, 0, seed);
	offering.service_fps = between(0.05, 1.05) * LINE_FPS;
	offering.buffer_frames = 1 + (uint64_t)between(0, 8);
	if (kind == CONSTANT)
		offering.fps = between(0.9001, 1.0999);
	if (kind == CAPPED)
		offering.most_fps = between(0.95, 1) * LINE_FPS;
	offering.duration = between(fmax(0.9501, 0.9001 / offering.fps), fmin(1.0499, 1.0999 / offering.fps));
	if (kind == CAPPED && offering_random(&offering) < 0.5)
		offering.duration_vary = fmin(offering.duration - 0.95, 1.05 - offering.duration);
	if (kind == BY_CHANCE) {
		offering.duration = 1;
		offering.duration_vary = 0.0499;
		offering.fps_vary = 0.0475;
	}
}

/* Bounds are right whoever sends; they are a step apart, or a flag says that they are not. */
static bool check_random(const json_t *result, const char *key, double width_fps)
{
	const double found = number(result, key), truth = offering.service_fps;
	/* The slack is what a trial of almost a second hides in the buffer, and one end of it. */
	const double slack_fps = 25;
	const double line_or_truth = fmin(truth, LINE_FPS);
	const bool apart = flagged(result, "more than the resolution"), at_least = is_true(result, "at_least");

	if (!is_true(result, "valid"))
		return false;
	cr_expect_leq(found, truth + slack_fps, "above what the device forwards by %f", found - truth);
	cr_expect_leq(found, offering.highest_fps * (1 + CLOCKS) + 1, "more than was ever offered");
	cr_expect(!at_least || flagged(result, "no limit of the device was found"));
	if (!apart && !at_least)
		cr_expect_geq(found, line_or_truth - width_fps - slack_fps, "%f steps below, and no flag",
		              (line_or_truth - found) / STEP_FPS);
	if (at_least && c.tests[0].search != PLAN_SEARCH_MLRSEARCH)
		cr_expect_geq(found, fmin(truth, offering.highest_fps) - width_fps - slack_fps,
		              "the most that was offered");
	return !apart && !at_least;
}

static void check_all(enum plan_search search)
{
	const bool full = getenv("FPGAUGE_LONG") != NULL;
	const uint64_t seed = test_seed();
	const unsigned count = full ? LONG : USUAL;
	unsigned near[KINDS] = {0}, of[KINDS] = {0};

	for (unsigned i = 0; i < count; i++) {
		const enum kind kind = i % KINDS;
		const json_t *result;
		double width_fps;

		draw_tester(kind, seed + i);
		result = run_test("throughput");
		width_fps = search == PLAN_SEARCH_MLRSEARCH ? 0.005 * LINE_FPS : STEP_FPS;
		of[kind]++;
		near[kind] += check_random(result, "throughput_fps", width_fps);
	}
	for (enum kind kind = 0; kind < KINDS; kind++)
		fprintf(stderr, "kind %u: %u of %u without a flag on the resolution\n", kind, near[kind], of[kind]);
}

Test(offered, a_hundred_testers_find_the_throughput_to_a_step_or_say_that_they_did_not)
{
	check_all(PLAN_SEARCH_BINARY);
}

Test(offered, a_hundred_testers_with_loss_verification_do_the_same)
{
	c.tests[0].search = PLAN_SEARCH_LOSS_VERIFICATION;
	c.tests[0].max_trials = 3;
	check_all(PLAN_SEARCH_LOSS_VERIFICATION);
}

Test(offered, a_hundred_testers_by_mlrsearch_do_the_same)
{
	by_goals();
	check_all(PLAN_SEARCH_MLRSEARCH);
}
