/* SPDX-License-Identifier: Apache-2.0 */
/* max_load and min_load of every search of loads, on random FIFOs that forward more, less, or between them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_case.h"
#include "host/base/splitmix64.h"
#include "host/bench/rfc2544/frame_loss_rate.h"
#include "host/bench/rfc9971/mlrsearch.h"
#include "tests/seed.h"

enum { ROUNDS = 60, PARTS = 1000000 };

static struct bench_case c;
static const uint32_t SIZES[] = {64, 512, 1518};
static uint64_t state;

static uint64_t draw(uint64_t below)
{
	return splitmix64(&state) % below;
}

/* Loads that were offered, as parts of line rate. */
static const struct tester_ops *real;
static double least, most;

static int note_load(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	const double part = rate_fps(request->load) /
	                    rate_fps(rate_max_theoretical(UINT64_C(100000000000), request->shape.frame_octets));

	if (request->kind == TRIAL_LOAD) {
		least = fmin(least, part);
		most = fmax(most, part);
	}
	return real->run(tester, request, result, error);
}

static void begin(void)
{
	state = test_seed();
	case_begin(&c, SIZES, 1);
}

static void end(void)
{
	case_end(&c);
}

TestSuite(load_range, .init = begin, .fini = end);

static void run_on(const uint32_t *size, uint64_t buffer, uint64_t service_n, uint64_t service_d)
{
	static struct tester_ops spy;

	c.sizes[0] = *size;
	fifo_begin(&c.fifo, buffer, service_n, service_d);
	real = c.fifo.tester.ops;
	spy = *real;
	spy.run = note_load;
	spy.looks_ahead = NULL;
	c.fifo.tester.ops = &spy;
	least = INFINITY;
	most = 0;
	cr_assert_eq(case_run(&c), 0, "%s", c.error.text);
}

/* Limits in millionths of line rate, which a plan may leave out, and the steps of a grid that are between them. */
struct limits {
	bool has_min, has_max;
	uint64_t min, max;
	uint64_t low, high; /* bounds in steps; high < low: there is none */
};

static struct limits draw_limits(uint64_t steps)
{
	struct limits limits = {.has_min = draw(2), .has_max = draw(4) != 0};
	const uint64_t one = 1 + draw(PARTS - 1), other = 1 + draw(PARTS - 1), step = PARTS / steps;

	limits.max = limits.has_max ? one > other ? one : other : PARTS;
	limits.min = limits.has_min ? one > other ? other : one : 0;
	if (limits.has_max && draw(3) == 0)
		limits.max = (limits.max + step - 1) / step * step; /* a limit on the grid; it may be line rate */
	limits.high = limits.max / step;
	limits.low = limits.has_min ? (limits.min + step - 1) / step : 1;
	c.tests[0].max_load = limits.has_max ? (struct quantity){QUANTITY_PERCENT, limits.max, PARTS}
	                                     : (struct quantity){QUANTITY_PERCENT, 1, 1};
	c.tests[0].min_load =
	        limits.has_min ? (struct quantity){QUANTITY_PERCENT, limits.min, PARTS} : (struct quantity){0};
	return limits;
}

/* Returns whether the plan is refused, as it must be where nothing is left to try. */
static bool is_refused(const struct limits *limits, const uint32_t *size)
{
	const bool refused = bench_check(&c.plan, UINT64_C(100000000000), &c.error) != 0;

	c.sizes[0] = *size;
	cr_assert_eq(refused, limits->high < limits->low, "%s, %" PRIu64 " to %" PRIu64, c.error.text, limits->min,
	             limits->max);
	if (refused)
		cr_assert(strstr(c.error.text, "max_load: must leave a load to try"), "%s", c.error.text);
	return refused;
}

static void check_within(const struct limits *limits, uint64_t steps)
{
	cr_assert_geq(least, (double)limits->low / (double)steps * (1 - 1e-12));
	cr_assert_leq(most, (double)limits->high / (double)steps * (1 + 1e-12));
}

