/* SPDX-License-Identifier: Apache-2.0 */
/* From a result to its description, and from a metric to its value. */
#include "host/report/described.h"

#include <math.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/report/value.h"

const json_t *described_value(const json_t *result, const char *key)
{
	const char *point = strchr(key, '.');

	if (!point)
		return json_object_get(result, key);
	return json_object_get(json_object_getn(result, key, (size_t)(point - key)), point + 1);
}

double described_number(const json_t *result, const char *key)
{
	const json_t *value = described_value(result, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const struct result_description *described(const json_t *result)
{
	const struct benchmark *benchmark = benchmark_find(value_string(result, "test"));

	for (const struct result_description *const *one = benchmark ? benchmark->plan.results : NULL; one && *one;
	     one++) {
		if (!(*one)->when || described_number(result, (*one)->when) > 0)
			return *one;
	}
	return NULL;
}

const char *described_title(const json_t *result)
{
	const struct result_description *description = described(result);

	return description ? description->title : value_string(result, "test");
}

const struct result_description *described_test(const char *test)
{
	const struct benchmark *benchmark = benchmark_find(test);
	const struct result_description *const *one = benchmark ? benchmark->plan.results : NULL;

	while (one && *one && (*one)->when)
		one++;
	return one ? *one : NULL;
}

const char *described_test_title(const char *test)
{
	const struct benchmark *benchmark = benchmark_find(test);

	return benchmark ? benchmark->title : test;
}
