/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which runs can be the baseline of another one. */
#include <stdio.h>
#include <string.h>

#include "host/compare/compare.h"
#include "host/compare/match.h"
#include "host/report/load.h"
#include "host/report/value.h"

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return !json_is_string(x) || !json_is_string(y) || json_equal(x, y);
}

/* NULL: all of them were asked for in the same way there. */
static const json_t *first_missing(const json_t *results, const json_t *others)
{
	const json_t *result;
	size_t i;

	json_array_foreach(results, i, result)
	{
		if (!match_find(others, result))
			return result;
	}
	return NULL;
}

static bool asks_the_same(const json_t *base, const json_t *new, char *why, size_t size)
{
	const json_t *bases = json_object_get(base, "results"), *news = json_object_get(new, "results");
	const json_t *missing = first_missing(news, bases);
	const char *who = "it has no result";

	if (!missing && !json_object_get(new, "incomplete")) {
		missing = first_missing(bases, news);
		who = "only it has a result";
	}
	if (missing)
		snprintf(why, size, "another plan: %s of %.60s at %s that was requested in the same way", who,
		         value_string(missing, "test"), value_frames(missing).text);
	return !missing;
}

bool compare_is_same_plan(const json_t *base, const json_t *new, char *why, size_t size)
{
	const json_t *device = json_object_get(base, "device"), *its = json_object_get(new, "device");
	const json_t *info = json_object_get(base, "info");

	if (!same_text(device, its, "backend") || !same_text(device, its, "name"))
		snprintf(why, size, "another tester: %.80s", value_string(device, "name"));
	else if (!json_equal(json_object_get(base, "link"), json_object_get(new, "link")))
		snprintf(why, size, "another speed of the link");
	else if (!same_text(info, json_object_get(new, "info"), "dut"))
		snprintf(why, size, "another device under test: %.80s", value_string(info, "dut"));
	else
		return asks_the_same(base, new, why, size);
	return false;
}

bool compare_is_baseline(const json_t *base, const json_t *new, char *why, size_t size)
{
	if (json_object_get(base, "incomplete"))
		snprintf(why, size, "it is incomplete");
	else if (json_array_size(json_object_get(base, "results")) == 0)
		snprintf(why, size, "it has no results");
	else if (!report_passes(base))
		snprintf(why, size, "a result is invalid, or not within the limits of its plan");
	else
		return compare_is_same_plan(base, new, why, size);
	return false;
}
