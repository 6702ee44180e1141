/* SPDX-License-Identifier: Apache-2.0 */
/* Time left, and the line that reports it, against sums worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/bench/rfc2544/throughput.h"
#include "host/bench/rfc9004/back_to_back.h"
#include "host/bench/rfc9971/mlrsearch.h"
#include "host/commands/run/live_line.h"
#include "host/commands/run/trial_log.h"
#include "host/forecast/wall_time.h"
#include "host/traffic/sizes.h"

static const double NEAR = 1e-6;
static const uint64_t LINK_BPS = UINT64_C(100000000000);

static uint32_t sizes[] = {64, 128};
static struct plan_test tests[2];
static struct throughput_settings rates;
static struct back_to_back_settings bursts;
static struct plan plan = {.tests = tests, .test_count = 1};
static struct pace_size measured[] = {
        {.frame_octets = 64, .bidirectional = true, .trial_s = 0.5, .sending_s = 200, .lossy_after_s = NAN},
        {.frame_octets = 128, .bidirectional = true, .trial_s = 0.25, .sending_s = 100, .lossy_after_s = NAN},
};
static struct pace pace;
static const struct tester_ops NO_METER = {.run = NULL};
static struct tester tester;
static const struct forecast FORECAST = {&plan, &pace, &tester};

/* Trials of 10 s at a resolution of a quarter: 3 of them per size; waits of 2 s, which cost a simulation nothing. */
static void begin(enum pace_kind kind)
{
	rates = (struct throughput_settings){.trial_duration_ns = 10 * NS_PER_S,
	                                     .search_trial_duration_ns = 10 * NS_PER_S,
	                                     .resolution = {QUANTITY_PERCENT, 1, 4}};
	bursts = (struct back_to_back_settings){
	        .repetitions = 50, .resolution = {QUANTITY_FRAMES, 1, 1}, .max_burst = {QUANTITY_TIME, 30, 1}};
	tests[0] = (struct plan_test){.benchmark = &THROUGHPUT.plan,
	                              .settings = &rates,
	                              .frame_sizes = sizes,
	                              .frame_size_count = 2,
	                              .max_trials = 1,
	                              .settle_ns = 2 * NS_PER_S,
	                              .shape = traffic_shape_plain(0)};
	tests[1] = (struct plan_test){.benchmark = &BACK_TO_BACK.plan,
	                              .settings = &bursts,
	                              .frame_sizes = sizes,
	                              .frame_size_count = 1,
	                              .max_trials = 1,
	                              .shape = traffic_shape_plain(0)};
	plan.test_count = 1;
	pace = (struct pace){.kind = kind, .sizes = measured, .size_count = kind == PACE_MEASURED ? 2 : 0};
	tester = (struct tester){.ops = &NO_METER, .info = {.link_bps = LINK_BPS, .senders = 2}};
}

static struct bench_progress progress(unsigned step, unsigned estimate, double seconds_left)
{
	return (struct bench_progress){.benchmark = &THROUGHPUT,
	                               .test_number = 1,
	                               .test_count = 1,
	                               .frame_octets = 64,
	                               .step = step,
	                               .steps_estimate = estimate,
	                               .repetition = 1,
	                               .repetitions = 1,
	                               .low = 100,
	                               .high = 300,
	                               .point = 200,
	                               .trial_s = 10,
	                               .seconds_left = seconds_left};
}

static void expect_left(const struct bench_progress *now, double running_s, double sent_s, double size_s, double run_s)
{
	struct time_left left = forecast_left(&FORECAST, now, running_s, sent_s);

	cr_expect_float_eq(left.size_s, size_s, NEAR, "%f", left.size_s);
	cr_expect_float_eq(left.run_s, run_s, NEAR, "%f", left.run_s);
}

Test(forecast, before_any_trial_it_is_what_was_measured_of_the_simulation)
{
	struct bench_progress now = progress(0, 3, -1);

	begin(PACE_MEASURED);
	/* 3 trials of 0.5 + 10 x 200 s here, then 3 of 0.25 + 10 x 100 s. */
	expect_left(&now, 0, 0, 6001.5, 6001.5 + 3000.75);
	expect_left(&now, 0.1, 0, 6001.4, 6001.4 + 3000.75);
}

