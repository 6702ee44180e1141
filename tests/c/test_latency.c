/* SPDX-License-Identifier: Apache-2.0 */
/* Latency on a FIFO whose answer is known, with a tester that fails, and without a throughput. */
#include "bench_case.h"
#include "host/bench/rfc2544/latency.h"

static struct bench_case c;
static struct latency_settings settings;
static const uint32_t SIZES[] = {64, 1518};

static void begin(void)
{
	case_begin(&c, SIZES, 2);
	settings = (struct latency_settings){
	        .trial_duration_ns = 10000000, .tag_after_ns = 4000000, .repetitions = 5, .has_load = false};
	c.tests[1].benchmark = &LATENCY.plan;
	c.tests[1].settings = &settings;
	fifo_begin(&c.fifo, 50, 372, 1000);
}

static void end(void)
{
	case_end(&c);
}

TestSuite(latency, .init = begin, .fini = end);

static double value(const json_t *result, const char *list, size_t i)
{
	return json_number_value(json_array_get(json_object_get(result, list), i));
}

Test(latency, is_measured_at_exactly_the_throughput_of_the_same_run)
{
	cr_assert_eq(case_run(&c), 0);
	for (unsigned i = 0; i < 2; i++) {
		const json_t *throughput = case_result(&c, "throughput", SIZES[i]);
		const json_t *result = case_result(&c, "latency", SIZES[i]);

		cr_expect(is_true(result, "valid"), "%s", text(result, "why_invalid"));
		cr_expect_float_eq(number(result, "load_fps"), number(throughput, "throughput_fps"), 1e-6);
		cr_expect_str_eq(text(result, "load_source"), "throughput");
		cr_expect_eq(number(result, "trials"), 5);
		cr_expect_eq(json_array_size(json_object_get(result, "tagged_latency_ns")), 5);
		cr_expect_eq(json_array_size(json_object_get(result, "tags")), 10);
	}
	/* 37.2% of line rate, exactly: what was asked for is that fraction, not a number near it */
	cr_expect_eq(rate_compare(c.fifo.last.load,
	                          rate_scale(rate_max_theoretical(UINT64_C(100000000000), 1518), 372, 1000)),
	             0);
	cr_expect_eq(c.fifo.last.tag_after_ot, 50000000);
	cr_expect_eq(c.fifo.last.duration_ot, 125000000);
}

/* The fake tags the fastest and the slowest frame in turn. */
Test(latency, of_the_result_is_the_mean_of_the_tagged_frames_by_all_four_pairs)
{
	const json_t *result;
	double sum = 0, mean, frame_ns = 64 * 8 / 100.0;

	settings.has_load = true;
	settings.load = (struct quantity){QUANTITY_PERCENT, 1, 2}; /* too much: it loses, and latency varies */
	c.plan.tests = &c.tests[1];
	c.plan.test_count = 1;
	cr_assert_eq(case_run(&c), 0);
	result = case_result(&c, "latency", 64);
	for (size_t i = 0; i < 5; i++) {
		const char *of = i % 2 ? "latency_max_ns" : "latency_min_ns";

		cr_expect_float_eq(value(result, "tagged_latency_ns", i), number(result, of), 1e-9, "stream %zu", i);
		sum += value(result, "tagged_latency_ns", i);
	}
	mean = sum / 5;
	cr_expect_lt(number(result, "latency_min_ns"), number(result, "latency_max_ns"));
	cr_expect_float_eq(number(result, "tagged_latency_mean_ns"), mean, 1e-6);
	cr_expect_float_eq(number(result, "tagged_fifo_ns"), mean, 1e-6);
	cr_expect_float_eq(number(result, "tagged_lilo_ns"), mean, 1e-6);
	cr_expect_float_eq(number(result, "tagged_lifo_ns"), mean - frame_ns, 1e-6);
	cr_expect_float_eq(number(result, "tagged_filo_ns"), mean + frame_ns, 1e-6);
	cr_expect_gt(number(result, "tagged_latency_stddev_ns"), 0);
	cr_expect(flagged(result, "frames were lost in 5 of 5 streams"));
}

Test(latency, repeats_invalid_streams_and_gives_up_a_tester_that_fails_for_good)
{
	settings.has_load = true;
	settings.load = (struct quantity){QUANTITY_PERCENT, 1, 4};
	c.plan.tests = &c.tests[1];
	c.plan.test_count = 1;
	c.fifo.invalid_every = 3;
	cr_assert_eq(case_run(&c), 0);
	cr_expect(is_true(case_result(&c, "latency", 64), "valid"));
	cr_expect_eq(number(case_result(&c, "latency", 64), "invalid_trials"), 2);
	cr_expect_eq(json_array_size(json_object_get(case_result(&c, "latency", 64), "tagged_latency_ns")), 5);
	c.fifo.invalid_every = 0;
	c.fifo.invalid_trials = 1000;
	cr_assert_eq(case_run(&c), 0);
	cr_expect_not(is_true(case_result(&c, "latency", 64), "valid"));
	cr_expect(strstr(text(case_result(&c, "latency", 64), "why_invalid"), "ended after 0 of 5 repetitions"));
}

Test(latency, is_not_tested_without_a_throughput_above_0)
{
	const json_t *result;

	fifo_begin(&c.fifo, 1, 1, 1000000); /* loses at every load of the search */
	cr_assert_eq(case_run(&c), 0);
	cr_assert_eq(number(case_result(&c, "throughput", 64), "throughput_fps"), 0);
	result = case_result(&c, "latency", 64);
	cr_expect_not(is_true(result, "valid"));
	cr_expect(strstr(text(result, "why_invalid"), "no valid throughput of this size"));
	cr_expect_eq(number(result, "trials"), 0);
	cr_expect(isnan(number(result, "tagged_latency_mean_ns")));
	cr_expect(isnan(number(result, "load_fps")));
}
