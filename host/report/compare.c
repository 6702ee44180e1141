/* SPDX-License-Identifier: Apache-2.0 */
/* Results are the same measurement when all that was asked for is (compare_match.c). A plan may measure the same
 * several times: then those values are a sample, as the values of the searches of RFC 9004 6.3 are one. A change counts
 * when it is larger than the tolerance and no chance: outside of the step of the search, and, where there is a sample,
 * by Welch's t test at 95%. What was asked for in another way is not judged, and not passed over: the comparison fails.
 */
#include "host/report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/compare_evidence.h"
#include "host/report/compare_match.h"
#include "host/report/rate_words.h"
#include "host/report/value.h"

static bool same(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return (!x && !y) || (x && y && json_equal(x, y));
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

static void set_verdict_of(json_t *object, const char *verdict, const char *why, const char *reason)
{
	json_object_set_new(object, "verdict", json_string(verdict));
	json_object_set_new(object, "why", json_sprintf("%s: %s", why, reason ? reason : "-"));
}

/* "trial_duration_s was 60.0, is 30.0" */
static void set_differs(json_t *object, json_t *differences)
{
	enum { MOST_NAMED = 3 };
	size_t count = json_array_size(differences), length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	json_object_set_new(object, "differences", differences);
	if (!out)
		return;
	fputs("asked for in another way: ", out);
	for (size_t i = 0; i < count && i < MOST_NAMED; i++) {
		const json_t *one = json_array_get(differences, i);
		char *was = json_dumps(json_object_get(one, "base"), JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
		char *is = json_dumps(json_object_get(one, "new"), JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));

		fprintf(out, "%s%s was %s, is %s", i ? "; " : "", value_string(one, "key"), was ? was : "-",
		        is ? is : "-");
		free(was);
		free(is);
	}
	if (count > MOST_NAMED)
		fprintf(out, "; and %zu more", count - MOST_NAMED);
	fclose(out);
	set_verdict(object, "differs", text);
	free(text);
}

static void set_change(json_t *object, const struct metric *metric, const struct evidence *before,
                       const struct evidence *after, double tolerance)
{
	struct change change = judge(metric, before, after, tolerance);

	json_object_set_new(object, "change_percent", number(100 * change.ratio));
	json_object_set_new(object, "change_low_percent", number(100 * change.low));
	json_object_set_new(object, "change_high_percent", number(100 * change.high));
	json_object_set_new(object, "significant", json_boolean(change.significant));
	set_verdict(object, change.verdict, change.why);
}

static void judge_row(json_t *object, const struct metric *metric, const struct evidence *before,
                      const struct evidence *after, double tolerance)
{
	if (after->sample.count)
		set_change(object, metric, before, after, tolerance);
	else if (after->skipped)
		/* RFC 9004 6.1: no burst fills the buffer any more, as throughput is line rate. */
		set_verdict(object, "better", "does not qualify any more: throughput is line rate");
	else
		set_verdict(object, "invalid", after->why_invalid ? after->why_invalid : "-");
}

/* `other` is what NEW has of it: the same, or the same asked for in another way; NULL: nothing. */
static json_t *compare_metric(const json_t *base, const json_t *new, const json_t *result, const json_t *other,
                              const struct metric *metric, double tolerance)
{
	struct evidence before = evidence_of(base, result, metric), after = {0};
	json_t *object = json_pack("{s:O?, s:O?, s:O?, s:s}", "test", json_object_get(result, "test"), "test_number",
	                           json_object_get(result, "test_number"), "frame_octets",
	                           json_object_get(result, "frame_octets"), "key", metric->key);

	if (other)
		after = evidence_of(new, other, metric);
	if (json_object_get(result, "goal"))
		json_object_set(object, "goal", json_object_get(result, "goal"));
	describe_sample(object, "base", &before.sample);
	describe_sample(object, "new", &after.sample);
	json_object_set_new(object, "change_percent", json_null());
	json_object_set_new(object, "change_low_percent", json_null());
	json_object_set_new(object, "change_high_percent", json_null());
	json_object_set_new(object, "significant", json_null());
	json_object_set_new(object, "differences", json_array());
	if (!before.sample.count && before.skipped)
		set_verdict(object, "no_base", "did not qualify in BASE");
	else if (!before.sample.count)
		set_verdict_of(object, "no_base", "BASE has no valid result of it", before.why_invalid);
	else if (!other)
		set_verdict(object, "missing", "NEW has no result of it");
	else if (!match_same(result, other))
		set_differs(object, match_differences(result, other));
	else
		judge_row(object, metric, &before, &after, tolerance);
	return object;
}

/* Each measurement once, at its first result. */
static bool is_first(const json_t *results, size_t index)
{
	return match_find(results, json_array_get(results, index)) == json_array_get(results, index);
}

/* A sample from which some are left out is smaller than it looks. */
static void note_invalid(json_t *notes, const char *name, const json_t *report, const json_t *result,
                         const struct metric *metric)
{
	struct evidence evidence = evidence_of(report, result, metric);

	if (evidence.sample.count && evidence.invalid)
		json_array_append_new(notes,
		                      json_sprintf("%s: %zu of %zu results of %s of %s octets are left out: %s", name,
		                                   evidence.invalid, evidence.results, value_string(result, "test"),
		                                   value_text(result, "frame_octets", 0).text, evidence.why_invalid));
}

static void note_new(json_t *notes, const json_t *bases, const json_t *news)
{
	const json_t *result;
	size_t count = 0, i;

	json_array_foreach(news, i, result) count += !match_find(bases, result);
	if (count)
		json_array_append_new(notes,
		                      json_sprintf("%zu results of NEW are of nothing that BASE measured", count));
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

/* The number by which a result is judged. A test for throughput has another one where its goal allows loss. */
static bool is_answer(const struct metric *metric, const json_t *result)
{
	const char *test = value_string(result, "test");

	if (!metric->main || !metric_is_of(metric, test))
		return false;
	return strcmp(test, "throughput") != 0 || !strcmp(metric->key, rate_words(result)->rate_key);
}

static json_t *compare_results(const json_t *base, const json_t *new, double tolerance, json_t *notes)
{
	const json_t *bases = json_object_get(base, "results"), *news = json_object_get(new, "results"), *result;
	json_t *list = json_array();
	size_t i;

	json_array_foreach(bases, i, result)
	{
		const json_t *other = match_find(news, result);

		if (!is_first(bases, i))
			continue;
		if (other)
			match_note_unsaid(notes, result, other);
		else
			other = match_changed(bases, news, result);
		for (size_t m = 0; m < METRIC_COUNT; m++) {
			if (!is_answer(&METRICS[m], result))
				continue;
			note_invalid(notes, "BASE", base, result, &METRICS[m]);
			if (other)
				note_invalid(notes, "NEW", new, other, &METRICS[m]);
			json_array_append_new(list, compare_metric(base, new, result, other, &METRICS[m], tolerance));
		}
	}
	return list;
}

static size_t count_verdicts(const json_t *list, const char *const *verdicts)
{
	const json_t *one;
	size_t count = 0, i;

	json_array_foreach(list, i, one)
	{
		for (const char *const *verdict = verdicts; *verdict; verdict++)
			count += !strcmp(value_string(one, "verdict"), *verdict);
	}
	return count;
}

/* A comparison of nothing shows nothing, so it does not pass. */
static json_t *conclusion(const json_t *base, const json_t *list, size_t judged, size_t failed, double tolerance)
{
	size_t results = json_array_size(json_object_get(base, "results")), rows = json_array_size(list);

	if (results == 0)
		return json_string("nothing was compared: BASE has no results");
	if (rows == 0)
		return json_string("nothing was compared: BASE has no result of a test that is known");
	if (judged == 0 && failed == 0)
		return json_string("nothing was compared: BASE has no valid result");
	if (judged == 0)
		return json_sprintf(
		        "nothing was compared: NEW has none of the %zu results of BASE, valid and asked for in "
		        "the same way",
		        rows);
	if (failed)
		return json_sprintf(
		        "%zu of %zu are worse than BASE by more than %.4g%%, invalid, missing or asked for in "
		        "another way",
		        failed, rows, 100 * tolerance);
	return json_sprintf("none of %zu is worse than BASE by more than %.4g%%%s", judged, 100 * tolerance,
	                    judged < rows ? "; of the others BASE has no valid result" : "");
}

json_t *compare_reports(const json_t *base, const json_t *new, double tolerance)
{
	static const char *const JUDGED[] = {"same", "better", "worse", NULL};
	static const char *const FAILED[] = {"worse", "missing", "invalid", "differs", NULL};
	json_t *notes = json_array(), *list;
	size_t judged, failed;

	note_setup(notes, base, new);
	list = compare_results(base, new, tolerance, notes);
	note_new(notes, json_object_get(base, "results"), json_object_get(new, "results"));
	judged = count_verdicts(list, JUDGED);
	failed = count_verdicts(list, FAILED);
	return json_pack("{s:i, s:f, s:o, s:o, s:I, s:s, s:o}", "schema", 1, "tolerance_percent", 100 * tolerance,
	                 "results", list, "notes", notes, "compared", (json_int_t)judged, "verdict",
	                 judged && !failed ? "pass" : "fail", "why", conclusion(base, list, judged, failed, tolerance));
}

bool compare_passes(const json_t *comparison)
{
	return !strcmp(value_string(comparison, "verdict"), "pass");
}
