/* SPDX-License-Identifier: Apache-2.0 */
/* Results are the same measurement when test, size, goal, direction and destinations are. A plan may measure the same
 * several times: then those values are a sample, as the values of the searches of RFC 9004 6.3 are one. A change counts
 * when it is larger than the tolerance and no chance: outside of the step of the search, and, where there is a sample,
 * by Welch's t test at 95%. */
#include "host/report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/metric.h"
#include "host/base/statistics.h"
#include "host/report/value.h"

static bool same(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return (!x && !y) || (x && y && json_equal(x, y));
}

static bool same_measurement(const json_t *a, const json_t *b)
{
	const json_t *x = json_object_get(a, "parameters"), *y = json_object_get(b, "parameters");

	return same(a, b, "test") && same(a, b, "frame_octets") && same(a, b, "goal") && same(x, y, "direction") &&
	       same(x, y, "destinations");
}

static bool usable(const json_t *result, const char *key)
{
	return value_true(result, "valid") && value_known(result, key);
}

/* Everything that a report says of one number of one measurement. */
struct evidence {
	bool found;   /* there are results of this measurement */
	bool skipped; /* left out, as the RFC has it */
	const char *why_invalid;
	struct sample sample; /* count 0: none is valid */
	double step;          /* of the search that found it; 0 when not known */
};

/* The values of the searches, where the number is their mean. */
static struct sample inner_sample(const json_t *result, const char *key)
{
	const json_t *values = strcmp(key, "average_frames") ? NULL : json_object_get(result, "values_frames");
	size_t count = json_array_size(values);
	double *numbers = calloc(count + 1, sizeof(*numbers));
	struct sample sample;

	for (size_t i = 0; numbers && i < count; i++)
		numbers[i] = json_number_value(json_array_get(values, i));
	if (numbers && count > 1) {
		sample = sample_of(numbers, count);
	} else {
		double alone = value_number(result, key);

		sample = sample_of(&alone, 1);
	}
	free(numbers);
	return sample;
}

static double step_of(const json_t *result, const struct metric *metric)
{
	const json_t *parameters = json_object_get(result, "parameters");
	const char *key = metric->unit == METRIC_FPS ? "resolution_fps" : "step_frames";

	if (value_known(result, "relevant_upper_bound_fps")) /* MLRsearch knows no better than its bounds */
		return value_number(result, "relevant_upper_bound_fps") -
		       value_number(result, "relevant_lower_bound_fps");
	if (value_known(result, key))
		return value_number(result, key);
	if (value_known(parameters, key))
		return value_number(parameters, key);
	return 0;
}

static struct evidence evidence_of(const json_t *report, const json_t *like, const struct metric *metric)
{
	const json_t *results = json_object_get(report, "results"), *result;
	double *values = calloc(json_array_size(results) + 1, sizeof(*values));
	struct evidence evidence = {0};
	const json_t *last = NULL;
	size_t count = 0, i;

	json_array_foreach(results, i, result)
	{
		if (!same_measurement(result, like))
			continue;
		evidence.found = true;
		if (usable(result, metric->key)) {
			evidence.step = fmax(evidence.step, step_of(result, metric));
			if (values)
				values[count++] = value_number(result, metric->key);
			last = result;
		} else if (value_true(result, "skipped")) {
			evidence.skipped = true;
		} else {
			evidence.why_invalid = value_string(result, "why_invalid");
		}
	}
	if (count == 1)
		evidence.sample = inner_sample(last, metric->key);
	else if (count > 1)
		evidence.sample = sample_of(values, count);
	free(values);
	return evidence;
}

/* What is known of the change, and what follows from it. */
struct change {
	double ratio, low, high; /* of the base; low and high NAN: no sample */
	bool significant;
	const char *verdict, *why;
};

