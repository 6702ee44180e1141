/* SPDX-License-Identifier: Apache-2.0 */
/* Runs are of one plan if `compare` could hold one against the other (host/compare/same_plan.c), and if they name the
 * same device under test, or none. The first complete run of a plan stands for it; incomplete ones join the plan that
 * asks for what they have. */
#include "host/trend/plans.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/compare/compare.h"
#include "host/compare/match.h"
#include "host/report/value.h"
#include "host/trend/series.h"

struct placed {
	const json_t *run;
	size_t plan; /* NOWHERE: not yet */
};

static const size_t NOWHERE = SIZE_MAX;

/* Times are RFC 3339 in UTC, whose order is that of their texts. */
static int by_date(const void *a, const void *b)
{
	const json_t *x = ((const struct placed *)a)->run, *y = ((const struct placed *)b)->run;
	const int order = strcmp(value_string(x, "started"), value_string(y, "started"));

	return order ? order : strcmp(value_string(x, "path"), value_string(y, "path"));
}

static bool is_complete(const json_t *run)
{
	return !json_object_get(run, "incomplete");
}

static bool same_dut(const json_t *a, const json_t *b)
{
	return !strcmp(value_string(json_object_get(a, "info"), "dut"),
	               value_string(json_object_get(b, "info"), "dut"));
}

/* first: stands for the plan. Of two incomplete runs, either may have got further. */
static bool is_of_plan(const json_t *first, const json_t *run)
{
	char why[400];

	return same_dut(first, run) && (compare_is_same_plan(first, run, why, sizeof(why)) ||
	                                (!is_complete(first) && compare_is_same_plan(run, first, why, sizeof(why))));
}

/* Places the runs that are complete, or those that are not: each gets its plan, or becomes the first of a new one. */
static void place(struct placed *runs, size_t count, bool complete, json_t *firsts)
{
	for (size_t i = 0; i < count; i++) {
		size_t plan = 0;

		if (is_complete(runs[i].run) != complete)
			continue;
		while (plan < json_array_size(firsts) && !is_of_plan(json_array_get(firsts, plan), runs[i].run))
			plan++;
		if (plan == json_array_size(firsts))
			json_add_shared(firsts, (json_t *)(uintptr_t)runs[i].run);
		runs[i].plan = plan;
	}
}

static json_t *text_of(const json_t *object, const char *key)
{
	json_t *text = json_object_get(object, key);

	return json_is_string(text) ? json_incref(text) : json_null();
}

static json_t *plan_new(const json_t *first)
{
	const json_t *info = json_object_get(first, "info");

	return json_pack("{s:o, s:o, s:o, s:O?, s:[], s:[]}", "title", text_of(info, "title"), "dut",
	                 text_of(info, "dut"), "tester", text_of(json_object_get(first, "device"), "name"), "link",
	                 json_object_get(first, "link"), "runs", "series");
}

/* The measures of one measurement, a list of {result, series}. Runs of one plan have their results in the same order,
 * mostly. */
static json_t *slot_of(json_t *slots, size_t guess, json_t *result)
{
	json_t *slot = json_array_get(slots, guess);
	size_t i;

	if (slot && match_same(json_object_get(slot, "result"), result))
		return slot;
	json_array_foreach(slots, i, slot)
	{
		if (match_same(json_object_get(slot, "result"), result))
			return slot;
	}
	json_add(slots, json_pack("{s:O, s:[]}", "result", result, "series"));
	return json_array_get(slots, json_array_size(slots) - 1);
}

static json_t *series_of(json_t *slot, const json_t *value)
{
	json_t *list = json_object_get(slot, "series"), *series;
	size_t i;

	json_array_foreach(list, i, series)
	{
		if (json_equal(json_object_get(series, "key"), json_object_get(value, "key")))
			return series;
	}
	json_add(list, series_new(json_object_get(slot, "result"), value));
	return json_array_get(list, json_array_size(list) - 1);
}

static void add_run(json_t *plan, json_t *slots, const json_t *run)
{
	json_t *runs = json_object_get(plan, "runs"), *results = json_object_get(run, "results"), *result, *value;
	const size_t number = json_array_size(runs) + 1;
	size_t i, j;

	json_add(runs, json_pack("{s:I, s:o, s:o, s:o, s:b}", "run", (json_int_t)number, "path", text_of(run, "path"),
	                         "started", text_of(run, "started"), "firmware",
	                         text_of(json_object_get(run, "info"), "firmware"), "complete", is_complete(run)));
	json_array_foreach(results, i, result)
	{
		json_t *slot = slot_of(slots, i, result);

		json_array_foreach(json_object_get(result, "values"), j, value)
		        series_add(series_of(slot, value), number, value);
	}
}

static json_t *plan_of(const struct placed *runs, size_t count, size_t number, const json_t *first)
{
	json_t *plan = plan_new(first), *slots = json_array(), *slot;
	size_t i;

	for (i = 0; i < count; i++) {
		if (runs[i].plan == number)
			add_run(plan, slots, runs[i].run);
	}
	json_array_foreach(slots, i, slot)
	        json_array_extend(json_object_get(plan, "series"), json_object_get(slot, "series"));
	json_decref(slots);
	return plan;
}

json_t *plans_of(const json_t *runs)
{
	const size_t count = json_array_size(runs);
	struct placed *placed = calloc(count + 1, sizeof(*placed));
	json_t *firsts = json_array(), *plans = json_array();

	for (size_t i = 0; placed && i < count; i++)
		placed[i] = (struct placed){json_array_get(runs, i), NOWHERE};
	if (placed) {
		qsort(placed, count, sizeof(*placed), by_date);
		place(placed, count, true, firsts);
		place(placed, count, false, firsts);
	}
	for (size_t i = 0; placed && i < json_array_size(firsts); i++)
		json_add(plans, plan_of(placed, count, i, json_array_get(firsts, i)));
	json_decref(firsts);
	if (!placed) {
		json_decref(plans);
		plans = NULL;
	}
	free(placed);
	return plans;
}
