/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which runs are put together, what becomes a point, and what is said of steps. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/trend/trend.h"

#define ASKED "{\"search\": \"binary\", \"trial_duration_s\": 60.0, \"direction\": \"bidirectional\"}"

static json_t *throughput(int octets, double fps, const char *parameters)
{
	json_t *asked = json_loads(parameters, 0, NULL);

	cr_assert_not_null(asked, "%s", parameters);
	return json_pack("{s:s, s:i, s:i, s:b, s:n, s:f, s:f, s:o}", "test", "throughput", "test_number", 1,
	                 "frame_octets", octets, "valid", 1, "why_invalid", "throughput_fps", fps, "resolution_fps",
	                 100.0, "parameters", asked);
}

/* A report; takes over the result. */
static json_t *report(int day, const char *dut, const char *firmware, json_t *result)
{
	char started[40];

	snprintf(started, sizeof(started), "2026-%02d-%02dT00:00:00Z", 1 + day / 28, 1 + day % 28);
	return json_pack("{s:i, s:s, s:{s:s, s:s}, s:{s:s, s:s}, s:{s:I}, s:[o]}", "schema", 2, "started", started,
	                 "info", "dut", dut, "firmware", firmware, "device", "backend", "sim", "name", "twin", "link",
	                 "bits_per_second", (json_int_t)100000000000, "results", result);
}

static void add(json_t *runs, json_t *made, const char *path)
{
	json_t *run = trend_run(made, path);

	cr_assert_not_null(run);
	json_array_append_new(runs, run);
	json_decref(made);
}

static json_t *trend(json_t *runs, double tolerance)
{
	json_t *passed_over = json_array(), *made = trend_of_runs(runs, passed_over, tolerance);

	cr_assert_not_null(made);
	json_decref(passed_over);
	json_decref(runs);
	return made;
}

static const json_t *plan(const json_t *made, size_t index)
{
	return json_array_get(json_object_get(made, "plans"), index);
}

static const json_t *item(const json_t *object, const char *list, size_t index)
{
	return json_array_get(json_object_get(object, list), index);
}

