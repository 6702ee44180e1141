/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a measure, and what change_point.h says of them. */
#include "host/trend/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/base/statistics.h"
#include "host/report/value.h"
#include "host/trend/change_point.h"
#include "host/trend/median.h"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void copy(json_t *to, const json_t *from, const char *const *keys)
{
	for (; *keys; keys++) {
		json_t *value = json_object_get(from, *keys);

		if (value)
			json_put_shared(to, *keys, value);
	}
}

json_t *series_new(const json_t *result, const json_t *value)
{
	static const char *const OF_RESULT[] = {"test",  "test_number", "title", "frame_octets",
	                                        "sizes", "modifier",    "goal",  NULL};
	static const char *const OF_VALUE[] = {"key", "answer", "better", NULL};
	json_t *series = json_object();

	copy(series, result, OF_RESULT);
	copy(series, value, OF_VALUE);
	json_put(series, "resolution", json_null());
	json_put(series, "points", json_array());
	json_put(series, "invalid", json_array());
	json_put(series, "left_out", json_array());
	return series;
}

/* Appends the reason under that key, if there is one. */
static void add_reason(json_t *series, const char *list, size_t run, const json_t *value)
{
	if (json_is_string(json_object_get(value, list)))
		json_add(json_object_get(series, list),
		         json_pack("{s:I, s:O}", "run", (json_int_t)run, "why", json_object_get(value, list)));
}

void series_add(json_t *series, size_t run, const json_t *value)
{
	static const char *const OF_POINT[] = {"value", "min", "max", "stddev", "count", NULL};
	const double resolution = fmax(value_number(series, "resolution"), value_number(value, "resolution"));
	json_t *point;

	if (!value_known(value, "value")) {
		add_reason(series, "invalid", run, value);
		add_reason(series, "left_out", run, value);
		return;
	}
	point = json_pack("{s:I}", "run", (json_int_t)run);
	copy(point, value, OF_POINT);
	json_add(json_object_get(series, "points"), point);
	json_put(series, "resolution", number(resolution));
}

/* The caller's to free; NULL when out of memory. */
static double *values_of(const json_t *series, size_t *count)
{
	const json_t *points = json_object_get(series, "points");
	double *values = calloc(json_array_size(points) + 1, sizeof(*values));

	*count = values ? json_array_size(points) : 0;
	for (size_t i = 0; i < *count; i++)
		values[i] = value_number(json_array_get(points, i), "value");
	return values;
}

static json_t *run_of(const json_t *series, size_t point)
{
	return json_object_get(json_array_get(json_object_get(series, "points"), point), "run");
}

double series_test(json_t *series)
{
	size_t count;
	double *values = values_of(series, &count);
	struct change_test test = {.p = NAN, .memory = NAN};

	if (count >= CHANGE_LEAST_VALUES)
		test = change_test(values, count);
	json_put(series, "p", number(test.p));
	json_put(series, "autocorrelation", number(test.memory));
	json_put(series, "verdict", json_string(isnan(test.p) ? "untested" : "level"));
	free(values);
	return test.p;
}

static json_t *summary_of(const double *values, size_t count)
{
	const struct sample sample = sample_of(values, count);
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "runs", (json_int_t)count, "median",
	                 number(trend_median(values, count)), "mean", number(sample.mean), "stddev",
	                 number(sample.stddev), "min", number(low), "max", number(high));
}

static void add_level(json_t *series, const double *values, size_t from, size_t to)
{
	json_t *level = json_pack("{s:O, s:O}", "from", run_of(series, from), "to", run_of(series, to - 1));

	json_object_update_new(level, summary_of(values + from, to - from));
	json_add(json_object_get(series, "levels"), level);
}

