/* SPDX-License-Identifier: Apache-2.0 */
/* Leads from a result to its description, and from a metric to its value. */
#include "host/report/described.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/json_write.h"
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

bool described_is_at_least(const json_t *result, const char *key)
{
	const struct result_description *description = value_true(result, "at_least") ? described(result) : NULL;
	const struct metric *metric = description ? description_metric(description, key) : NULL;

	return metric && metric->lower_limit;
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

static void add_keys(json_t *keys, const json_t *object, const char *prefix)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		bool inner = json_is_object(value) && !*prefix;
		char *name;

		if (!strcmp(key, "requirements") || json_is_object(json_array_get(value, 0)) ||
		    asprintf(&name, "%s%s%s", prefix, key, inner ? "." : "") < 0)
			continue;
		if (inner)
			add_keys(keys, value, name);
		else if (!json_object_get(keys, name))
			json_put_shared(keys, name, value);
		free(name);
	}
}

bool described_has_flags(const json_t *result)
{
	return json_array_size(json_object_get(result, "flags")) > 0;
}

bool described_any_has_flags(const json_t *report)
{
	const json_t *result;
	size_t i;

	json_array_foreach(json_object_get(report, "results"), i, result)
	{
		if (described_has_flags(result))
			return true;
	}
	return false;
}

const char *described_valid(const json_t *result)
{
	if (!value_true(result, "valid"))
		return value_not_valid(result);
	return described_has_flags(result) ? "yes, see !" : "yes";
}

void described_add_keys(json_t *keys, const json_t *result)
{
	add_keys(keys, result, "");
}
