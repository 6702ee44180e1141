/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch as a benchmark and as the search of throughput, on a FIFO whose answer is known. */
#include "bench_case.h"
#include "host/bench/rfc9971/mlrsearch.h"

static struct bench_case c;
static const uint32_t SIZES[] = {64, 512};
static const double LINE_64_FPS = 1e11 / 8 / 84;

/* One rfc2544 goal, with trials of 60 s. */
static void begin(void)
{
	case_begin(&c, SIZES, 1);
	c.plan.test_count = 1;
	c.tests[0].benchmark = &MLRSEARCH.plan;
	c.tests[0].search = PLAN_SEARCH_MLRSEARCH;
	c.tests[0].min_load = (struct quantity){0}; /* the default */
	c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, 1, 1};
}

static void end(void)
{
	case_end(&c);
}

TestSuite(bench_mlrsearch, .init = begin, .fini = end);

static json_t *goal_result(unsigned goal)
{
	json_t *result;
	size_t i;

	json_array_foreach(c.context.results, i, result)
	{
		if (number(result, "goal") == goal)
			return result;
	}
	cr_assert_fail("no result of goal %u", goal);
	return NULL;
}

static const json_t *parameters(unsigned goal)
{
	return json_object_get(goal_result(goal), "parameters");
}

Test(bench_mlrsearch, bounds_enclose_the_service_rate_of_a_fifo)
{
	for (unsigned per_mille = 50; per_mille < 1000; per_mille += 135) {
		double truth = LINE_64_FPS * per_mille / 1000, lower, upper;
		json_t *result;

		fifo_begin(&c.fifo, 100, per_mille, 1000);
		cr_assert_eq(case_run(&c), 0);
		result = goal_result(1);
		lower = number(result, "relevant_lower_bound_fps");
		upper = number(result, "relevant_upper_bound_fps");
		cr_assert(is_true(result, "valid") && is_true(result, "regular"), "%s", text(result, "end"));
		cr_assert(lower <= truth + 100 / 60.0 && truth < upper, "%f %f %f", lower, truth, upper);
		cr_assert_leq((upper - lower) / upper, 0.005 + 1e-12);
		cr_assert_eq(number(result, "conditional_throughput_fps"), lower, "the goal is no loss");
		cr_assert_float_eq(number(result, "conditional_throughput_percent"), 100 * lower / LINE_64_FPS, 1e-9);
	}
}

Test(bench_mlrsearch, every_trial_is_in_the_result_and_none_more)
{
	const json_t *list, *trial;
	double sum_s = 0;
	size_t i;

	fifo_begin(&c.fifo, 100, 1, 3);
	cr_assert_eq(case_run(&c), 0);
	list = json_object_get(goal_result(1), "trial_results");
	cr_assert_eq(json_array_size(list), c.fifo.trials);
	cr_assert_eq(number(goal_result(1), "trials"), c.fifo.trials);
	json_array_foreach(list, i, trial)
	{
		sum_s += number(trial, "duration_s");
		cr_assert_eq(is_true(trial, "high_loss"), number(trial, "lost_frames") > 0);
		cr_assert_eq(is_true(trial, "full_length"), number(trial, "duration_s") >= 60);
		cr_assert_float_eq(number(trial, "loss_ratio"),
		                   number(trial, "lost_frames") / number(trial, "offered_frames"), 1e-15);
	}
	cr_assert_float_eq(number(goal_result(1), "traffic_s"), sum_s, 1e-9);
	trial = json_array_get(list, i - 1);
	cr_assert_eq(c.fifo.last.duration_ot, (uint64_t)(number(trial, "duration_s") * 1.25e10));
}

Test(bench_mlrsearch, a_preset_of_two_goals_gives_two_results_of_one_search)
{
	fifo_begin(&c.fifo, 1, 1, 2);
	c.tests[0].preset = PLAN_PRESET_NDRPDR;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(json_array_size(c.context.results), 2);
	cr_assert_eq(number(goal_result(1), "trials"), number(goal_result(2), "trials"));
	cr_assert_eq(number(parameters(1), "goal_loss_ratio"), 0);
	cr_assert_eq(number(parameters(2), "goal_loss_ratio"), 0.005);
	/* A load L loses 0.5% where (1/2) / L = 0.995. */
	cr_assert_leq(number(goal_result(2), "relevant_lower_bound_fps"), LINE_64_FPS / 2 / 0.995 + 1);
	cr_assert_gt(number(goal_result(2), "relevant_upper_bound_fps"), LINE_64_FPS / 2 / 0.995 - 1);
	cr_assert_float_eq(number(goal_result(2), "conditional_throughput_fps"), LINE_64_FPS / 2, 2);
}

