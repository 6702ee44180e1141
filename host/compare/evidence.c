/* SPDX-License-Identifier: Apache-2.0 */
/* Values of one measurement. */
#include "host/compare/evidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/value.h"

static void take_sample(struct evidence *evidence, const double *values, size_t count)
{
	evidence->sample = sample_of(values, count);
	for (size_t i = 0; i < count; i++) {
		evidence->low = fmin(evidence->low, values[i]);
		evidence->high = fmax(evidence->high, values[i]);
	}
}

/* The values whose mean the metric is, if the result has them. */
static void inner_sample(struct evidence *evidence, const json_t *result, const struct metric *metric)
{
	const json_t *values = metric->samples ? described_value(result, metric->samples) : NULL;
	double *numbers = calloc(json_array_size(values) + 1, sizeof(*numbers));
	const double alone = described_number(result, metric->key);
	size_t count = 0;

	for (size_t i = 0; numbers && i < json_array_size(values); i++)
		if (json_is_number(json_array_get(values, i))) /* null: not measured */
			numbers[count++] = json_number_value(json_array_get(values, i));
	if (numbers && count > 1)
		take_sample(evidence, numbers, count);
	else
		take_sample(evidence, &alone, 1);
	free(numbers);
}

/* The width of the bin that the value was read from. */
static double bin_step(const json_t *result, const struct metric *metric)
{
	const double value = described_number(result, metric->key);
	const json_t *bin;
	size_t i;

	json_array_foreach(described_value(result, metric->bins->list), i, bin)
	{
		const double from = value_number(bin, metric->bins->from), to = value_number(bin, metric->bins->to);

		if (from < value && value <= to * (1 + 1e-12))
			return to - from;
	}
	return NAN;
}

static double step_of(const json_t *result, const struct metric *metric)
{
	const char *minus = metric->step ? strchr(metric->step, '-') : NULL;
	char first[64];

	if (metric->bins)
		return bin_step(result, metric);
	if (!metric->step)
		return NAN;
	if (!minus)
		return described_number(result, metric->step);
	snprintf(first, sizeof(first), "%.*s", (int)(minus - metric->step), metric->step);
	return described_number(result, first) - described_number(result, minus + 1);
}

/* A valid result without a number has a flag that says why. */
static const char *why_no_value(const json_t *result)
{
	const char *flag = json_string_value(json_array_get(json_object_get(result, "flags"), 0));

	return value_true(result, "valid") && flag ? flag : value_string(result, "why_invalid");
}

struct evidence evidence_of(const json_t *results, const struct metric *metric)
{
	double *values = calloc(json_array_size(results) + 1, sizeof(*values));
	struct evidence evidence = {.why_invalid = "-", .low = NAN, .high = NAN};
	const json_t *last = NULL, *result;
	size_t count = 0, i;

	json_array_foreach(results, i, result)
	{
		evidence.results++;
		if (value_true(result, "valid") && !isnan(described_number(result, metric->key))) {
			evidence.step = fmax(evidence.step, step_of(result, metric));
			if (values)
				values[count++] = described_number(result, metric->key);
			last = result;
		} else if (value_true(result, "skipped")) {
			evidence.why_skipped = value_string(result, "why_invalid");
		} else {
			evidence.invalid++;
			evidence.why_invalid = why_no_value(result);
		}
	}
	if (count == 1)
		inner_sample(&evidence, last, metric);
	else if (count > 1)
		take_sample(&evidence, values, count);
	free(values);
	return evidence;
}
