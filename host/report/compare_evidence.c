/* SPDX-License-Identifier: Apache-2.0 */
/* Values of one measurement. */
#include "host/report/compare_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/compare_match.h"
#include "host/report/value.h"

static bool usable(const json_t *result, const char *key)
{
	return value_true(result, "valid") && value_known(result, key);
}

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

/* A valid result without a number has a flag that says why. */
static const char *why_no_value(const json_t *result)
{
	const char *flag = json_string_value(json_array_get(json_object_get(result, "flags"), 0));

	return value_true(result, "valid") && flag ? flag : value_string(result, "why_invalid");
}

struct evidence evidence_of(const json_t *report, const json_t *like, const struct metric *metric)
{
	const json_t *results = json_object_get(report, "results"), *result;
	double *values = calloc(json_array_size(results) + 1, sizeof(*values));
	struct evidence evidence = {0};
	const json_t *last = NULL;
	size_t count = 0, i;

	json_array_foreach(results, i, result)
	{
		if (!match_same(result, like))
			continue;
		evidence.results++;
		if (usable(result, metric->key)) {
			evidence.step = fmax(evidence.step, step_of(result, metric));
			if (values)
				values[count++] = value_number(result, metric->key);
			last = result;
		} else if (value_true(result, "skipped")) {
			evidence.skipped = true;
		} else {
			evidence.invalid++;
			evidence.why_invalid = why_no_value(result);
		}
	}
	if (count == 1)
		evidence.sample = inner_sample(last, metric->key);
	else if (count > 1)
		evidence.sample = sample_of(values, count);
	free(values);
	return evidence;
}
