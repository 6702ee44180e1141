/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is compared with what, and what a comparison must not let pass. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/compare/compare.h"
#include "host/compare/judge.h"

/* A result of a throughput test at 64 octets. `parameters` is JSON. */
static json_t *throughput(unsigned test_number, double fps, const char *parameters)
{
	json_t *asked = json_loads(parameters, 0, NULL);

	cr_assert_not_null(asked, "%s", parameters);
	return json_pack("{s:s, s:i, s:i, s:b, s:n, s:f, s:f, s:o}", "test", "throughput", "test_number", test_number,
	                 "frame_octets", 64, "valid", 1, "why_invalid", "throughput_fps", fps, "resolution_fps", 1.0,
	                 "parameters", asked);
}

static json_t *report(json_t *first, json_t *second, json_t *third)
{
	json_t *list = json_array(), *each[] = {first, second, third};

	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		if (each[i])
			json_array_append_new(list, each[i]);
	}
	return json_pack("{s:i, s:o}", "schema", 2, "results", list);
}

static json_t *compared(json_t *base, json_t *new)
{
	json_t *comparison = compare_reports(base, new, 0.01);

	json_decref(base);
	json_decref(new);
	cr_assert_not_null(comparison);
	return comparison;
}

static const json_t *row(const json_t *comparison, size_t index)
{
	return json_array_get(json_object_get(comparison, "results"), index);
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool noted(const json_t *comparison, const char *part)
{
	const json_t *note;
	size_t i;

	json_array_foreach(json_object_get(comparison, "notes"), i, note)
	{
		if (strstr(json_string_value(note), part))
			return true;
	}
	return false;
}

static void expect(json_t *comparison, size_t rows, const char *verdict, bool passes, const char *why)
{
	cr_expect_eq(json_array_size(json_object_get(comparison, "results")), rows);
	if (rows)
		cr_expect_str_eq(text(row(comparison, 0), "verdict"), verdict, "%s", text(row(comparison, 0), "why"));
	cr_expect_eq(compare_passes(comparison), passes, "%s", text(comparison, "why"));
	cr_expect(strstr(text(comparison, "why"), why), "%s", text(comparison, "why"));
	json_decref(comparison);
}

static json_t *invalid(json_t *result)
{
	json_object_set_new(result, "valid", json_false());
	json_object_set_new(result, "why_invalid", json_string("the tester was ill"));
	return result;
}

#define ASKED                                                                                                          \
	"{\"search\": \"binary\", \"trial_duration_s\": 60.0, \"settle_s\": 2.0, \"direction\": \"bidirectional\"}"

Test(compare, of_nothing_fails_and_says_of_what_there_is_none)
{
	json_t *unknown = throughput(1, 1000, ASKED), *comparison;

	expect(compared(report(NULL, NULL, NULL), report(throughput(1, 1000, ASKED), NULL, NULL)), 0, "", false,
	       "nothing was compared: BASE has no results");
	expect(compared(report(NULL, NULL, NULL), report(NULL, NULL, NULL)), 0, "", false,
	       "nothing was compared: BASE has no results");
	expect(compared(report(invalid(throughput(1, 1000, ASKED)), NULL, NULL),
	                report(throughput(1, 1000, ASKED), NULL, NULL)),
	       1, "no_base", false, "nothing was compared: BASE has no valid result");
	json_object_set_new(unknown, "test", json_string("jitter"));
	expect(compared(report(unknown, NULL, NULL), report(throughput(1, 1000, ASKED), NULL, NULL)), 0, "", false,
	       "nothing was compared: BASE has no result of a test that is known");
	expect(compared(report(throughput(1, 1000, ASKED), NULL, NULL), report(NULL, NULL, NULL)), 1, "missing", false,
	       "nothing was compared: NEW has none of the 1 results of BASE");
	comparison = compared(report(invalid(throughput(1, 1000, ASKED)), NULL, NULL), report(NULL, NULL, NULL));
	cr_expect_str_eq(text(row(comparison, 0), "why"), "BASE has no valid result of it: the tester was ill");
	json_decref(comparison);
	/* One compared result is enough; the reader is told about the other. */
	unknown = throughput(2, 1000, ASKED);
	json_object_set_new(unknown, "frame_octets", json_integer(128));
	comparison = compared(report(throughput(1, 1000, ASKED), invalid(unknown), NULL),
	                      report(throughput(1, 1000, ASKED), NULL, NULL));
	cr_expect_eq(number(comparison, "compared"), 1);
	expect(comparison, 2, "same", true, "none of 1 is worse than BASE by more than 1%; of the others BASE has no");
}

/* The three were once "s 6200335.94, N 3, same": a spread that no device ever had. */
Test(compare, tests_that_ask_in_different_ways_are_no_repetitions)
{
	static const char *const OTHER[] = {"{\"search\": \"mlrsearch\", \"trial_duration_s\": 60.0, \"settle_s\": "
	                                    "2.0, \"direction\": \"bidirectional\"}",
	                                    "{\"search\": \"binary\", \"trial_duration_s\": 1.0, \"settle_s\": 2.0, "
	                                    "\"direction\": \"bidirectional\"}",
	                                    "{\"search\": \"binary\", \"trial_duration_s\": 60.0, \"settle_s\": 0.0, "
	                                    "\"direction\": \"bidirectional\"}",
	                                    "{\"search\": \"binary\", \"trial_duration_s\": 60.0, \"settle_s\": 2.0, "
	                                    "\"direction\": \"unidirectional\"}",
	                                    "{\"search\": \"binary\", \"trial_duration_s\": 60.0, \"settle_s\": null, "
	                                    "\"direction\": \"bidirectional\"}"};

	for (size_t i = 0; i < sizeof(OTHER) / sizeof(OTHER[0]); i++) {
		json_t *comparison =
		        compared(report(throughput(1, 100000000, ASKED), throughput(2, 90000000, OTHER[i]), NULL),
		                 report(throughput(1, 100000000, ASKED), throughput(2, 70000000, OTHER[i]), NULL));

		cr_assert_eq(json_array_size(json_object_get(comparison, "results")), 2, "%s", OTHER[i]);
		for (size_t j = 0; j < 2; j++) {
			cr_expect_eq(number(json_object_get(row(comparison, j), "base"), "count"), 1);
			cr_expect_eq(number(row(comparison, j), "test_number"), (double)j + 1);
		}
		cr_expect_str_eq(text(row(comparison, 0), "verdict"), "same", "%s", OTHER[i]);
		cr_expect_str_eq(text(row(comparison, 1), "verdict"), "worse", "%s", OTHER[i]);
		cr_expect_float_eq(number(row(comparison, 1), "change_percent"), -100.0 * 20 / 90, 1e-9);
		json_decref(comparison);
	}
	/* The same question three times is a sample; with divisor N - 1, the spread of 990, 1000 and 1010 is 10. */
	json_t *comparison =
	        compared(report(throughput(1, 990, ASKED), throughput(2, 1000, ASKED), throughput(5, 1010, ASKED)),
	                 report(throughput(3, 1000, ASKED), NULL, NULL));
	cr_assert_eq(json_array_size(json_object_get(comparison, "results")), 1);
	cr_expect_eq(number(json_object_get(row(comparison, 0), "base"), "count"), 3);
	cr_expect_float_eq(number(json_object_get(row(comparison, 0), "base"), "stddev"), 10, 1e-9);
	json_decref(comparison);
}

Test(compare, a_test_is_found_by_what_it_asks_wherever_it_stands_in_the_plan)
{
	const char *shorter = "{\"search\": \"binary\", \"trial_duration_s\": 1.0}";
	const char *longer = "{\"search\": \"binary\", \"trial_duration_s\": 60.0}";
	json_t *comparison = compared(report(throughput(1, 1000, longer), throughput(2, 2000, shorter), NULL),
	                              report(throughput(1, 2000, shorter), throughput(2, 1000, longer), NULL));

	cr_expect_eq(number(json_object_get(row(comparison, 0), "new"), "value"), 1000);
	cr_expect_eq(number(json_object_get(row(comparison, 1), "new"), "value"), 2000);
	expect(comparison, 2, "same", true, "none of 2 is worse");
}

Test(compare, a_test_that_is_asked_in_another_way_is_not_judged_and_fails_with_both_values)
{
	const char *shorter = "{\"search\": \"binary\", \"trial_duration_s\": 1.0, \"load\": \"x\"}";
	const char *longer = "{\"search\": \"binary\", \"trial_duration_s\": 60.0, \"load\": \"y\"}";
	const char *fourth = "{\"search\": \"linear\", \"trial_duration_s\": 7.0, \"load\": \"y\"}";
	json_t *comparison = compared(report(throughput(2, 1000, longer), NULL, NULL),
	                              report(throughput(2, 1000, shorter), NULL, NULL));
	const json_t *one = row(comparison, 0), *difference = json_array_get(json_object_get(one, "differences"), 0);

	cr_expect_str_eq(text(one, "why"), "requested differently: trial_duration_s was 60.0, is 1.0");
	cr_expect_eq(json_array_size(json_object_get(one, "differences")), 1, "words are no difference");
	cr_expect_str_eq(text(difference, "key"), "trial_duration_s");
	cr_expect_eq(number(difference, "base"), 60);
	cr_expect_eq(number(difference, "new"), 1);
	cr_expect_eq(number(json_object_get(one, "new"), "value"), 1000);
	cr_expect(isnan(number(one, "change_percent")), "no judgement");
	cr_expect_eq(number(comparison, "compared"), 0);
	expect(comparison, 1, "differs", false, "nothing was compared: NEW has none of the 1 results of BASE");
	/* The counterpart of another test is not taken from it, and of two candidates the one with the same number is
	 * chosen. */
	comparison = compared(report(throughput(1, 1000, longer), throughput(2, 2000, shorter), NULL),
	                      report(throughput(1, 2000, shorter), NULL, NULL));
	cr_expect_str_eq(text(row(comparison, 0), "verdict"), "missing");
	cr_expect_str_eq(text(row(comparison, 1), "verdict"), "same");
	expect(comparison, 2, "missing", false, "1 of 2 are worse");
	comparison = compared(report(throughput(2, 1000, longer), NULL, NULL),
	                      report(throughput(1, 3000, fourth), throughput(2, 4000, shorter), NULL));
	cr_expect_eq(number(json_object_get(row(comparison, 0), "new"), "value"), 4000);
	cr_expect(noted(comparison, "2 results of NEW are of nothing that BASE measured"));
	json_decref(comparison);
}

Test(compare, what_another_version_does_not_say_and_how_a_number_is_written_is_no_difference)
{
	json_t *comparison = compared(
	        report(throughput(1, 1000, "{\"settle_s\": 2.0, \"resolution_fps\": 148809.52380952382}"), NULL, NULL),
	        report(throughput(1, 1000, "{\"settle_s\": 2, \"resolution_fps\": 148809.5238095238, \"drain_s\": 1}"),
	               NULL, NULL));

	cr_expect(noted(comparison, "only NEW says drain_s of throughput: taken to be the same in both"));
	expect(comparison, 1, "same", true, "none of 1");
	expect(compared(report(throughput(1, 1000, "{\"settle_s\": 2.0}"), NULL, NULL),
	                report(throughput(1, 1000, "{\"settle_s\": 2.0000001}"), NULL, NULL)),
	       1, "differs", false, "nothing was compared");
}

static json_t *of_mix(json_t *result, const char *sizes)
{
	json_object_set_new(result, "frame_octets", json_null());
	json_object_set_new(result, "sizes", json_string(sizes));
	return result;
}

Test(compare, a_mix_is_compared_with_the_same_mix_only)
{
	json_t *comparison = compared(
	        report(of_mix(throughput(1, 1000, "{}"), "imix"), of_mix(throughput(2, 2000, "{}"), "[65]"), NULL),
	        report(of_mix(throughput(1, 2000, "{}"), "[65]"), of_mix(throughput(2, 1000, "{}"), "imix"), NULL));

	cr_expect_str_eq(text(row(comparison, 0), "sizes"), "imix");
	cr_expect_str_eq(text(row(comparison, 0), "verdict"), "same");
	expect(comparison, 2, "same", true, "none of 2");
	expect(compared(report(of_mix(throughput(1, 1000, "{}"), "imix"), NULL, NULL),
	                report(of_mix(throughput(1, 1000, "{}"), "genome:ag"), NULL, NULL)),
	       1, "missing", false, "nothing was compared");
}

Test(compare, an_invalid_result_among_valid_ones_is_told)
{
	json_t *comparison = compared(report(throughput(1, 1000, ASKED), NULL, NULL),
	                              report(throughput(1, 1000, ASKED), invalid(throughput(2, 5, ASKED)), NULL));

	cr_expect(noted(comparison, "NEW: 1 of 2 results of throughput of 64 octets are left out: the tester was ill"));
	expect(comparison, 1, "same", true, "none of 1");
}

Test(compare, a_rate_with_loss_is_held_against_its_own_key)
{
	const char *parameters = "{\"search\": \"mlrsearch\", \"goal_loss_ratio\": 0.005}";
	json_t *base = throughput(1, 0, parameters), *new = throughput(1, 0, parameters), *comparison;

	json_object_set_new(base, "throughput_fps", json_null());
	json_object_set_new(base, "conditional_throughput_fps", json_real(1000));
	json_object_set_new(new, "throughput_fps", json_null());
	json_object_set_new(new, "conditional_throughput_fps", json_real(700));
	comparison = compared(report(base, NULL, NULL), report(new, NULL, NULL));
	cr_expect_str_eq(text(row(comparison, 0), "key"), "conditional_throughput_fps");
	expect(comparison, 1, "worse", false, "1 of 1 are worse");
}

/* Tests the limit from both sides, to a hundredth of a percent. */
Test(compare, a_tolerance_is_neither_laxer_nor_stricter_than_it_says)
{
	static const struct {
		double tolerance, new_fps;
		const char *verdict;
	} EDGES[] = {
	        {0.01, 990000, "same"},  {0.01, 989900, "unclear"},  {0.01, 1010000, "same"}, {0.01, 1010100, "same"},
	        {0.05, 950000, "same"},  {0.05, 949900, "unclear"},  {0, 999998, "unclear"},  {0, 999999, "same"},
	        {0.004, 996000, "same"}, {0.004, 995900, "unclear"}, {1, 0, "same"},          {0.9999, 0, "worse"}};

	for (size_t i = 0; i < sizeof(EDGES) / sizeof(EDGES[0]); i++) {
		json_t *base = report(throughput(1, 1000000, ASKED), NULL, NULL);
		json_t *new = report(throughput(1, EDGES[i].new_fps, ASKED), NULL, NULL);
		json_t *comparison = compare_reports(base, new, EDGES[i].tolerance);

		cr_expect_str_eq(text(row(comparison, 0), "verdict"), EDGES[i].verdict, "%g of %g", EDGES[i].new_fps,
		                 EDGES[i].tolerance);
		json_decref(comparison);
		json_decref(base);
		json_decref(new);
	}
}

/* JSON may come from anywhere. */
Test(compare, documents_of_any_shape_are_compared_or_are_nothing)
{
	static const char *const SHAPES[] = {
	        "{}",
	        "{\"results\": [1, null, \"x\", [], {}]}",
	        "{\"results\": [{\"test\": \"\"}]}",
	        "{\"results\": [{\"test\": \"throughput\"}]}",
	        "{\"results\": [{\"test\": \"throughput mlrsearch\", \"valid\": true}]}",
	        "{\"results\": [{\"test\": \"throughput\", \"valid\": true, \"throughput_fps\": \"fast\", "
	        "\"parameters\": 7}]}",
	        "{\"results\": [{\"test\": \"mlrsearch\", \"valid\": true, \"parameters\": [{}], \"flags\": [3]}]}",
	        "{\"results\": [{\"test\": \"back_to_back\", \"valid\": true, \"average_frames\": 1, "
	        "\"values_frames\": [{}, "
	        "\"x\"]}]}",
	        "{\"results\": {\"test\": \"throughput\"}, \"notes\": 5}"};

	for (size_t i = 0; i < sizeof(SHAPES) / sizeof(SHAPES[0]); i++)
		for (size_t j = 0; j < sizeof(SHAPES) / sizeof(SHAPES[0]); j++) {
			json_t *base = json_loads(SHAPES[i], 0, NULL), *new = json_loads(SHAPES[j], 0, NULL),
			       *comparison;
			FILE *sink = fopen("/dev/null", "w");

			cr_assert(base && new &&sink);
			comparison = compare_reports(base, new, 0.01);
			cr_assert_not_null(comparison, "%s %s", SHAPES[i], SHAPES[j]);
			cr_expect(json_is_string(json_object_get(comparison, "why")));
			compare_table(comparison, sink);
			if (strcmp(SHAPES[i], SHAPES[j]) != 0)
				cr_expect_not(compare_passes(comparison), "%s %s", SHAPES[i], SHAPES[j]);
			fclose(sink);
			json_decref(comparison);
			json_decref(base);
			json_decref(new);
		}
}

/* -- metrics besides the answer ------------------------------------------------------------------------------------ */

static json_t *with(json_t *result, const char *key, double value)
{
	json_object_set_new(result, key, isnan(value) ? json_null() : json_real(value));
	return result;
}

static const json_t *row_of(const json_t *comparison, const char *key)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(comparison, "results"), i, one)
	{
		if (!strcmp(text(one, "key"), key))
			return one;
	}
	return NULL;
}