Test(forecast, a_test_with_each_modifier_alone_comes_again_at_all_sizes)
{
	struct bench_progress now = progress(0, 3, -1);
	struct pace_size modified[] = {measured[0], measured[1]};

	begin(PACE_MEASURED);
	pace.sizes = modified;
	tests[0].shape.modifiers =
	        traffic_modifier_bit(TRAFFIC_BROADCAST) | traffic_modifier_bit(TRAFFIC_RANDOM_DESTINATIONS);
	modified[0].modifiers = modified[1].modifiers = tests[0].shape.modifiers;
	expect_left(&now, 0, 0, 6001.5, 6001.5 + 3000.75);
	tests[0].each_alone = true;
	expect_left(&now, 0, 0, 6001.5, 3 * (6001.5 + 3000.75));
	now.run = 1;
	expect_left(&now, 0, 0, 6001.5, 2 * (6001.5 + 3000.75));
	now.run = 2;
	now.frame_octets = 128;
	expect_left(&now, 0, 0, 3000.75, 3000.75);
}

Test(forecast, in_a_trial_it_follows_how_far_the_trial_has_come)
{
	struct bench_progress now = progress(0, 3, -1);

	begin(PACE_UNKNOWN);
	/* A quarter takes 30 s: 90 s more, and two others of 120 s. What comes after is unknown. */
	expect_left(&now, 30, 2.5, 90 + 240, -1);
	begin(PACE_MEASURED);
	expect_left(&now, 30, 2.5, 90 + 240, 330 + 3000.75);
	/* Everything is sent, and the device drains. */
	expect_left(&now, 130, 10, 0 + 260, 260 + 3000.75);
}

Test(forecast, trials_that_are_over_say_how_long_the_others_are)
{
	struct bench_progress now = progress(2, 5, 3 * 50);

	begin(PACE_MEASURED);
	/* Half of this one in 20 s, then two more as long as the earlier ones. */
	expect_left(&now, 20, 5, 20 + 2 * 50, 120 + 3000.75);
}

Test(forecast, a_search_with_short_trials_has_the_long_one_before_it)
{
	struct bench_progress now = progress(0, 1, -1);

	begin(PACE_MEASURED);
	rates.search_trial_duration_ns = NS_PER_S;
	tests[0].frame_size_count = 1;
	now.trial_s = 1;
	/* 0.5 + 200 s, then at least one of 0.5 + 10 x 200 s; ten times as long at this trial's own pace. */
	expect_left(&now, 0, 0, 200.5 + 2005, 200.5 + 2005);
}

Test(forecast, of_a_card_and_of_a_program_trials_last_as_they_are_asked_for)
{
	struct bench_progress now = progress(0, 3, -1);

	begin(PACE_DEVICE);
	/* 10 s and 2 s of settling each; a later size may drain at no cost here. */
	expect_left(&now, 0, 0, 36, 72);
	begin(PACE_ASKED);
	expect_left(&now, 6, -1, 30, 66);
}

Test(forecast, a_test_to_come_of_which_the_device_decides_makes_the_whole_unknown)
{
	struct bench_progress now = progress(0, 3, -1);

	begin(PACE_MEASURED);
	cr_expect_geq(forecast_left(&FORECAST, &now, 0, 0).run_s, 0);
	plan.test_count = 2;
	expect_left(&now, 0, 0, 6001.5, -1);
}

Test(forecast, without_any_pace_and_before_a_trial_it_is_unknown)
{
	struct bench_progress now = progress(0, 3, -1);

	begin(PACE_UNKNOWN);
	expect_left(&now, 0, -1, -1, -1);
}

Test(live_line, says_how_far_the_trial_is_and_what_is_left_of_the_whole_run)
{
	struct bench_progress now = progress(2, 11, -1);
	char line[512];

	now.trial_s = 60;
	live_line(&now, (struct time_left){60, 3725}, 0.0141, line, sizeof(line));
	cr_expect_str_eq(line,
	                 "[1/1] throughput 64: 1:02:05 left, trial 3/~11, 14.10 ms of 60.00 s, 200 in 100..300 fps");
	live_line(&now, (struct time_left){60, -1}, -1, line, sizeof(line));
	cr_expect_str_eq(line, "[1/1] throughput 64: 1:00 + ? left, trial 3/~11, 200 in 100..300 fps");
	live_line(&now, (struct time_left){-1, -1}, 60, line, sizeof(line));
	cr_expect_str_eq(line, "[1/1] throughput 64: ? left, trial 3/~11, 60.00 s of 60.00 s, 200 in 100..300 fps");
}

