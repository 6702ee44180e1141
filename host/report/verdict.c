/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts. A value that is null meets no requirement. */
#include "host/report/verdict.h"

#include <string.h>

#include "host/base/json_write.h"
#include "host/report/value.h"

static bool meets(const struct store_requirement *requirement, const json_t *value)
{
	double number = json_number_value(value);

	if (!json_is_number(value))
		return false;
	return requirement->at_least ? number >= requirement->limit : number <= requirement->limit;
}

static json_t *checked(const struct store_requirement *requirement, json_t *value, bool met)
{
	return json_pack("{s:s, s:s, s:f, s:O?, s:b}", "key", requirement->key, "relation",
	                 requirement->at_least ? "at_least" : "at_most", "limit", requirement->limit, "value", value,
	                 "met", met);
}

static const char *verdict(const json_t *result, bool all_met)
{
	if (value_true(result, "skipped"))
		return "skipped";
	if (!value_true(result, "valid"))
		return "invalid";
	return all_met ? "pass" : "fail";
}

void verdict_of_result(json_t *result, unsigned test_number, const struct store_run *run)
{
	json_int_t frame_octets = json_integer_value(json_object_get(result, "frame_octets"));
	json_t *list = json_array();
	bool all_met = true;

	for (size_t i = 0; i < run->requirement_count; i++) {
		const struct store_requirement *requirement = &run->requirements[i];
		json_t *value = json_object_get(result, requirement->key);
		bool met = meets(requirement, value);

		if (requirement->test_number != test_number ||
		    (requirement->frame_octets && requirement->frame_octets != frame_octets))
			continue;
		json_add(list, checked(requirement, value ? value : json_null(), met));
		all_met &= met;
	}
	if (json_array_size(list) == 0) {
		json_decref(list);
		list = json_null();
	}
	json_put(result, "verdict", json_is_null(list) ? json_null() : json_string(verdict(result, all_met)));
	json_put(result, "requirements", list);
}

void verdict_of_report(json_t *report, const struct store_run *run)
{
	const json_t *results = json_object_get(report, "results"), *result;
	bool failed = json_object_get(report, "incomplete") != NULL;
	size_t i;

	json_array_foreach(results, i, result)
	{
		const char *text = json_string_value(json_object_get(result, "verdict"));

		failed |= text && (!strcmp(text, "fail") || !strcmp(text, "invalid"));
	}
	json_put(report, "verdict", run->requirement_count == 0 ? json_null() : json_string(failed ? "fail" : "pass"));
}

struct result_counts verdict_counts(const json_t *results)
{
	struct result_counts counts = {.results = json_array_size(results)};
	const json_t *result, *one;
	size_t i, j;

	json_array_foreach(results, i, result)
	{
		bool skipped = value_true(result, "skipped"), valid = value_true(result, "valid");

		counts.skipped += skipped;
		counts.valid += !skipped && valid;
		counts.invalid += !skipped && !valid;
		counts.unfinished += !skipped && !valid && value_true(result, "unfinished");
		json_array_foreach(json_object_get(result, "requirements"), j, one)
		{
			counts.limits += !skipped;
			counts.missed += !skipped && !(valid && value_true(one, "met"));
		}
	}
	return counts;
}