static json_t *repeated(const char *key, double first, double second, double third)
{
	return report(with(throughput(1, 1000000, ASKED), key, first), with(throughput(2, 1000000, ASKED), key, second),
	              with(throughput(3, 1000000, ASKED), key, third));
}

static void expect_row(json_t *comparison, const char *key, const char *verdict, const char *why)
{
	const json_t *one = row_of(comparison, key);

	cr_assert_not_null(one, "%s", key);
	cr_expect_str_eq(text(one, "verdict"), verdict, "%s: %s", key, text(one, "why"));
	cr_expect(strstr(text(one, "why"), why), "%s: %s", key, text(one, "why"));
	cr_expect_eq(compare_passes(comparison), !strcmp(verdict, "same") || !strcmp(verdict, "better"), "%s", key);
	cr_expect_str_eq(text(row(comparison, 0), "verdict"), "same", "the throughput is");
	json_decref(comparison);
}

static json_t *compared_alone(const char *key, double base, double new)
{
	return compared(report(with(throughput(1, 1000000, ASKED), key, base), NULL, NULL),
	                report(with(throughput(1, 1000000, ASKED), key, new), NULL, NULL));
}

Test(compare, a_hundred_times_the_latency_at_the_same_throughput_fails)
{
	static const char *const KEYS[] = {"latency_min_ns", "latency_mean_ns",  "latency_p50_ns", "latency_p90_ns",
	                                   "latency_p99_ns", "latency_p99_9_ns", "latency_max_ns"};

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		expect_row(compared_alone(KEYS[i], 800, 80000), KEYS[i], "worse", "one value each");
		expect_row(compared_alone(KEYS[i], 80000, 800), KEYS[i], "better", "one value each");
		expect_row(compared(repeated(KEYS[i], 800, 801, 802), repeated(KEYS[i], 80000, 80001, 80002)), KEYS[i],
		           "worse", "not chance");
	}
}

