/* SPDX-License-Identifier: Apache-2.0 */
/* Notes that a reader of a comparison needs beside its values. */
#include "host/compare/notes.h"

#include <string.h>

#include "host/base/json_write.h"
#include "host/compare/evidence.h"
#include "host/compare/match.h"
#include "host/report/value.h"

static bool same(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return (!x && !y) || (x && y && json_equal(x, y));
}

/* A sample without its invalid results is smaller than it looks. */
void notes_invalid(json_t *notes, const char *name, const json_t *results, const struct metric *metric)
{
	const struct evidence evidence = evidence_of(results, metric);
	const json_t *result = json_array_get(results, 0);

	if (evidence.sample.count && evidence.invalid)
		json_add(notes, json_sprintf("%s: %zu of %zu results of %s of %s are left out: %s", name,
		                             evidence.invalid, evidence.results, value_string(result, "test"),
		                             value_frames(result).text, evidence.why_invalid));
}

void notes_new(json_t *notes, const json_t *bases, const json_t *news)
{
	const json_t *result;
	size_t count = 0, i;

	json_array_foreach(news, i, result) count += !match_find(bases, result);
	if (count)
		json_add(notes, json_sprintf("%zu results of NEW are of nothing that BASE measured", count));
}

void notes_setup(json_t *notes, const json_t *base, const json_t *new)
{
	if (!same(base, new, "link"))
		json_add(notes, json_string("the link is not the same in both"));
	if (!same(base, new, "device"))
		json_add(notes, json_string("the device is not the same in both"));
	if (!same(base, new, "tool"))
		json_add(notes, json_sprintf("BASE was made by %s, NEW by %s", value_string(base, "tool"),
		                             value_string(new, "tool")));
	else if (*value_commit(base) && *value_commit(new) && strcmp(value_commit(base), value_commit(new)) != 0)
		json_add(notes, json_sprintf("BASE was made by commit %s, NEW by commit %s", value_commit(base),
		                             value_commit(new)));
	if (json_object_get(base, "incomplete"))
		json_add(notes, json_string("BASE is incomplete"));
	if (json_object_get(new, "incomplete"))
		json_add(notes, json_string("NEW is incomplete"));
}