Test(live_line, names_a_mix_and_cuts_a_long_one)
{
	struct bench_progress now = progress(2, 11, -1);
	struct traffic_sizes mix;
	struct error error;
	char line[512];

	now.frame_octets = 0;
	now.sizes = &mix;
	cr_assert_eq(traffic_sizes_parse("imix", &mix, &error), 0);
	live_line(&now, (struct time_left){60, 3725}, -1, line, sizeof(line));
	cr_expect_str_eq(line, "[1/1] throughput imix: 1:02:05 left, trial 3/~11, 200 in 100..300 fps");
	cr_assert_eq(traffic_sizes_parse("[100, 200, 300, 400, 500, 600, 700]", &mix, &error), 0);
	live_line(&now, (struct time_left){60, 3725}, -1, line, sizeof(line));
	cr_expect_str_eq(line,
	                 "[1/1] throughput [100,200,300,400,500,...: 1:02:05 left, trial 3/~11, 200 in 100..300 fps");
}

Test(trial_log, has_a_mix_as_one_word)
{
	struct bench_trial trial = {.test = "throughput",
	                            .test_number = 1,
	                            .repetition = 1,
	                            .trial = 1,
	                            .load_fps = 5,
	                            .duration_s = 1,
	                            .why_invalid = "why"};
	struct traffic_sizes mix;
	struct error error;
	char line[200] = "";
	FILE *out = fmemopen(line, sizeof(line), "w");

	cr_assert_eq(traffic_sizes_parse("[100, 200]", &mix, &error), 0);
	trial.sizes = &mix;
	trial_log_line(&trial, out);
	fclose(out);
	cr_expect_str_eq(line, "1 throughput [100,200] 1 1 5.000 - 1 - - - INVALID - - # why\n");
}

Test(live_line, counts_searches_and_frames_of_bursts)
{
	struct bench_progress now = progress(30, 30, -1);
	char line[512];

	now.benchmark = &BACK_TO_BACK;
	now.repetition = 4;
	now.repetitions = 50;
	live_line(&now, (struct time_left){1, 7}, 0, line, sizeof(line));
	cr_expect_str_eq(line,
	                 "[1/1] back_to_back 64: 0:07 left, search 4/50, trial 31/~31, 0 s of 10.00 s, 200 in 100..300 "
	                 "frames");
}

Test(pace, is_the_slope_of_the_longest_trials_and_what_a_short_one_takes_beside)
{
	struct pace_size line = pace_through((struct pace_trial){4, 13}, (struct pace_trial){16, 25});
	/* A twin that jumps ahead once it has seen a period. */
	struct pace_size jumping = pace_through((struct pace_trial){4, 39}, (struct pace_trial){16, 39});
	struct pace_size one = pace_through((struct pace_trial){0, 0}, (struct pace_trial){1, 10});

	cr_expect_float_eq(line.sending_s, 1, NEAR);
	cr_expect_float_eq(line.trial_s, 9, NEAR);
	cr_expect_float_eq(jumping.sending_s, 0, NEAR);
	cr_expect_float_eq(jumping.trial_s, 39, NEAR);
	/* No trial of the plan is longer than the one already run. */
	cr_expect_float_eq(one.sending_s, 10, NEAR);
	cr_expect_float_eq(one.trial_s, 0, NEAR);
}

