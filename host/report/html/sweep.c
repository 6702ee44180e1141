/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a sweep (docs/sweeps.md): which runs passed, and what the answer of each test became (sweep_tests.c). */
#include <string.h>

#include "host/report/described.h"
#include "host/report/html/page.h"
#include "host/report/html/report_html.h"
#include "host/report/html/sweep_page.h"
#include "host/report/output_file.h"
#include "host/report/value.h"

static size_t count(const struct page *page, bool (*is)(const json_t *point))
{
	const json_t *point;
	size_t found = 0, i;

	json_array_foreach(html_sweep_points(page), i, point) found += is(point);
	return found;
}

static bool fails(const json_t *point)
{
	return html_sweep_is_done(point) && !html_sweep_passes(point);
}

static bool is_begun(const json_t *point)
{
	return !strcmp(value_string(point, "state"), "incomplete");
}

static void verdict(struct page *page)
{
	const size_t runs = json_array_size(html_sweep_points(page));
	const char *class = "good", *word = "PASSED",
	           *why = "All runs are done, valid and within the limits of the plan.";

	if (count(page, fails))
		class = "bad", word = "FAILED", why = "Runs have a result that is invalid or misses a limit.";
	else if (count(page, html_sweep_is_done) < runs)
		class = "warn", word = "NOT DONE", why = "Not all runs are done.";
	html_verdict(page, class, word, why);
}

/* "run 3, buffer_frames=64, service_fps=40M" */
static void name_run(struct page *page, const json_t *point)
{
	const json_t *value;
	const char *path;

	html_text(page, "run %s", value_text(point, "number", 0).text);
	json_object_foreach((json_t *)(uintptr_t)json_object_get(point, "settings"), path, value)
	        html_text(page, ", %s=%s", path, json_string_value(value) ? json_string_value(value) : "-");
}

static void remark(struct page *page, const json_t *point, const json_t *result)
{
	html_open_class(page, "li", "bad");
	name_run(page, point);
	if (!result)
		html_text(page, ": %s%s%s", value_string(point, "state"), json_object_get(point, "why") ? ": " : "",
		          json_object_get(point, "why") ? value_string(point, "why") : "");
	else if (!value_true(result, "valid"))
		html_text(page, ": %s, %s octets%s: invalid: %s", described_title(result), value_place(result).text,
		          value_goal(result).text, value_string(result, "why_invalid"));
	else
		html_text(page, ": %s, %s octets%s: a limit of the plan is missed", described_title(result),
		          value_place(result).text, value_goal(result).text);
	html_close(page);
}

static void failed(struct page *page)
{
	const json_t *point, *result;
	size_t i, j;

	if (count(page, html_sweep_passes) == json_array_size(html_sweep_points(page)))
		return;
	html_element(page, "h3", NULL, "Runs that failed, or are not done");
	html_open_class(page, "ul", "remarks");
	json_array_foreach(html_sweep_points(page), i, point)
	{
		if (!html_sweep_is_done(point))
			remark(page, point, NULL);
		json_array_foreach(json_object_get(point, "results"), j, result)
		{
			if (html_sweep_is_bad(result))
				remark(page, point, result);
		}
	}
	html_close(page);
}

static void flags_of(struct page *page, const json_t *point, const json_t *result)
{
	const json_t *flag;
	size_t i;

	json_array_foreach(json_object_get(result, "flags"), i, flag)
	{
		html_open(page, "li");
		name_run(page, point);
		html_text(page, ": %s, %s octets%s: %s", described_title(result), value_place(result).text,
		          value_goal(result).text, json_is_string(flag) ? json_string_value(flag) : "-");
		html_close(page);
	}
}

static void remarks(struct page *page)
{
	const json_t *point, *result;
	size_t i, j;

	if (!count(page, described_any_has_flags))
		return;
	html_element(page, "h3", NULL, "Remarks");
	html_open_class(page, "ul", "remarks");
	json_array_foreach(html_sweep_points(page), i, point)
	{
		json_array_foreach(json_object_get(point, "results"), j, result) flags_of(page, point, result);
	}
	html_close(page);
}

static void summary(struct page *page)
{
	const size_t runs = json_array_size(html_sweep_points(page)), done = count(page, html_sweep_is_done),
	             begun = count(page, is_begun);

	html_open(page, "section");
	html_attr(page, "id", "summary");
	html_element(page, "h2", NULL, "Summary");
	verdict(page);
	html_open_class(page, "dl", "tiles");
	html_count_tile(page, "Runs", runs);
	html_count_tile(page, "Done", done);
	html_count_tile(page, "Passed", count(page, html_sweep_passes));
	html_count_tile(page, "Failed", count(page, fails));
	html_count_tile(page, "Incomplete", begun);
	html_count_tile(page, "Not begun, or not of this sweep", runs - done - begun);
	html_close(page);
	failed(page);
	remarks(page);
	html_close(page);
}

static void contents(struct page *page, const json_t *tests)
{
	char id[40], text[120];
	const json_t *test;
	size_t i;

	html_open_contents(page);
	html_link(page, "summary", "Summary");
	json_array_foreach(tests, i, test)
	{
		snprintf(id, sizeof(id), "test%zu", i + 1);
		snprintf(text, sizeof(text), "%.20s\xc2\xa0%.80s", value_text(test, "test_number", 0).text,
		         described_title(test));
		html_link(page, id, text);
	}
	html_close(page);
}

static void render(struct page *page)
{
	json_t *tests = html_sweep_tests(page);
	const json_t *test;
	size_t i;

	html_begin(page, "Sweep");
	html_header(page, "Sweep", "%s in %s, begun %s", value_string(page->report, "plan_path"),
	            value_string(page->report, "directory"), value_string(page->report, "created"));
	contents(page, tests);
	html_open(page, "main");
	summary(page);
	json_array_foreach(tests, i, test) html_sweep_section(page, i + 1, test);
	html_close(page);
	html_footer(page, "the run files of the sweep", false);
	html_end(page);
	json_decref(tests);
}

int report_html_sweep_check(const char *path, struct error *error)
{
	return output_file_check("--html", path, error);
}

int report_html_sweep(const json_t *sweep, const char *path, struct error *error)
{
	struct page page = {.report = json_incref((json_t *)(uintptr_t)sweep), .error = error};

	html_write(&page, path, render);
	json_decref(page.report);
	return page.status;
}