static bool says_at_least(const json_t *result)
{
	const bool says = is_true(result, "at_least");

	cr_assert_eq(says, flagged(result, "no limit of the device was found"));
	cr_assert(says || !json_object_get(result, "at_least"), "only there if true");
	return says;
}

/* The device loses frames above `passed` steps and no others. */
static void check_throughput(const struct limits *limits, uint64_t passed, uint64_t steps)
{
	const json_t *result = json_array_get(c.context.results, 0);
	const bool none = passed < limits->low, all = passed >= limits->high;
	const uint64_t found = none ? 0 : all ? limits->high : passed;

	cr_assert_eq(says_at_least(result), !none && all && limits->max < PARTS);
	cr_assert_eq(is_true(result, "valid"), !(none && limits->has_min), "%s", text(result, "why_invalid"));
	cr_assert(is_true(result, "valid") || strstr(text(result, "why_invalid"), "min_load"));
	if (none && limits->has_min) /* docs/plan.md: not called 0 */
		cr_assert(isnan(number(result, "throughput_percent")) && isnan(number(result, "throughput_fps")));
	else
		cr_assert_float_eq(number(result, "throughput_percent"), 100 * (double)found / (double)steps, 1e-9);
	if (all)
		cr_assert(isnan(number(result, "first_lossy_fps")));
	else
		cr_assert_float_eq(number(result, "first_lossy_fps") / number(result, "max_theoretical_fps"),
		                   (double)(none ? limits->low : found + 1) / (double)steps, 1e-9);
}

Test(load_range, a_throughput_is_what_the_device_forwards_or_at_least_max_load_and_no_load_is_outside)
{
	enum { STEPS = 1000 };

	c.plan.test_count = 1;
	for (unsigned round = 0; round < ROUNDS; round++) {
		const uint32_t *size = &SIZES[draw(3)];
		const struct limits limits = draw_limits(STEPS);
		/* and a half, so that no buffer hides a step; sometimes a wire */
		const uint64_t passed = draw(5) ? draw(STEPS) : STEPS;

		c.tests[0].frame_sizes = c.sizes;
		c.tests[0].search = draw(2) ? PLAN_SEARCH_BINARY : PLAN_SEARCH_LOSS_VERIFICATION;
		c.tests[0].max_trials = 1 + (unsigned)draw(2);
		c.throughput.search_trial_duration_ns = draw(2) ? 100000000 : 1000000000;
		if (is_refused(&limits, size))
			continue;
		run_on(size, 1 + draw(100), 2 * passed + 1, 2 * STEPS);
		check_within(&limits, STEPS);
		check_throughput(&limits, passed, STEPS);
	}
}

Test(load_range, a_back_to_back_test_does_not_take_what_max_load_let_through_for_the_throughput)
{
	for (unsigned round = 0; round < 10; round++) {
		const uint64_t service = 700 + draw(299), max = 500 + draw(500);
		const json_t *bursts;
		const bool at_least = service > max;

		c.throughput.search_trial_duration_ns = c.throughput.trial_duration_ns = 1000000000;
		c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, max, 1000};
		run_on(SIZES, 100, 2 * service + 1, 2000);
		bursts = case_result(&c, "back_to_back", 64);
		cr_assert_eq(is_true(case_result(&c, "throughput", 64), "at_least"), at_least || service == max);
		cr_assert_eq(flagged(bursts, "only known to be at least"), at_least || service == max);
		/* the buffer is the true one, by whichever rate it is corrected */
		cr_assert_float_eq(number(bursts, "buffer_frames"), 100, 12, "%f", number(bursts, "buffer_frames"));
	}
}

