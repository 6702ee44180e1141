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

/* Of the whole trend: a device that never changed has a step in any of its measures in one trend of a hundred. */
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
	json_int_t measures, tested, with_steps, steps, worse;
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

json_t *trend_of_runs(const json_t *runs, json_t *passed_over, double tolerance)
{
	json_t *plans = plans_of(runs);
	struct counts counts = {0};

	if (!plans || !test_all(plans, tolerance)) {
		json_decref(plans);
		return NULL;
	}
	each_series(plans, sum_one, &counts);
	return json_pack("{s:i, s:s, s:o, s:I, s:O, s:I, s:I, s:I, s:I, s:I, s:o}", "schema", TREND_SCHEMA, "tool",
	                 "fpgauge " FPGAUGE_VERSION, "method", method(tolerance), "runs",
	                 (json_int_t)json_array_size(runs), "passed_over", passed_over, "measures", counts.measures,
	                 "tested", counts.tested, "with_steps", counts.with_steps, "steps", counts.steps, "worse",
	                 counts.worse, "plans", plans);
}

bool trend_got_worse(const json_t *trend)
{
	return json_integer_value(json_object_get(trend, "worse")) > 0;
}
