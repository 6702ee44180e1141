/* SPDX-License-Identifier: Apache-2.0 */
/* A trend keeps this of a report: which results measured what, and their values. Histograms, lists and texts stay
 * behind, so that hundreds of runs fit into memory. */
#include <math.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/compare/evidence.h"
#include "host/compare/match.h"
#include "host/report/described.h"
#include "host/report/value.h"
#include "host/trend/trend.h"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static void copy(json_t *to, const json_t *from, const char *const *keys)
{
	for (; *keys; keys++) {
		json_t *value = json_object_get(from, *keys);

		if (value)
			json_put_shared(to, *keys, value);
	}
}

/* One metric of a measurement; `invalid` or `left_out` is the reason for which it has no value. */
static json_t *value_of(const struct metric *metric, const struct evidence *evidence, bool answer)
{
	const bool some = evidence->sample.count > 0, left_out = !some && evidence->why_skipped;

	return json_pack("{s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o}", "key", metric->key, "answer",
	                 answer, "better", metric->better == BETTER_LESS ? "less" : "more", "value",
	                 some ? number(evidence->sample.mean) : json_null(), "min", number(evidence->low), "max",
	                 number(evidence->high), "stddev", some ? number(evidence->sample.stddev) : json_null(),
	                 "count", (json_int_t)evidence->sample.count, "resolution", number(evidence->step), "invalid",
	                 some || left_out ? json_null() : json_string(evidence->why_invalid), "left_out",
	                 text_or_null(left_out ? evidence->why_skipped : NULL));
}

/* The values of the answer always, and of the other metrics those that `compare` looks at and that have a value. */
static json_t *values_of(const struct result_description *description, const json_t *alike)
{
	const struct metric *answer = description_metric(description, description->answer), *metric;
	struct evidence evidence = evidence_of(alike, answer);
	json_t *values = json_array();

	json_add(values, value_of(answer, &evidence, true));
	for (size_t i = 0; (metric = description_at(description, i)); i++) {
		if (metric->better == BETTER_NEITHER || metric->derived || metric == answer)
			continue;
		evidence = evidence_of(alike, metric);
		if (evidence.sample.count)
			json_add(values, value_of(metric, &evidence, false));
	}
	return values;
}

static void add_result(json_t *list, const json_t *results, const json_t *result)
{
	static const char *const KEPT[] = {"test",     "test_number", "frame_octets", "sizes",
	                                   "modifier", "goal",        "parameters",   NULL};
	const struct result_description *description = described(result);
	json_t *alike, *kept;

	if (!description || match_find(results, result) != result) /* one value for what the plan repeats */
		return;
	alike = match_all(results, result);
	kept = json_object();
	copy(kept, result, KEPT);
	json_put(kept, "title", json_string(described_title(result)));
	json_put(kept, "values", values_of(description, alike));
	json_decref(alike);
	json_add(list, kept);
}

json_t *trend_run(const json_t *report, const char *path)
{
	static const char *const KEPT[] = {"started", "device", "link", "info", "incomplete", NULL};
	const json_t *results = json_object_get(report, "results"), *result;
	json_t *run = json_pack("{s:s, s:[]}", "path", path, "results");
	size_t i;

	if (!run)
		return NULL;
	copy(run, report, KEPT);
	json_array_foreach(results, i, result) add_result(json_object_get(run, "results"), results, result);
	return run;
}
