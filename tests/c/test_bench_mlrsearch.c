/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch as a benchmark and under throughput, over a FIFO whose answer is known. */
#include "bench_case.h"

static struct bench_case c;
static const uint32_t SIZES[] = {64, 512};
static const double LINE_64_FPS = 1e11 / 8 / 84;

/* One rfc2544 goal in trials of 60 s. */
static void begin(void)
{
	case_begin(&c, SIZES, 1);
	c.plan.test_count = 1;
	c.tests[0].kind = PLAN_MLRSEARCH;
	c.tests[0].search = PLAN_SEARCH_MLRSEARCH;
	c.tests[0].min_load = (struct quantity){QUANTITY_PERCENT, 1, 10000};
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
	/* A load L is lost by 0.5% where (1/2) / L = 0.995. */
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
	c.tests[0].has_trial_duration = true;
	c.tests[0].trial_duration_ns = 6000000;
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

	/* Neither is a whole number of points of 0.149 frames a second. */
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
	cr_assert_eq(json_array_size(json_object_get(goal_result(1), "trial_results")),
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

	c.tests[0].kind = PLAN_THROUGHPUT;
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
	c.tests[0].kind = PLAN_THROUGHPUT;
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