Test(compare, one_value_each_is_judged_beyond_what_chance_is_thought_to_do)
{
	expect_row(compared_alone("latency_min_ns", 1000, 1009), "latency_min_ns", "same", "tolerance");
	expect_row(compared_alone("latency_min_ns", 1000, 1049), "latency_min_ns", "same",
	           "one value each: up to 5% may be chance");
	expect_row(compared_alone("latency_min_ns", 1000, 1051), "latency_min_ns", "unclear", "spread unknown");
	expect_row(compared_alone("latency_min_ns", 1000, 1210), "latency_min_ns", "worse", "more than chance");
	expect_row(compared_alone("latency_mean_ns", 1000, 2990), "latency_mean_ns", "same",
	           "up to 200% may be chance");
	expect_row(compared_alone("latency_mean_ns", 1000, 3010), "latency_mean_ns", "worse", "more than chance");
	expect_row(compared_alone("latency_max_ns", 1000, 3990), "latency_max_ns", "same", "up to 300% may be chance");
	expect_row(compared_alone("latency_max_ns", 1000, 4010), "latency_max_ns", "worse", "more than chance");
	/* a factor counts the same in both directions */
	expect_row(compared_alone("latency_max_ns", 4010, 1000), "latency_max_ns", "better", "more than chance");
	expect_row(compared_alone("latency_max_ns", 3990, 1000), "latency_max_ns", "same", "up to 300%");
	expect_row(compared_alone("latency_min_ns", 0, 8), "latency_min_ns", "worse", "more than chance");
}