static void add_step(json_t *series, const struct change_step *step)
{
	const bool more = !strcmp(value_string(series, "better"), "more");
	const char *verdict = (step->after > step->before) == more ? "better" : "worse";

	json_add(json_object_get(series, "steps"),
	         json_pack("{s:O, s:s, s:f, s:f, s:o, s:f}", "run", run_of(series, step->at), "verdict", verdict,
	                   "before", step->before, "after", step->after, "change_percent",
	                   number(100 * (step->after - step->before) / fabs(step->before)), "p", step->p));
	json_put(series, "verdict", json_string(verdict));
}

/* The next value is often the worst among fewer others. More doubtful ones than these would be a step. */
enum { LEAST_OTHERS = CHANGE_LEAST_VALUES / 2, MOST_DOUBTFUL = CHANGE_LEAST_VALUES / 2 };

/* Counts the newest values, too few for a step, that are all worse than every other one of their level, by more than a
 * step must be. */
static size_t count_doubtful(const json_t *series, const double *values, size_t count, double tolerance,
                             double resolution)
{
	const double sign = !strcmp(value_string(series, "better"), "more") ? 1 : -1;
	size_t doubtful = 0;

	for (size_t newest = 1; newest <= MOST_DOUBTFUL && newest + LEAST_OTHERS <= count; newest++) {
		double worst = INFINITY, best_new = -INFINITY;

		for (size_t i = 0; i < count; i++) {
			double *of = i + newest < count ? &worst : &best_new;

			*of = i + newest < count ? fmin(*of, sign * values[i]) : fmax(*of, sign * values[i]);
		}
		if (worst - best_new > fmax(tolerance * fabs(worst), resolution * (1 + 1e-9)))
			doubtful = newest;
	}
	return doubtful;
}

void series_mark(json_t *series, double largest_p, double tolerance)
{
	const double known = value_number(series, "resolution"), resolution = isnan(known) ? 0 : known;
	const double p = value_number(series, "p");
	size_t count, found = 0, from = 0;
	double *values = values_of(series, &count);
	struct change_step *steps = calloc(count + 1, sizeof(*steps));

	json_put(series, "steps", json_array());
	json_put(series, "levels", json_array());
	if (values && steps && p <= largest_p)
		found = change_steps(values, count, largest_p, tolerance, resolution, steps);
	for (size_t i = 0; i < found; i++) {
		add_level(series, values, from, steps[i].at);
		add_step(series, &steps[i]);
		from = steps[i].at;
	}
	if (count)
		add_level(series, values, from, count);
	json_put(series, "doubtful_runs",
	         isnan(p) ? json_null()
	                  : json_integer((json_int_t)count_doubtful(series, values + from, count - from, tolerance,
	                                                            resolution)));
	free(steps);
	free(values);
}

/* Summarises the points whose run is of this version. */
static json_t *version_of(const json_t *series, const json_t *runs, const json_t *firmware)
{
	const json_t *points = json_object_get(series, "points"), *point;
	double *values = calloc(json_array_size(points) + 1, sizeof(*values));
	size_t count = 0, i;
	json_t *version;

	json_array_foreach(points, i, point)
	{
		const size_t run = (size_t)json_integer_value(json_object_get(point, "run"));

		if (values && json_equal(json_object_get(json_array_get(runs, run - 1), "firmware"), firmware))
			values[count++] = value_number(point, "value");
	}
	version = json_pack("{s:O}", "firmware", firmware);
	json_object_update_new(version, summary_of(values, count));
	free(values);
	return version;
}

void series_by_version(json_t *series, const json_t *runs)
{
	json_t *versions = json_array(), *seen = json_array();
	const json_t *run, *other;
	size_t i, j;

	json_array_foreach(runs, i, run)
	{
		json_t *firmware = json_object_get(run, "firmware");
		bool known = false;

		json_array_foreach(seen, j, other) known |= json_equal(other, firmware);
		if (known)
			continue;
		json_add_shared(seen, firmware);
		json_add(versions, version_of(series, runs, firmware));
	}
	json_decref(seen);
	json_put(series, "versions", versions);
}
