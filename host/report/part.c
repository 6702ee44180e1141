/* SPDX-License-Identifier: Apache-2.0 */
/* Grouping of results by the number of their test in the plan. */
#include "host/report/part.h"

#include <stdlib.h>
#include <string.h>

#include "host/report/value.h"

/* Two kinds of test may have the same number in somebody else's file. */
static bool together(const json_t *a, const json_t *b)
{
	return json_equal(json_object_get(a, "test_number"), json_object_get(b, "test_number")) &&
	       !strcmp(value_string(a, "test"), value_string(b, "test"));
}

/* Moves whatever belongs with the first of a list right behind it, and returns how many belong together. The others
 * keep their order. */
static size_t gather(const json_t **list, size_t count)
{
	size_t found = 1;

	for (size_t i = 1; i < count; i++) {
		const json_t *one = list[i];

		if (!together(list[0], one))
			continue;
		memmove(&list[found + 1], &list[found], (i - found) * sizeof(*list));
		list[found++] = one;
	}
	return found;
}

const json_t *part_tested(const struct part *part)
{
	for (size_t i = 0; i < part->count; i++) {
		if (!value_true(part->results[i], "skipped"))
			return part->results[i];
	}
	return part->results[0];
}

bool part_has_modifiers(const struct part *part)
{
	for (size_t i = 0; i < part->count; i++)
		if (json_is_string(json_object_get(part->results[i], "modifier")))
			return true;
	return false;
}

static bool same_modifier(const json_t *a, const json_t *b)
{
	return !strcmp(value_modifier(a).text, value_modifier(b).text);
}

static bool comes_again(const struct part *part, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (same_modifier(part->results[i], part->results[number]))
			return true;
	return false;
}

int part_each_modifier(const struct part *part, void (*each)(void *user, const struct part *part), void *user)
{
	const json_t **list = calloc(part->count + 1, sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < part->count; i++) {
		struct part alike = {list, 0, part->test_number, part->test};

		if (comes_again(part, i))
			continue;
		for (size_t j = i; j < part->count; j++)
			if (same_modifier(part->results[i], part->results[j]))
				list[alike.count++] = part->results[j];
		each(user, &alike);
	}
	free(list);
	return 0;
}

int parts_each(const json_t *report, void (*each)(void *user, const struct part *part), void *user)
{
	const json_t *results = json_object_get(report, "results");
	size_t count = json_array_size(results), found;
	const json_t **list = calloc(count + 1, sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < count; i++)
		list[i] = json_array_get(results, i);
	for (size_t i = 0; i < count; i += found) {
		found = gather(list + i, count - i);
		each(user, &(struct part){list + i, found,
		                          (unsigned)json_integer_value(json_object_get(list[i], "test_number")),
		                          value_string(list[i], "test")});
	}
	free(list);
	return 0;
}