/* One step of the search further, a queue may be ten times as long. */
Test(compare, a_latency_at_another_load_is_judged_less_strictly_without_repetitions)
{
	const double step_off = 1000001;
	json_t *comparison =
	        compared(report(with(throughput(1, 1000000, ASKED), "latency_mean_ns", 1000), NULL, NULL),
	                 report(with(throughput(1, step_off, ASKED), "latency_mean_ns", 20990), NULL, NULL));

	expect_row(comparison, "latency_mean_ns", "same", "at different loads: up to 2000% may be chance");
	comparison = compared(report(with(throughput(1, 1000000, ASKED), "latency_mean_ns", 1000), NULL, NULL),
	                      report(with(throughput(1, step_off, ASKED), "latency_mean_ns", 21010), NULL, NULL));
	expect_row(comparison, "latency_mean_ns", "worse", "more than chance");
	comparison = compared(report(with(throughput(1, 1000000, ASKED), "latency_min_ns", 1000), NULL, NULL),
	                      report(with(throughput(1, step_off, ASKED), "latency_min_ns", 9000), NULL, NULL));
	expect_row(comparison, "latency_min_ns", "worse", "more than chance");
	comparison = compared(repeated("latency_mean_ns", 1000, 1001, 1002),
	                      report(with(throughput(1, step_off, ASKED), "latency_mean_ns", 9000),
	                             with(throughput(2, step_off, ASKED), "latency_mean_ns", 9001), NULL));
	expect_row(comparison, "latency_mean_ns", "worse", "not chance");
}

