/* SPDX-License-Identifier: Apache-2.0 */
/* All measures of all plans, tested together. */
#include "host/trend/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/compare/judge.h"
#include "host/report/value.h"
#include "host/trend/change_point.h"
#include "host/trend/plans.h"
#include "host/trend/series.h"

/* The level of the whole trend: a device that never changed has a step in any of its measures in one trend of a
 * hundred. */
static const double LEVEL = 0.01;

static json_t *method(double tolerance)
{
	return json_pack("{s:s, s:s, s:f, s:f, s:i, s:i, s:i}", "name", "maximally selected rank statistic", "source",
	                 "Lausen and Schumacher, Biometrics 48, 1992, pages 73 to 85", "level", LEVEL,
	                 "tolerance_percent", 100 * tolerance, "least_runs", CHANGE_LEAST_VALUES, "least_side",
	                 CHANGE_LEAST_SIDE, "orders", CHANGE_ORDERS);
}

typedef void visitor(void *user, json_t *plan, json_t *series);

static void each_series(const json_t *plans, visitor *visit, void *user)
{
	json_t *plan, *series;
	size_t i, j;

	json_array_foreach(plans, i, plan)
	{
		json_array_foreach(json_object_get(plan, "series"), j, series) visit(user, plan, series);
	}
}

struct tests {
	double *p;
	size_t count;
	double largest_p, tolerance;
};

static void count_one(void *user, json_t *plan, json_t *series)
{
	(void)plan;
	(void)series;
	(*(size_t *)user)++;
}

static void test_one(void *user, json_t *plan, json_t *series)
{
	struct tests *tests = user;
	const double p = series_test(series);

	(void)plan;
	if (!isnan(p))
		tests->p[tests->count++] = p;
}

static void mark_one(void *user, json_t *plan, json_t *series)
{
	const struct tests *tests = user;

	series_mark(series, tests->largest_p, tests->tolerance);
	series_by_version(series, json_object_get(plan, "runs"));
}

struct counts {
	json_int_t measures, tested, with_steps, steps, worse, doubtful;
};

static void sum_one(void *user, json_t *plan, json_t *series)
{
	struct counts *counts = user;
	const size_t steps = json_array_size(json_object_get(series, "steps"));
	const char *verdict = value_string(series, "verdict");

	(void)plan;
	counts->measures++;
	counts->tested += strcmp(verdict, "untested") != 0;
	counts->with_steps += steps > 0;
	counts->steps += (json_int_t)steps;
	counts->worse += !strcmp(verdict, "worse");
	counts->doubtful += value_number(series, "doubtful_runs") > 0;
}

/* False when out of memory. */
static bool test_all(const json_t *plans, double tolerance)
{
	struct tests tests = {.tolerance = tolerance};
	size_t measures = 0;

	each_series(plans, count_one, &measures);
	tests.p = calloc(measures + 1, sizeof(*tests.p));
	if (!tests.p)
		return false;
	each_series(plans, test_one, &tests);
	tests.largest_p = judge_largest_p(tests.p, tests.count, LEVEL);
	free(tests.p);
	each_series(plans, mark_one, &tests);
	return true;
}

static const json_t *last_run(const json_t *plan)
{
	const json_t *runs = json_object_get(plan, "runs");

	return json_array_get(runs, json_array_size(runs) - 1);
}

/* A gate is about the newest run: whether each answer that its plan has values of was tested, and there is one. A size
 * that the RFC leaves out is none. */
static bool newest_is_tested(const json_t *plans)
{
	const json_t *newest = NULL, *plan, *series;
	size_t tested = 0, untested = 0, i;

	json_array_foreach(plans, i, plan)
	{
		if (!newest ||
		    strcmp(value_string(last_run(plan), "started"), value_string(last_run(newest), "started")) >= 0)
			newest = plan;
	}
	json_array_foreach(json_object_get(newest, "series"), i, series)
	{
		const bool is_tested = strcmp(value_string(series, "verdict"), "untested") != 0;

		if (!value_true(series, "answer") || (!json_array_size(json_object_get(series, "points")) &&
		                                      !json_array_size(json_object_get(series, "invalid"))))
			continue;
		tested += is_tested;
		untested += !is_tested;
	}
	return tested && !untested;
}

json_t *trend_of_runs(const json_t *runs, json_t *passed_over, double tolerance)
{
	json_t *plans = plans_of(runs);
	struct counts counts = {0};

	if (!plans || !test_all(plans, tolerance)) {
		json_decref(plans);
		return NULL;
	}
	each_series(plans, sum_one, &counts);
	return json_pack("{s:i, s:s, s:o, s:I, s:O, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o}", "schema", TREND_SCHEMA,
	                 "tool", "fpgauge " FPGAUGE_VERSION, "method", method(tolerance), "runs",
	                 (json_int_t)json_array_size(runs), "passed_over", passed_over, "measures", counts.measures,
	                 "tested", counts.tested, "with_steps", counts.with_steps, "steps", counts.steps, "worse",
	                 counts.worse, "doubtful", counts.doubtful, "newest_tested", newest_is_tested(plans), "plans",
	                 plans);
}

bool trend_got_worse(const json_t *trend)
{
	return json_integer_value(json_object_get(trend, "worse")) > 0;
}

bool trend_is_judged(const json_t *trend)
{
	return value_true(trend, "newest_tested") && !(value_number(trend, "doubtful") > 0);
}