static struct change judge(const struct metric *metric, const struct evidence *base, const struct evidence *new,
                           double tolerance)
{
	struct mean_difference difference = mean_difference(&base->sample, &new->sample);
	double scale = fabs(base->sample.mean), step = fmax(base->step, new->step);
	struct change change = {
	        .ratio = difference.difference / scale, .low = difference.low / scale, .high = difference.high / scale};
	double gain = metric->more_is_better ? change.ratio : -change.ratio;

	/* From nothing to something is no ratio, but a change. */
	if (scale == 0)
		gain = difference.difference == 0                              ? 0
		       : (difference.difference > 0) == metric->more_is_better ? INFINITY
		                                                               : -INFINITY;
	/* The same device may be found one step apart; a hair more is arithmetic. */
	change.significant = fabs(difference.difference) > step * (1 + 1e-9) && difference.difference != 0;
	if (change.significant && !isnan(difference.low))
		change.significant = difference.low > 0 || difference.high < 0;
	if (fabs(gain) <= tolerance) {
		change.verdict = "same";
		change.why = "within the tolerance";
	} else if (!change.significant) {
		change.verdict = "same";
		change.why = fabs(difference.difference) <= step * (1 + 1e-9) ? "within a step of the search"
		                                                              : "may be chance";
	} else {
		change.verdict = gain < 0 ? "worse" : "better";
		change.why = isnan(change.low) ? "more than a step of the search; one value each, no spread known"
		                               : "no chance, by the spread (95%)";
	}
	return change;
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void describe_sample(json_t *object, const char *key, const struct sample *sample)
{
	json_object_set_new(object, key,
	                    sample->count ? json_pack("{s:f, s:o, s:I}", "value", sample->mean, "stddev",
	                                              number(sample->stddev), "count", (json_int_t)sample->count)
	                                  : json_null());
}

static void set_verdict(json_t *object, const char *verdict, const char *why)
{
	json_object_set_new(object, "verdict", json_string(verdict));
	json_object_set_new(object, "why", json_string(why));
}

static json_t *compare_metric(const json_t *base, const json_t *new, const json_t *result, const struct metric *metric,
                              double tolerance)
{
	struct evidence before = evidence_of(base, result, metric), after = evidence_of(new, result, metric);
	json_t *object = json_pack("{s:O, s:O, s:s}", "test", json_object_get(result, "test"), "frame_octets",
	                           json_object_get(result, "frame_octets"), "key", metric->key);

	if (json_object_get(result, "goal"))
		json_object_set(object, "goal", json_object_get(result, "goal"));
	describe_sample(object, "base", &before.sample);
	describe_sample(object, "new", &after.sample);
	json_object_set_new(object, "change_percent", json_null());
	json_object_set_new(object, "change_low_percent", json_null());
	json_object_set_new(object, "change_high_percent", json_null());
	json_object_set_new(object, "significant", json_null());
	if (before.sample.count && after.sample.count) {
		struct change change = judge(metric, &before, &after, tolerance);

		json_object_set_new(object, "change_percent", number(100 * change.ratio));
		json_object_set_new(object, "change_low_percent", number(100 * change.low));
		json_object_set_new(object, "change_high_percent", number(100 * change.high));
		json_object_set_new(object, "significant", json_boolean(change.significant));
		set_verdict(object, change.verdict, change.why);
	} else if (!before.sample.count) {
		set_verdict(object, "no_base",
		            before.skipped ? "did not qualify in BASE" : "BASE has no valid result of it");
	} else if (!after.found) {
		set_verdict(object, "missing", "NEW has no result of it");
	} else if (after.skipped) {
		/* RFC 9004 6.1: no burst fills the buffer any more, as throughput is line rate. */
		set_verdict(object, "better", "does not qualify any more: throughput is line rate");
	} else {
		set_verdict(object, "invalid", after.why_invalid ? after.why_invalid : "-");
	}
	return object;
}

/* Each measurement once, at its first result. */
static bool is_first(const json_t *results, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (same_measurement(json_array_get(results, i), json_array_get(results, index)))
			return false;
	}
	return true;
}

/* What was asked for in another way may have another answer: said, not judged. */
static void note_parameters(json_t *notes, const json_t *base, const json_t *new)
{
	const json_t *results = json_object_get(new, "results"), *other;
	const char *key;
	json_t *value;
	size_t i;

	json_array_foreach(results, i, other)
	{
		const json_t *parameters = json_object_get(other, "parameters");

		if (!same_measurement(base, other))
			continue;
		json_object_foreach(json_object_get(base, "parameters"), key, value)
		{
			if (!json_equal(value, json_object_get(parameters, key)))
				json_array_append_new(notes,
				                      json_sprintf("%s of %s octets: %s is not the same in both",
				                                   value_string(base, "test"),
				                                   value_text(base, "frame_octets", 0).text, key));
		}
		return;
	}
}

static void note_setup(json_t *notes, const json_t *base, const json_t *new)
{
	if (!same(base, new, "link"))
		json_array_append_new(notes, json_string("the link is not the same in both"));
	if (!same(base, new, "device"))
		json_array_append_new(notes, json_string("the device is not the same in both"));
	if (!same(base, new, "tool"))
		json_array_append_new(notes, json_sprintf("BASE was made by %s, NEW by %s", value_string(base, "tool"),
		                                          value_string(new, "tool")));
	if (json_object_get(base, "incomplete"))
		json_array_append_new(notes, json_string("BASE is incomplete"));
	if (json_object_get(new, "incomplete"))
		json_array_append_new(notes, json_string("NEW is incomplete"));
}

json_t *compare_reports(const json_t *base, const json_t *new, double tolerance)
{
	const json_t *results = json_object_get(base, "results"), *result;
	json_t *list = json_array(), *notes = json_array(), *comparison;
	bool passes = true;
	size_t i;

	note_setup(notes, base, new);
	json_array_foreach(results, i, result)
	{
		if (!is_first(results, i))
			continue;
		note_parameters(notes, result, new);
		for (size_t m = 0; m < METRIC_COUNT; m++) {
			if (METRICS[m].main && metric_is_of(&METRICS[m], value_string(result, "test")))
				json_array_append_new(list, compare_metric(base, new, result, &METRICS[m], tolerance));
		}
	}
	json_array_foreach(list, i, result)
	{
		const char *verdict = value_string(result, "verdict");

		passes &= strcmp(verdict, "worse") && strcmp(verdict, "missing") && strcmp(verdict, "invalid");
	}
	comparison = json_pack("{s:i, s:f, s:o, s:o, s:s}", "schema", 1, "tolerance_percent", 100 * tolerance,
	                       "results", list, "notes", notes, "verdict", passes ? "pass" : "fail");
	return comparison;
}

bool compare_passes(const json_t *comparison)
{
	return !strcmp(value_string(comparison, "verdict"), "pass");
}