Test(compare, three_percent_more_jitter_counts_where_it_is_more_than_the_spread)
{
	static const char *const KEYS[] = {"latency_p99_ns", "latency_max_ns"};

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		expect_row(compared(repeated(KEYS[i], 1995, 2000, 2005), repeated(KEYS[i], 2055, 2060, 2065)), KEYS[i],
		           "worse", "not chance");
		expect_row(compared(repeated(KEYS[i], 1900, 2000, 2100), repeated(KEYS[i], 1960, 2060, 2160)), KEYS[i],
		           "same", "may be chance");
	}
}

/* A bin of 10.24 ns is 1.5% here: the same device may land in either of two. */
Test(compare, a_percentile_is_known_to_a_bin_of_its_histogram)
{
	static const struct {
		double bins;
		const char *verdict, *why;
	} MOVED[] = {{1, "same", "within a step"}, {4, "worse", "not chance"}};

	for (size_t i = 0; i < sizeof(MOVED) / sizeof(MOVED[0]); i++) {
		json_t *base = repeated("latency_p99_ns", 675.84, 675.84, 675.84);
		double new_ns = 675.84 + 10.24 * MOVED[i].bins;
		json_t *new = repeated("latency_p99_ns", new_ns, new_ns, new_ns), *result;
		size_t at;

		json_array_foreach(json_object_get(base, "results"), at, result) json_object_set_new(
		        result, "latency_histogram",
		        json_pack("[{s:f, s:f, s:i}, {s:f, s:f, s:i}]", "from_ns", 0.0, "to_ns", 10.24, "frames", 5,
		                  "from_ns", 665.6, "to_ns", 675.84, "frames", 7));
		expect_row(compared(base, new), "latency_p99_ns", MOVED[i].verdict, MOVED[i].why);
	}
}

