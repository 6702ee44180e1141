/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a sweep, and what became of them. */
#include <string.h>

#include "host/report/described.h"
#include "host/report/html/sweep_page.h"
#include "host/report/value.h"

const json_t *html_sweep_points(const struct page *page)
{
	return json_object_get(page->report, "points");
}

bool html_sweep_is_done(const json_t *point)
{
	return !strcmp(value_string(point, "state"), "done");
}

bool html_sweep_passes(const json_t *point)
{
	return value_true(point, "passes");
}

bool html_sweep_has_remarks(const json_t *point)
{
	const json_t *result;
	size_t i;

	json_array_foreach(json_object_get(point, "results"), i, result)
	{
		if (described_has_flags(result))
			return true;
	}
	return false;
}

bool html_sweep_is_bad(const json_t *result)
{
	return !value_true(result, "skipped") &&
	       (!value_true(result, "valid") || !strcmp(value_string(result, "verdict"), "fail"));
}