Test(bench_mlrsearch, keys_of_the_test_change_a_preset)
{
	fifo_begin(&c.fifo, 1, 1, 2);
	c.tests[0].preset = PLAN_PRESET_TST009;
	c.tests[0].has_width = true;
	c.tests[0].width = (struct quantity){QUANTITY_PLAIN, 1, 100};
	c.tests[0].preset_trial_duration_ns = 6000000;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(number(parameters(1), "goal_width"), 0.01);
	cr_assert_eq(number(parameters(1), "goal_final_trial_duration_s"), 0.006);
	cr_assert_eq(number(parameters(1), "goal_duration_sum_s"), 0.012);
	cr_assert_eq(number(parameters(1), "goal_initial_trial_duration_s"), 0.0001);
	c.tests[0].initial_trial_duration_ns = 3000000;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(number(parameters(1), "goal_initial_trial_duration_s"), 0.003);
}

Test(bench_mlrsearch, an_initial_trial_longer_than_the_final_one_is_found_before_any_trial)
{
	c.plan.path = (char[]){"lab.cfg"};
	c.tests[0].line = 7;
	c.tests[0].frame_sizes = c.sizes;
	c.tests[0].preset = PLAN_PRESET_NDRPDR;
	c.tests[0].initial_trial_duration_ns = 2000000000;
	cr_assert_eq(bench_check(&c.plan, UINT64_C(100000000000), &c.error), ERROR_PLAN);
	cr_assert(strstr(c.error.text, "lab.cfg:7: goal 1: goal initial trial duration = 2000000000 ns: must be"), "%s",
	          c.error.text);
	c.tests[0].initial_trial_duration_ns = 1000000000;
	cr_assert_eq(bench_check(&c.plan, UINT64_C(100000000000), &c.error), 0);
}