Test(wall_time, of_a_simulation_that_may_jump_is_only_said_of_trials_like_those_that_were_tried)
{
	struct pace_size jumping[] = {measured[0], measured[1]};
	struct wall_time time;

	begin(PACE_MEASURED);
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	cr_expect_str_eq(time.why, "", "200 s a second: every clock is computed");
	pace.sizes = jumping;
	for (unsigned i = 0; i < 2; i++) {
		jumping[i].trial_s = 0;
		jumping[i].sending_s /= 10;
		jumping[i].tried_s = 0.9;
	}
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	cr_expect(isnan(time.expected_s));
	cr_expect_eq(time.known_s, 0);
	cr_expect_str_eq(wall_time_text(&time).text,
	                 "wall time not known: of test 1, throughput, trials last 10.00 s on average, and those that "
	                 "were tried, of up to 900.00 ms, say too little of them");
	for (unsigned i = 0; i < 2; i++)
		jumping[i].tried_s = 1;
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	cr_expect_str_eq(time.why, "");
	cr_expect_float_eq(time.expected_s, 3 * 200 + 3 * 100, NEAR);
}

Test(wall_time, has_a_lower_bound_only_on_a_card_and_it_is_rounded_down)
{
	struct wall_time time;

	begin(PACE_DEVICE);
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	/* The first trial of each size passes: 10 s and 2 s of settling. */
	cr_expect_float_eq(time.least_s, 24, NEAR);
	tests[0].settle_ns += NS_PER_S / 4;
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	cr_expect_float_eq(time.least_s, 24.5, NEAR);
	cr_expect_str_eq(wall_time_text(&time).text, "at least 0:24 of wall time");
	begin(PACE_MEASURED);
	cr_expect_eq(wall_time_of_plan(&pace, &plan, LINK_BPS).least_s, 0);
	begin(PACE_ASKED);
	cr_expect_eq(wall_time_of_plan(&pace, &plan, LINK_BPS).least_s, 0);
	cr_expect_str_eq(wall_time_of_plan(&pace, &plan, LINK_BPS).why, "that is up to the program");
}

Test(wall_time, of_a_plan_with_a_test_that_is_not_known_names_it)
{
	struct wall_time time;

	begin(PACE_MEASURED);
	plan.test_count = 2;
	tests[1].benchmark = &MLRSEARCH.plan;
	tests[1].settings = NULL;
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	cr_expect_str_eq(time.why, "of test 2, mlrsearch, the device decides how many trials it takes");
	cr_expect(isnan(time.expected_s));
	/* The first is known, and the second makes at least one trial, of 61 s by default. */
	cr_expect_float_eq(time.known_s, 3 * 2000.5 + 3 * 1000.25 + 0.5 + 61 * 200., NEAR, "%f", time.known_s);
}

Test(wall_time, follows_what_was_seen_of_the_device)
{
	begin(PACE_MEASURED);
	cr_expect_float_eq(wall_time_of_plan(&pace, &plan, LINK_BPS).expected_s, 3 * 2000.5 + 3 * 1000.25, NEAR);
	/* It passes line rate at the first size: one trial. */
	measured[0].lossy_after_s = INFINITY;
	cr_expect_float_eq(wall_time_of_plan(&pace, &plan, LINK_BPS).expected_s, 2000.5 + 3 * 1000.25, NEAR);
	measured[0].lossy_after_s = NAN;
}

Test(wall_time, of_traffic_that_there_was_no_time_to_measure_is_not_known)
{
	struct wall_time time;

	begin(PACE_MEASURED);
	pace.size_count = 1;
	time = wall_time_of_plan(&pace, &plan, LINK_BPS);
	cr_expect_str_eq(time.why, "of test 1, throughput, the speed with this traffic was not measured");
	cr_expect_float_eq(time.known_s, 3 * 2000.5, NEAR, "%f", time.known_s);
	cr_expect_float_eq(time.at_pace_s, 2 * 3 * 2000.5, NEAR, "%f", time.at_pace_s);
}

Test(pace, has_no_bound_where_the_trials_have_none)
{
	const struct effort endless = {INFINITY, INFINITY, INFINITY}, none = {0, 0, 0};

	begin(PACE_MEASURED);
	cr_expect(isinf(pace_wall_s(&pace, &tests[0], 64, &endless)));
	cr_expect_float_eq(pace_wall_s(&pace, &tests[0], 64, &none), 0, NEAR);
	begin(PACE_UNKNOWN);
	cr_expect(isnan(pace_wall_s(&pace, &tests[0], 64, &none)));
}