Test(compare, a_value_that_is_in_one_run_only_is_missing_or_a_note)
{
	json_t *comparison, *new = report(with(throughput(1, 1000000, ASKED), "latency_p50_ns", NAN), NULL, NULL);

	json_object_set_new(json_array_get(json_object_get(new, "results"), 0), "flags",
	                    json_pack("[s]", "the card has no histograms"));
	comparison = compared(report(with(throughput(1, 1000000, ASKED), "latency_p50_ns", 800), NULL, NULL), new);
	expect_row(comparison, "latency_p50_ns", "missing", "NEW has a result without it: the card has no histograms");
	comparison = compared_alone("latency_p50_ns", NAN, 800);
	cr_expect(noted(comparison, "only NEW has latency_p50_ns of throughput"));
	expect(comparison, 1, "same", true, "none of 1");
	comparison = compared_alone("latency_p50_ns", NAN, NAN);
	cr_expect_eq(json_array_size(json_object_get(comparison, "notes")), 0);
	expect(comparison, 1, "same", true, "none of 1");
}

Test(compare, a_percentile_that_is_not_known_because_its_trial_lost_frames_is_a_note)
{
	static const struct {
		int lost;
		bool passes;
	} CASES[] = {{3, true}, {0, false}};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		json_t *new = with(throughput(1, 1000000, ASKED), "latency_p50_ns", NAN), *comparison;

		json_object_set_new(new, "counters", json_pack("{s:i}", "lost_frames", CASES[i].lost));
		comparison = compared(report(with(throughput(1, 1000000, ASKED), "latency_p50_ns", 800), NULL, NULL),
		                      report(new, NULL, NULL));
		cr_expect_eq(compare_passes(comparison), CASES[i].passes);
		cr_expect_eq(noted(comparison, "only BASE has latency_p50_ns of throughput"), CASES[i].passes);
		json_decref(comparison);
	}
}