static size_t size(const json_t *object, const char *list)
{
	return json_array_size(json_object_get(object, list));
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

/* Runs of a device whose throughput changes from before to after at run `at`, counted from 0, with some noise. */
static json_t *with_step(int count, int at, double before, double after)
{
	json_t *runs = json_array();

	for (int i = 0; i < count; i++) {
		char path[40];

		snprintf(path, sizeof(path), "%d.db", i);
		add(runs,
		    report(i, "S", i < at ? "1" : "2",
		           throughput(64, (i < at ? before : after) + i * 7 % 5 * 20, ASKED)),
		    path);
	}
	return runs;
}

Test(trend, a_step_has_its_run_its_levels_and_whether_it_is_for_the_worse)
{
	json_t *worse = trend(with_step(30, 18, 100000, 95000), 0.01);
	json_t *better = trend(with_step(30, 18, 95000, 100000), 0.01);
	const json_t *series = item(plan(worse, 0), "series", 0), *step = item(series, "steps", 0);

	cr_expect_eq(number(worse, "steps"), 1);
	cr_expect(trend_got_worse(worse));
	cr_expect_str_eq(text(series, "verdict"), "worse");
	cr_expect_eq(number(step, "run"), 19);
	cr_expect_float_eq(number(step, "before"), 100040, 1e-9);
	cr_expect_float_eq(number(step, "after"), 95040, 1e-9);
	cr_expect_float_eq(number(step, "change_percent"), -100.0 * 5000 / 100040, 1e-9);
	cr_expect_eq(size(series, "levels"), 2);
	cr_expect_eq(number(item(series, "levels", 0), "to"), 18);
	cr_expect_eq(number(item(series, "levels", 1), "runs"), 12);
	cr_expect_eq(size(series, "versions"), 2);
	cr_expect_str_eq(text(item(series, "versions", 1), "firmware"), "2");
	cr_expect_eq(number(item(series, "versions", 1), "min"), 95000);
	cr_expect_eq(number(item(series, "versions", 1), "max"), 95080);
	cr_expect_not(trend_got_worse(better));
	cr_expect_str_eq(text(item(plan(better, 0), "series", 0), "verdict"), "better");
	json_decref(worse);
	json_decref(better);
}

/* The search cannot tell values apart that are 100 frames/s apart, and the tolerance is the user's. */
Test(trend, a_step_within_the_tolerance_or_the_resolution_is_not_marked)
{
	json_t *small = trend(with_step(30, 15, 100000, 99500), 0.01),
	       *seen = trend(with_step(30, 15, 100000, 99500), 0.001);
	json_t *fine = trend(with_step(30, 15, 100000, 99900), 0);

	cr_expect_eq(number(small, "steps"), 0);
	cr_expect_str_eq(text(item(plan(small, 0), "series", 0), "verdict"), "level");
	cr_expect_eq(size(item(plan(small, 0), "series", 0), "levels"), 1);
	cr_expect_eq(number(seen, "steps"), 1);
	cr_expect_eq(number(fine, "steps"), 0, "100 frames/s is the resolution");
	json_decref(small);
	json_decref(seen);
	json_decref(fine);
}

Test(trend, few_runs_are_shown_and_not_tested)
{
	json_t *made = trend(with_step(11, 5, 100000, 50000), 0.01);
	const json_t *series = item(plan(made, 0), "series", 0);

	cr_expect_eq(number(made, "tested"), 0);
	cr_expect_eq(size(series, "points"), 11);
	cr_expect_str_eq(text(series, "verdict"), "untested");
	cr_expect(json_is_null(json_object_get(series, "p")));
	json_decref(made);
}

Test(trend, runs_are_in_the_order_of_their_dates_and_apart_by_plan_and_device)
{
	static const char *const LONGER = "{\"search\": \"binary\", \"trial_duration_s\": 61.0}";
	json_t *runs = json_array(), *made;

	add(runs, report(5, "S", "2", throughput(64, 5, ASKED)), "a.db");
	add(runs, report(1, "S", "1", throughput(64, 1, ASKED)), "b.db");
	add(runs, report(3, "T", "1", throughput(64, 3, ASKED)), "c.db");
	add(runs, report(2, "S", "1", throughput(64, 2, LONGER)), "d.db");
	add(runs, report(4, "S", "1", throughput(128, 4, ASKED)), "e.db");
	add(runs, report(6, "S", "1", throughput(64, 6, ASKED)), "f.db");
	made = trend(runs, 0.01);
	cr_assert_eq(size(made, "plans"), 4);
	cr_expect_eq(size(plan(made, 0), "runs"), 3);
	cr_expect_str_eq(text(item(plan(made, 0), "runs", 0), "path"), "b.db");
	cr_expect_str_eq(text(item(plan(made, 0), "runs", 1), "path"), "a.db");
	cr_expect_str_eq(text(item(plan(made, 0), "runs", 1), "firmware"), "2");
	cr_expect_eq(number(item(item(plan(made, 0), "series", 0), "points", 2), "value"), 6);
	cr_expect_str_eq(text(item(plan(made, 1), "runs", 0), "path"), "d.db");
	cr_expect_str_eq(text(plan(made, 2), "dut"), "T");
	cr_expect_str_eq(text(item(plan(made, 3), "runs", 0), "path"), "e.db");
	json_decref(made);
}

Test(trend, an_invalid_result_is_no_point_and_says_why)
{
	json_t *runs = json_array(), *ill = throughput(64, 777, ASKED), *made;
	const json_t *series;

	json_object_set_new(ill, "valid", json_false());
	json_object_set_new(ill, "why_invalid", json_string("the tester was ill"));
	add(runs, report(1, "S", "1", throughput(64, 1000, ASKED)), "a.db");
	add(runs, report(2, "S", "1", ill), "b.db");
	add(runs, report(3, "S", "1", throughput(64, 1000, ASKED)), "c.db");
	made = trend(runs, 0.01);
	series = item(plan(made, 0), "series", 0);
	cr_expect_eq(size(series, "points"), 2);
	cr_expect_eq(number(item(series, "points", 1), "run"), 3);
	cr_expect_eq(size(series, "invalid"), 1);
	cr_expect_eq(number(item(series, "invalid", 0), "run"), 2);
	cr_expect_str_eq(text(item(series, "invalid", 0), "why"), "the tester was ill");
	json_decref(made);
}

/* A size that the RFC leaves out in one run is neither a point nor invalid. */
Test(trend, a_size_that_did_not_qualify_is_left_out)
{
	json_t *runs = json_array(), *left_out = throughput(64, 777, ASKED), *made;
	const json_t *series;

	json_object_set_new(left_out, "valid", json_false());
	json_object_set_new(left_out, "skipped", json_true());
	json_object_set_new(left_out, "why_invalid", json_string("not tested"));
	add(runs, report(1, "S", "1", throughput(64, 1000, ASKED)), "a.db");
	add(runs, report(2, "S", "1", left_out), "b.db");
	made = trend(runs, 0.01);
	series = item(plan(made, 0), "series", 0);
	cr_expect_eq(size(series, "points"), 1);
	cr_expect_eq(size(series, "invalid"), 0);
	cr_expect_str_eq(text(item(series, "left_out", 0), "why"), "not tested");
	json_decref(made);
}

Test(trend, what_a_plan_repeats_is_one_point_with_its_spread)
{
	json_t *runs = json_array(), *made, *repeated = report(1, "S", "1", throughput(64, 1000, ASKED));
	const json_t *point;

	json_array_append_new(json_object_get(repeated, "results"), throughput(64, 1006, ASKED));
	json_array_append_new(json_object_get(repeated, "results"), throughput(64, 1003, ASKED));
	add(runs, repeated, "a.db");
	made = trend(runs, 0.01);
	cr_assert_eq(size(plan(made, 0), "series"), 1);
	cr_assert_eq(size(item(plan(made, 0), "series", 0), "points"), 1);
	point = item(item(plan(made, 0), "series", 0), "points", 0);
	cr_expect_eq(number(point, "count"), 3);
	cr_expect_float_eq(number(point, "value"), 1003, 1e-9);
	cr_expect_float_eq(number(point, "stddev"), 3, 1e-9);
	cr_expect_eq(number(point, "min"), 1000);
	cr_expect_eq(number(point, "max"), 1006);
	json_decref(made);
}

Test(trend, the_results_of_an_incomplete_run_count_with_its_plan)
{
	json_t *runs = json_array(), *made, *whole = report(2, "S", "1", throughput(64, 1000, ASKED));
	json_t *part = report(1, "S", "1", throughput(64, 990, ASKED)), *more;

	json_array_append_new(json_object_get(whole, "results"), throughput(128, 500, ASKED));
	json_object_set_new(part, "incomplete", json_string("Ctrl-C"));
	add(runs, part, "a.db");
	add(runs, whole, "b.db");
	made = trend(runs, 0.01);
	cr_assert_eq(size(made, "plans"), 1);
	cr_expect_eq(size(item(plan(made, 0), "series", 0), "points"), 2);
	cr_expect_eq(size(item(plan(made, 0), "series", 1), "points"), 1);
	cr_expect(json_is_false(json_object_get(item(plan(made, 0), "runs", 0), "complete")));
	json_decref(made);

	/* Two that did not finish: the first got less far. */
	runs = json_array();
	part = report(1, "S", "1", throughput(64, 990, ASKED));
	more = report(2, "S", "1", throughput(64, 1000, ASKED));
	json_array_append_new(json_object_get(more, "results"), throughput(128, 500, ASKED));
	json_object_set_new(part, "incomplete", json_string("Ctrl-C"));
	json_object_set_new(more, "incomplete", json_string("Ctrl-C"));
	add(runs, part, "a.db");
	add(runs, more, "b.db");
	made = trend(runs, 0.01);
	cr_expect_eq(size(made, "plans"), 1);
	cr_expect_eq(size(plan(made, 0), "series"), 2);
	json_decref(made);
}

/* One series of a hundred has a p of 1% by chance; so many measures are judged together. */
Test(trend, of_many_measures_each_must_be_less_of_a_chance)
{
	json_t *runs = json_array(), *alone = json_array(), *made;
	/* a step that is rare, but not as rare as it must be among so many: 3 of 30 runs on one side */
	for (int i = 0; i < 30; i++) {
		const double value = 100000 + i * 7 % 5 * 20 + (i > 25 ? 5000 : 0);
		json_t *one = report(i, "S", "1", throughput(64, value, ASKED));
		json_t *many = report(i, "S", "1", throughput(64, value, ASKED));

		for (int other = 0; other < 60; other++)
			json_array_append_new(json_object_get(many, "results"),
			                      throughput(100 + other, 100000 + (i * (7 + other)) % 11 * 20, ASKED));
		add(alone, one, "a.db");
		add(runs, many, "a.db");
	}
	made = trend(alone, 0.01);
	cr_expect_eq(number(made, "steps"), 1);
	cr_expect_gt(number(item(plan(made, 0), "series", 0), "p"), 0.01 / 61);
	json_decref(made);
	made = trend(runs, 0.01);
	cr_expect_eq(number(made, "tested"), 61);
	cr_expect_eq(number(made, "steps"), 0);
	json_decref(made);
}

/* Latency stands beside the throughput, and less of it is better. */
Test(trend, values_beside_the_answer_are_measures_of_their_own)
{
	json_t *runs = json_array(), *made;
	const json_t *series;

	for (int i = 0; i < 30; i++) {
		json_t *result = throughput(64, 100000, ASKED);

		json_object_set_new(result, "latency_mean_ns", json_real((i < 12 ? 800 : 900) + i * 7 % 5));
		add(runs, report(i, "S", "1", result), "a.db");
	}
	made = trend(runs, 0.01);
	cr_expect_eq(number(made, "measures"), 2);
	series = item(plan(made, 0), "series", 1);
	cr_expect_str_eq(text(series, "key"), "latency_mean_ns");
	cr_expect_str_eq(text(series, "better"), "less");
	cr_expect(json_is_false(json_object_get(series, "answer")));
	cr_expect_str_eq(text(series, "verdict"), "worse");
	cr_expect_eq(number(item(series, "steps", 0), "run"), 13);
	series = item(plan(made, 0), "series", 0);
	cr_expect(json_is_true(json_object_get(series, "answer")));
	cr_expect_str_eq(text(series, "verdict"), "level", "always the same");
	cr_expect_eq(number(series, "p"), 1);
	json_decref(made);
}

Test(trend, without_runs_there_is_nothing)
{
	json_t *made = trend(json_array(), 0.01);

	cr_expect_eq(size(made, "plans"), 0);
	cr_expect_eq(number(made, "measures"), 0);
	cr_expect_not(trend_got_worse(made));
	json_decref(made);
}

/* Five runs of 30 are a step; of one to three, and of a plan with too few, nothing can be said, and that is said. */
Test(trend, what_cannot_be_judged_is_said)
{
	static const struct {
		int runs, at;
		double doubtful; /* newest runs; NAN: not tested */
		bool judged, worse;
	} CASES[] = {{30, 30, 0, true, false},  {30, 29, 1, false, false}, {30, 28, 2, false, false},
	             {30, 27, 3, false, false}, {30, 25, 0, true, true},   {11, 5, NAN, false, false}};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		json_t *made = trend(with_step(CASES[i].runs, CASES[i].at, 100000, 95000), 0.01);
		const json_t *series = item(plan(made, 0), "series", 0);
		const double doubtful = number(series, "doubtful_runs");

		cr_expect(isnan(CASES[i].doubtful) ? isnan(doubtful)
		                                   : !(doubtful < CASES[i].doubtful) && !(doubtful > CASES[i].doubtful),
		          "case %zu: %g", i, doubtful);
		cr_expect_eq(trend_is_judged(made), CASES[i].judged, "case %zu", i);
		cr_expect_eq(trend_got_worse(made), CASES[i].worse, "case %zu", i);
		json_decref(made);
	}
	/* a change for the better fails nothing */
	json_t *better = trend(with_step(30, 28, 95000, 100000), 0.01), *nothing = trend(json_array(), 0.01);

	cr_expect(trend_is_judged(better));
	cr_expect_not(trend_is_judged(nothing));
	json_decref(better);
	json_decref(nothing);
}

/* An old plan with few runs in the folder does not keep the gate from judging the one that is run today. */
Test(trend, the_plan_of_the_newest_run_is_what_is_judged)
{
	json_t *runs = with_step(30, 30, 100000, 95000), *made;

	add(runs, report(3, "T", "1", throughput(64, 3, ASKED)), "old.db");
	made = trend(json_deep_copy(runs), 0.01);
	cr_expect(trend_is_judged(made));
	json_decref(made);
	add(runs, report(50, "U", "1", throughput(64, 3, ASKED)), "new.db");
	made = trend(runs, 0.01);
	cr_expect_not(trend_is_judged(made));
	json_decref(made);
}