Test(bench_mlrsearch, a_wire_is_irregular_and_valid)
{
	fifo_begin(&c.fifo, 100, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	cr_assert(is_true(goal_result(1), "valid"));
	cr_assert_not(is_true(goal_result(1), "regular"));
	cr_assert_eq(number(goal_result(1), "relevant_lower_bound_fps"), number(goal_result(1), "max_theoretical_fps"));
	cr_assert(isnan(number(goal_result(1), "relevant_upper_bound_fps")));
	cr_assert(flagged(goal_result(1), "irregular: no upper bound"));
}

Test(bench_mlrsearch, loads_stay_within_the_range_of_the_plan)
{
	const double point_fps = LINE_64_FPS / 1e9;
	json_t *trial;
	size_t i;

	/* Neither is a whole number of points of 0.149 frames per second. */
	fifo_begin(&c.fifo, 100, 1, 2);
	c.tests[0].min_load = (struct quantity){QUANTITY_PLAIN, 1000001, 1};
	c.tests[0].max_load = (struct quantity){QUANTITY_PLAIN, 37000003, 1};
	cr_assert_eq(case_run(&c), 0);
	json_array_foreach(json_object_get(goal_result(1), "trial_results"), i, trial)
	        cr_assert_leq(number(trial, "load_fps"), 37000003);
	cr_assert_gt(number(goal_result(1), "relevant_lower_bound_fps"), 37000003 - point_fps);
	cr_assert_geq(number(parameters(1), "min_load_fps"), 1000001);
	cr_assert_lt(number(parameters(1), "min_load_fps"), 1000001 + point_fps);
}

Test(bench_mlrsearch, an_invalid_trial_is_repeated_and_one_that_stays_so_ends_it)
{
	fifo_begin(&c.fifo, 100, 1, 2);
	c.fifo.invalid_every = 3;
	cr_assert_eq(case_run(&c), 0);
	cr_assert(is_true(goal_result(1), "regular"));
	cr_assert_gt(number(goal_result(1), "invalid_trials"), 0);
	cr_assert_eq((double)json_array_size(json_object_get(goal_result(1), "trial_results")),
	             number(goal_result(1), "trials") - number(goal_result(1), "invalid_trials"));

	fifo_begin(&c.fifo, 100, 1, 2);
	c.fifo.invalid_trials = 4;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_not(is_true(goal_result(1), "valid"));
	cr_assert(strstr(text(goal_result(1), "why_invalid"), "4 times in a row"));
	cr_assert(isnan(number(goal_result(1), "conditional_throughput_fps")));
}

Test(bench_mlrsearch, a_cancel_keeps_the_bounds_and_trials_so_far)
{
	fifo_begin(&c.fifo, 100, 1, 2);
	c.tests[0].preset = PLAN_PRESET_NDRPDR;
	c.fifo.cancel_after = 24;
	cr_assert_eq(case_run(&c), ERROR_CANCELLED);
	cr_assert_not(is_true(goal_result(1), "valid"));
	cr_assert(strstr(text(goal_result(1), "why_invalid"), "stopped by the user"));
	cr_assert_eq(json_array_size(json_object_get(goal_result(2), "trial_results")), 24);
}

Test(bench_mlrsearch, a_limit_ends_the_search_and_is_named)
{
	fifo_begin(&c.fifo, 100, 1, 2);
	c.tests[0].trials_limit = 2;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_not(is_true(goal_result(1), "valid"));
	cr_assert(strstr(text(goal_result(1), "why_invalid"), "limit on trials"), "%s",
	          text(goal_result(1), "why_invalid"));
	cr_assert_eq(c.fifo.trials, 2);
	cr_assert_eq(number(parameters(1), "trials_limit"), 2);
}

Test(bench_mlrsearch, throughput_by_it_is_that_of_bisection_with_fewer_long_trials)
{
	json_t *result;
	double throughput;

	c.tests[0].benchmark = &THROUGHPUT.plan;
	c.tests[0].has_width = true;
	c.tests[0].width = (struct quantity){QUANTITY_PERCENT, 1, 1000};
	fifo_begin(&c.fifo, 100, 333, 1000);
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	throughput = number(result, "throughput_fps");
	cr_assert(is_true(result, "valid"));
	cr_assert_leq(throughput, LINE_64_FPS * 0.333 + 100 / 60.0);
	cr_assert_gt(throughput, LINE_64_FPS * 0.333 * 0.999 - 1);
	cr_assert_float_eq(number(result, "first_lossy_fps") - throughput, number(result, "resolution_fps"), 1e-6);
	cr_assert_float_eq(number(result, "final_trial_duration_s"), 60, 1e-6);
	cr_assert_eq(number(json_object_get(result, "counters"), "lost_frames"), 0);
	cr_assert_lt(number(result, "trials"), 8);
	cr_assert_str_eq(text(json_object_get(result, "parameters"), "search"), "mlrsearch");
}

Test(bench_mlrsearch, throughput_of_a_wire_is_line_rate_and_of_a_device_that_always_loses_zero)
{
	c.tests[0].benchmark = &THROUGHPUT.plan;
	fifo_begin(&c.fifo, 100, 1, 1);
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(number(case_result(&c, "throughput", 64), "throughput_percent"), 100);
	cr_assert(isnan(number(case_result(&c, "throughput", 64), "first_lossy_fps")));

	fifo_begin(&c.fifo, 100, 1, 1);
	c.fifo.noise_one_in = 1;
	cr_assert_eq(case_run(&c), 0);
	cr_assert(is_true(case_result(&c, "throughput", 64), "valid"));
	cr_assert_eq(number(case_result(&c, "throughput", 64), "throughput_fps"), 0);
}

/* One goal with that loss ratio and trials of 1 s; the caller owns it. */
static struct plan_goal goal_of_loss(unsigned loss_per_mille)
{
	return (struct plan_goal){.loss_ratio = {QUANTITY_PLAIN, loss_per_mille, 1000},
	                          .exceed_ratio = {QUANTITY_PLAIN, 1, 2},
	                          .width = {QUANTITY_PLAIN, 1, 1000},
	                          .final_trial_duration_ns = 1000000000,
	                          .duration_sum_ns = 1000000000,
	                          .initial_trial_duration_ns = 1000000000};
}

Test(bench_mlrsearch, a_rate_with_loss_is_named_conditional_throughput_and_never_throughput)
{
	struct plan_goal goal = goal_of_loss(5);
	json_t *result;

	fifo_begin(&c.fifo, 1, 1, 2);
	c.tests[0].benchmark = &THROUGHPUT.plan;
	c.tests[0].goals = &goal;
	c.tests[0].goal_count = 1;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_expect(is_true(result, "valid"));
	cr_expect_str_eq(text(result, "rfc"), "RFC 9971");
	cr_expect_gt(number(json_object_get(result, "counters"), "lost_frames"), 0, "else this shows nothing");
	cr_expect(isnan(number(result, "throughput_fps")) && isnan(number(result, "throughput_percent")) &&
	          isnan(number(result, "first_lossy_fps")));
	/* A load L loses 0.5% where (1/2) / L = 0.995; what gets through is half of line rate, whatever the load. */
	cr_expect_float_eq(number(result, "conditional_throughput_fps"), LINE_64_FPS / 2, 2);
	cr_expect_float_eq(number(result, "conditional_throughput_percent"), 50, 1e-5);
	cr_expect_leq(number(result, "relevant_lower_bound_fps"), LINE_64_FPS / 2 / 0.995 + 1);
	cr_expect_gt(number(result, "relevant_upper_bound_fps"), LINE_64_FPS / 2 / 0.995 - 1);
	cr_expect_gt(number(result, "relevant_lower_bound_fps"), LINE_64_FPS / 2);
	cr_expect(flagged(result, "the goal allows a loss of 0.5%: this is the conditional throughput of RFC 9971"));
}

Test(bench_mlrsearch, a_rate_with_loss_that_was_not_found_is_null_under_every_name)
{
	static const char *const KEYS[] = {"throughput_fps", "conditional_throughput_fps", "relevant_lower_bound_fps"};
	struct plan_goal goal = goal_of_loss(5);
	json_t *result;

	c.tests[0].benchmark = &THROUGHPUT.plan;
	c.tests[0].goals = &goal;
	c.tests[0].goal_count = 1;
	fifo_begin(&c.fifo, 1, 1, 100000);
	c.tests[0].min_load = (struct quantity){QUANTITY_PERCENT, 1, 10};
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		cr_expect(isnan(number(result, KEYS[i])), "%s", KEYS[i]);
	cr_expect_gt(number(result, "relevant_upper_bound_fps"), 0);
	cr_expect(flagged(result, "more was lost even at the lowest load, 14880952.381 fps"));

	fifo_begin(&c.fifo, 1, 1, 2);
	c.fifo.invalid_trials = 4;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "throughput", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect_str_eq(text(result, "rfc"), "RFC 9971");
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		cr_expect(isnan(number(result, KEYS[i])), "%s", KEYS[i]);
}

Test(bench_mlrsearch, a_rate_with_loss_is_no_prerequisite_of_back_to_back)
{
	struct plan_goal goal = goal_of_loss(5);
	struct plan_test tests[3];
	json_t *burst;

	/* A FIFO of 1000 frames at half of line rate, which 2000 frames at line rate fill. */
	fifo_begin(&c.fifo, 1000, 1, 2);
	c.tests[0].benchmark = &THROUGHPUT.plan;
	c.tests[0].goals = &goal;
	c.tests[0].goal_count = 1;
	c.plan.test_count = 2;
	cr_assert_eq(case_run(&c), 0);
	burst = case_result(&c, "back_to_back", 64);
	cr_expect_str_eq(text(burst, "throughput_source"), "forwarding_rate");
	cr_expect(flagged(burst, "no valid throughput result without loss"));
	cr_expect_float_eq(number(burst, "throughput_fps"), LINE_64_FPS / 2, LINE_64_FPS * 1e-3);

	/* An earlier result without loss still counts. */
	tests[0] = tests[1] = c.tests[0];
	tests[0].goal_count = 0;
	tests[0].preset = PLAN_PRESET_RFC2544;
	tests[2] = c.tests[1];
	c.plan.tests = tests;
	c.plan.test_count = 3;
	cr_assert_eq(case_run(&c), 0);
	burst = case_result(&c, "back_to_back", 64);
	cr_expect_str_eq(text(burst, "throughput_source"), "throughput");
	cr_expect_eq(number(burst, "throughput_fps"), number(json_array_get(c.context.results, 0), "throughput_fps"));
}

/* The plan knows without a search that a preset finds throughput (throughput_loss_of_rate()). */
Test(bench_mlrsearch, the_first_goal_of_every_preset_is_without_loss)
{
	for (enum plan_preset preset = PLAN_PRESET_RFC2544; preset <= PLAN_PRESET_NDRPDR; preset++) {
		fifo_begin(&c.fifo, 1, 1, 2);
		c.tests[0].benchmark = &THROUGHPUT.plan;
		c.tests[0].preset = preset;
		cr_expect_null(throughput_loss_of_rate(&c.tests[0]));
		cr_assert_eq(case_run(&c), 0);
		cr_expect_eq(
		        number(json_object_get(case_result(&c, "throughput", 64), "parameters"), "goal_loss_ratio"), 0);
		cr_expect(isfinite(number(case_result(&c, "throughput", 64), "throughput_fps")));
	}
}

static struct bench_trial traced[400];
static unsigned trace_count;

static void note_trial(void *user, const struct bench_trial *trial)
{
	cr_assert_eq(user, &traced);
	cr_assert_lt(trace_count, sizeof(traced) / sizeof(traced[0]));
	traced[trace_count++] = *trial;
}

Test(bench_mlrsearch, the_trace_has_every_trial_with_class_and_bounds_of_every_goal)
{
	const struct bench_trial *last;

	fifo_begin(&c.fifo, 100, 1, 2);
	c.tests[0].preset = PLAN_PRESET_NDRPDR;
	c.fifo.invalid_every = 7;
	c.context.trace = note_trial;
	c.context.trace_user = traced;
	trace_count = 0;
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(trace_count, c.fifo.trials);
	for (unsigned i = 0; i < trace_count; i++) {
		cr_assert_eq(traced[i].trial, i + 1);
		cr_assert_eq(traced[i].why_invalid != NULL, (i + 1) % 7 == 0);
		cr_assert_eq(traced[i].goals, traced[i].why_invalid ? 0 : 2);
	}
	last = &traced[trace_count - 1];
	for (unsigned goal = 1; goal <= 2; goal++) {
		cr_assert_float_eq(last->goal[goal - 1].lower, number(goal_result(goal), "relevant_lower_bound_fps"),
		                   0.51);
		cr_assert_float_eq(last->goal[goal - 1].upper, number(goal_result(goal), "relevant_upper_bound_fps"),
		                   0.51);
	}
}

/* Counts the trials in the trace at a load: all, or those with loss. */
static unsigned trials_at(double load_fps, bool lossy)
{
	unsigned count = 0;

	for (unsigned i = 0; i < trace_count; i++)
		count += fabs(traced[i].load_fps - load_fps) < 0.01 && (!lossy || traced[i].lost_frames);
	return count;
}

Test(bench_mlrsearch, loss_that_an_exceed_ratio_overruled_is_flagged_and_is_not_of_the_trial_that_settles)
{
	unsigned overruled = 0;

	c.tests[0].benchmark = &THROUGHPUT.plan;
	c.tests[0].preset = PLAN_PRESET_TST009;
	c.context.trace = note_trial;
	c.context.trace_user = traced;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		char says[64];
		json_t *result;
		double load_fps;

		fifo_begin(&c.fifo, 1, 1, 2);
		c.fifo.noise_one_in = 3;
		c.fifo.random = seed * 0x9e3779b97f4a7c15;
		trace_count = 0;
		cr_assert_eq(case_run(&c), 0);
		result = case_result(&c, "throughput", 64);
		load_fps = number(result, "throughput_fps");
		if (load_fps == 0)
			continue;
		cr_expect_eq(number(json_object_get(result, "counters"), "lost_frames"), 0, "seed %lu",
		             (unsigned long)seed);
		snprintf(says, sizeof(says), "frames were lost in %u of %u trials at this load",
		         trials_at(load_fps, true), trials_at(load_fps, false));
		cr_expect_eq(flagged(result, says), trials_at(load_fps, true) > 0, "seed %lu: %s", (unsigned long)seed,
		             says);
		overruled += trials_at(load_fps, true) > 0;
	}
	cr_expect_gt(overruled, 0, "else this shows nothing");
}