Test(compare, a_change_is_one_failure_whatever_else_follows_from_it)
{
	json_t *slow = with(throughput(1, 750000, ASKED), "throughput_percent", 50.4), *burst[2], *comparison;

	with(slow, "forwarding_rate_fps", 750000);
	comparison = compared(report(with(with(throughput(1, 1000000, ASKED), "throughput_percent", 67.2),
	                                  "forwarding_rate_fps", 1000000),
	                             NULL, NULL),
	                      report(slow, NULL, NULL));
	expect(comparison, 1, "worse", false, "1 of 1 are worse");
	for (size_t i = 0; i < 2; i++)
		burst[i] = json_pack("{s:s, s:i, s:b, s:f, s:i, s:i, s:f, s:f, s:f, s:i}", "test", "back_to_back",
		                     "frame_octets", 64, "valid", 1, "average_frames", 1000.0 - 500 * (double)i,
		                     "min_frames", 990 - 500 * (int)i, "max_frames", 1010 - 500 * (int)i,
		                     "stddev_frames", 5.0 + (double)i, "corrected_buffer_s", 1e-6 - 5e-7 * (double)i,
		                     "buffer_frames", 300.0 - 150 * (double)i, "step_frames", 1);
	expect(compared(report(burst[0], NULL, NULL), report(burst[1], NULL, NULL)), 1, "worse", false,
	       "1 of 1 are worse");
	/* Latency next to it is a different metric, but still the same result. */
	comparison = compared(
	        report(with(with(throughput(1, 1000000, ASKED), "latency_min_ns", 800), "latency_max_ns", 900), NULL,
	               NULL),
	        report(with(with(throughput(1, 750000, ASKED), "latency_min_ns", 8000), "latency_max_ns", 9000), NULL,
	               NULL));
	cr_expect_eq(number(comparison, "compared"), 1);
	expect(comparison, 3, "worse", false, "1 of 1 are worse");
}

static const char *printed(const json_t *comparison, char *buffer, size_t size)
{
	FILE *out = fmemopen(buffer, size, "w");

	cr_assert_not_null(out);
	compare_table(comparison, out);
	fclose(out);
	return buffer;
}

Test(compare, the_table_has_every_answer_and_of_other_values_what_changed)
{
	json_t *comparison = compared(
	        report(with(with(throughput(1, 1000000, ASKED), "latency_min_ns", 800), "latency_mean_ns", 900), NULL,
	               NULL),
	        report(with(with(throughput(1, 1000000, ASKED), "latency_min_ns", 800), "latency_mean_ns", 9000), NULL,
	               NULL));
	char text_of[4096];

	printed(comparison, text_of, sizeof(text_of));
	cr_expect(strstr(text_of, "throughput_fps"), "%s", text_of);
	cr_expect(strstr(text_of, "latency_mean_ns"), "%s", text_of);
	cr_expect(!strstr(text_of, "latency_min_ns"), "%s", text_of);
	cr_expect(strstr(text_of, "\n  other values that are the same: 1 (--json has them)\n"), "%s", text_of);
	cr_expect_eq(json_array_size(json_object_get(comparison, "results")), 3);
	json_decref(comparison);
}

/* Worked out by hand: m = 5, limits 0.01, 0.02, 0.03, 0.04, 0.05; the third is within its limit, so all before it count
 * too. */
Test(compare, of_many_values_each_must_be_less_of_a_chance)
{
	cr_expect_float_eq(judge_largest_p((double[]){0.029, 0.6, 0.025, 0.022, 0.5}, 5, 0.05), 0.029, 0);
	cr_expect_lt(judge_largest_p((double[]){0.011, 0.6, 0.7, 0.8, 0.5}, 5, 0.05), 0);
	cr_expect_float_eq(judge_largest_p((double[]){0.049}, 1, 0.05), 0.049, 0);
	cr_expect_lt(judge_largest_p((double[]){0.051}, 1, 0.05), 0);
	cr_expect_float_eq(judge_largest_p((double[]){0, 1, 1, 1}, 4, 0.05), 0, 0);
	cr_expect_lt(judge_largest_p(NULL, 0, 0.05), 0);
}

Test(compare, results_of_other_traffic_are_not_the_same_measurement)
{
	const char *plain = "{\"pattern\": \"pairs\", \"frame\": \"ipv4_udp\", \"vlan\": null, \"addresses\": 1, "
	                    "\"seed\": null}";
	const char *other = "{\"pattern\": \"mesh\", \"frame\": \"ipv4_udp\", \"vlan\": 5, \"addresses\": 1, "
	                    "\"seed\": null}";
	json_t *comparison = compared(report(throughput(1, 1000, plain), NULL, NULL),
	                              report(throughput(1, 1000, other), NULL, NULL));

	cr_expect_str_eq(text(row(comparison, 0), "why"),
	                 "requested differently: pattern was \"pairs\", is \"mesh\"; vlan was null, is 5");
	expect(comparison, 1, "differs", false, "nothing was compared");
	comparison = compared(report(throughput(1, 1000, plain), NULL, NULL),
	                      report(throughput(1, 1000, plain), NULL, NULL));
	cr_expect_eq(json_array_size(json_object_get(comparison, "notes")), 0, "nothing had to be assumed");
	expect(comparison, 1, "same", true, "none of 1");
}

