/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a sweep, and what became of them. */
#include <string.h>

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

bool html_sweep_is_bad(const json_t *result)
{
	return !value_true(result, "skipped") &&
	       (!value_true(result, "valid") || !strcmp(value_string(result, "verdict"), "fail"));
}