Test(load_range, frame_loss_rates_are_those_of_the_loads_between_the_limits_and_of_no_others)
{
	enum { STEPS = 100 };
	static struct frame_loss_rate_settings settings = {.trial_duration_ns = 100000000,
	                                                   .step = {QUANTITY_PERCENT, 1, STEPS}};

	c.plan.test_count = 1;
	c.tests[0].benchmark = &FRAME_LOSS_RATE.plan;
	c.tests[0].settings = &settings;
	for (unsigned round = 0; round < ROUNDS; round++) {
		const uint32_t *size = &SIZES[draw(3)];
		const struct limits limits = draw_limits(STEPS);
		const uint64_t passed = draw(5) ? draw(STEPS) : STEPS;
		const json_t *result, *points, *top;

		c.tests[0].frame_sizes = c.sizes;
		if (is_refused(&limits, size))
			continue;
		run_on(size, 1 + draw(100), 2 * passed + 1, 2 * STEPS);
		check_within(&limits, STEPS);
		result = json_array_get(c.context.results, 0);
		points = json_object_get(result, "points");
		top = json_array_get(points, 0);
		cr_assert(is_true(result, "valid"));
		cr_assert_float_eq(number(top, "load_percent"), (double)limits.high, 1e-9);
		/* one more than the first without loss, unless the loads end before */
		const uint64_t first = passed < limits.high ? passed : limits.high;
		const uint64_t last = first > limits.low ? first - 1 : limits.low;

		cr_assert_eq(json_array_size(points), limits.high - last + 1);
		cr_assert_eq(says_at_least(result),
		             passed >= limits.high && limits.high > limits.low && limits.max < PARTS);
		if (limits.max < PARTS) {
			cr_assert(isnan(number(result, "line_rate_loss_percent")));
			cr_assert_eq(number(result, "max_load_loss_percent"), number(top, "loss_percent"));
		} else {
			cr_assert_eq(number(result, "line_rate_loss_percent"), number(top, "loss_percent"));
			cr_assert_not(json_object_get(result, "max_load_loss_percent"));
		}
		if (first > limits.low)
			cr_assert_float_eq(number(result, "loss_free_load_percent"), (double)first, 1e-9);
		else
			cr_assert(isnan(number(result, "loss_free_load_percent")));
	}
}

Test(load_range, mlrsearch_is_irregular_and_at_least_max_load_where_that_passes)
{
	const bool by_throughput = draw(2);

	c.plan.test_count = 1;
	c.tests[0].benchmark = by_throughput ? &THROUGHPUT.plan : &MLRSEARCH.plan;
	c.tests[0].search = PLAN_SEARCH_MLRSEARCH;
	for (unsigned round = 0; round < ROUNDS; round++) {
		const uint32_t *size = &SIZES[draw(3)];
		const uint64_t min = 1000 + draw(400000), max = min + 50000 + draw(PARTS - min - 50000);
		uint64_t service = 1 + draw(PARTS - 1);
		const json_t *result;
		double found, lower;

		/* farther from the limits than a goal's width of 0.5% and a buffer */
		if ((50 * service > 49 * min && 50 * service < 51 * min) ||
		    (50 * service > 49 * max && 50 * service < 51 * max))
			service = (min + max) / 2;
		c.tests[0].min_load = (struct quantity){QUANTITY_PERCENT, min, PARTS};
		c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, max, PARTS};
		run_on(size, 1 + draw(50), service, PARTS);
		result = json_array_get(c.context.results, 0);
		found = number(result, by_throughput ? "throughput_percent" : "conditional_throughput_percent") / 100;
		lower = (double)service / PARTS;
		cr_assert_geq(least, (double)min / PARTS * (1 - 1e-9));
		cr_assert_leq(most, (double)max / PARTS * (1 + 1e-9));
		cr_assert_eq(says_at_least(result), service > max);
		if (service > max)
			cr_assert_float_eq(found, (double)max / PARTS, 2e-9);
		else if (service >= min)
			cr_assert(found <= lower * 1.001 && found >= lower * 0.99, "%f, in truth %f", found, lower);
		else
			cr_assert_eq(is_true(result, "valid"), !by_throughput, "%s", text(result, "why_invalid"));
	}
}