/* -- single values, and the runs before ---------------------------------------------------------------------------- */

/* Runs with one throughput each. */
static json_t *runs_of(const double *fps, size_t count)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(runs, report(throughput(1, fps[i], ASKED), NULL, NULL));
	return runs;
}

static json_t *against(const double *fps, size_t count, double new_fps)
{
	json_t *runs = runs_of(fps, count), *new = report(throughput(1, new_fps, ASKED), NULL, NULL);
	json_t *comparison = compare_history(runs, new, 0.01);

	cr_assert_not_null(comparison);
	json_decref(new);
	json_decref(runs);
	return comparison;
}

Test(compare, a_single_value_that_is_worse_by_what_noise_may_be_is_unclear_and_not_green)
{
	static const double BASE[] = {1000000};
	json_t *comparison = against(BASE, 1, 980000);

	cr_expect(compare_is_unclear(comparison));
	cr_expect(compare_row_fails(row(comparison, 0)));
	cr_expect(json_is_false(json_object_get(row(comparison, 0), "significant")));
	expect(comparison, 1, "unclear", false, "they were measured once; repeat them");
	comparison = against(BASE, 1, 750000);
	cr_expect_not(compare_is_unclear(comparison));
	expect(comparison, 1, "worse", false, "1 of 1 are worse");
	expect(against(BASE, 1, 1020000), 1, "same", true, "none of 1");
}

/* Each step is within the tolerance of the run before. */
Test(compare, a_drift_is_held_against_the_best_of_the_runs_before)
{
	static const double FPS[] = {1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 992000, 984064};

	/* the spread of fewer than six runs is not known */
	expect(against(FPS + 5, 1, FPS[6]), 1, "same", true, "none of 1");
	expect(against(FPS + 5, 2, FPS[7]), 1, "unclear", false, "repeat them");
	expect(against(FPS + 3, 4, FPS[7]), 1, "unclear", false, "repeat them");
	/* the spread of six is known */
	expect(against(FPS, 6, FPS[6]), 1, "same", true, "none of 1");
	expect(against(FPS, 7, FPS[7]), 1, "worse", false, "1 of 1 are worse");
}

/* 1,000 +- 1 and 1,000 +- 30: the same fall, and what the runs before say of it. */
Test(compare, the_spread_of_the_runs_before_decides)
{
	static const double QUIET[] = {999000, 1001000, 1000000, 999000, 1001000, 1000000},
	                    LOUD[] = {970000, 1030000, 1000000, 970000, 1030000, 1000000};
	json_t *comparison = against(QUIET, 6, 960000);

	cr_expect_eq(number(json_object_get(row(comparison, 0), "base"), "count"), 6);
	cr_expect_float_eq(number(json_object_get(row(comparison, 0), "base"), "stddev"),
	                   1000 * sqrt((4 + 1 + 1 + 4 + 1) / 10.0), 1e-6);
	expect(comparison, 1, "worse", false, "1 of 1 are worse");
	expect(against(LOUD, 6, 960000), 1, "same", true, "none of 1");
	expect(against(LOUD, 6, 750000), 1, "worse", false, "1 of 1 are worse");
}

/* The two values are doubles of fractions of a line rate: exactly the tolerance apart is within it, 10^-12 of the value
 * more is not. */
Test(compare, a_value_that_is_exactly_the_tolerance_away_is_within_it)
{
	const struct metric metric = {.key = "throughput_fps", .better = BETTER_MORE};

	for (unsigned octets = 64; octets <= 9216; octets += 143)
		for (unsigned percent = 1; percent <= 50; percent++) {
			const struct rate line = rate_max_theoretical(UINT64_C(100000000000), octets);
			const double from = rate_fps(line), to = rate_fps(rate_scale(line, 100 - percent, 100));
			const struct evidence base = {.sample = {.count = 1, .mean = from, .stddev = NAN}};
			const struct evidence at = {.sample = {.count = 1, .mean = to, .stddev = NAN}};
			const struct evidence below = {
			        .sample = {.count = 1, .mean = to - 1e-12 * from, .stddev = NAN}};
			struct change change = change_of(&base, &at);

			cr_assert_str_eq(judge(&metric, &change, false, percent / 100.0, 0).why, "within the tolerance",
			                 "%u%% at %u octets", percent, octets);
			change = change_of(&base, &below);
			cr_assert_str_neq(judge(&metric, &change, false, percent / 100.0, 0).why,
			                  "within the tolerance", "%u%% at %u octets", percent, octets);
		}
}
