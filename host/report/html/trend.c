/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a trend (docs/trend.md): what became of each measure over many runs, plan by plan. */
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/html/report_html.h"
#include "host/report/value.h"

static const json_t *plans_of(const struct page *page)
{
	return json_object_get(page->report, "plans");
}

static json_int_t count_of(const struct page *page, const char *key)
{
	return json_integer_value(json_object_get(page->report, key));
}

static void verdict(struct page *page)
{
	const char *class = "good", *word = "LEVEL", *why = "No measure has a step.";

	if (count_of(page, "worse"))
		class = "bad", word = "WORSE", why = "The newest step of a measure, or of several, is for the worse.";
	else if (count_of(page, "steps"))
		class = "warn", word = "STEPS", why = "Measures have steps; the newest of each is for the better.";
	else if (!count_of(page, "tested"))
		class = "warn", word = "NOT TESTED", why = "No measure has enough runs.";
	html_verdict(page, class, word, why);
}

static void tiles(struct page *page)
{
	html_open_class(page, "dl", "tiles");
	html_count_tile(page, "Runs", (size_t)count_of(page, "runs"));
	html_count_tile(page, "Plans", json_array_size(plans_of(page)));
	html_count_tile(page, "Measures", (size_t)count_of(page, "measures"));
	html_count_tile(page, "Tested for steps", (size_t)count_of(page, "tested"));
	html_count_tile(page, "With a step", (size_t)count_of(page, "with_steps"));
	html_count_tile(page, "Newest step for the worse", (size_t)count_of(page, "worse"));
	html_count_tile(page, "Files passed over", json_array_size(json_object_get(page->report, "passed_over")));
	html_close(page);
}

static void steps_of(struct page *page, size_t number, const json_t *plan)
{
	const json_t *list = json_object_get(plan, "series"), *series, *step;
	size_t i, j;

	json_array_foreach(list, i, series)
	{
		json_array_foreach(json_object_get(series, "steps"), j, step)
		{
			html_row(page, series);
			html_open_class(page, "td", "text");
			html_open(page, "a");
			html_attr(page, "href", "#plan%zu", number);
			html_text(page, "%zu", number);
			html_close(page);
			html_close(page);
			html_cell(page, "%s", html_trend_name(series).text);
			html_cell(page, "%s", value_string(series, "key"));
			html_trend_step_cells(page, json_object_get(plan, "runs"), series, step);
			html_close(page);
		}
	}
}

static void steps(struct page *page)
{
	const json_t *plan;
	size_t i;

	if (!count_of(page, "steps"))
		return;
	html_table(page, "steps", "Steps: the first run of the new level, and the medians before and after",
	           HEADINGS("<Plan", "<Test", "<Value", "Run", "<Date", "<Version", "Before", "After", "Change, %", "p",
	                    "<Verdict"));
	json_array_foreach(plans_of(page), i, plan) steps_of(page, i + 1, plan);
	html_table_end(page);
}

static void passed_over(struct page *page)
{
	const json_t *list = json_object_get(page->report, "passed_over"), *one;
	size_t i;

	if (!json_array_size(list))
		return;
	html_element(page, "h3", NULL, "Files passed over");
	html_open_class(page, "ul", "remarks");
	json_array_foreach(list, i, one)
	        html_element(page, "li", "warn", "%s: %s", value_string(one, "path"), value_string(one, "why"));
	html_close(page);
}

static void summary(struct page *page)
{
	html_open(page, "section");
	html_attr(page, "id", "summary");
	html_element(page, "h2", NULL, "Summary");
	verdict(page);
	tiles(page);
	steps(page);
	passed_over(page);
	html_close(page);
}

static void runs_table(struct page *page, const json_t *runs)
{
	const json_t *run;
	size_t i;

	html_open(page, "details");
	html_element(page, "summary", NULL, "The %zu runs", json_array_size(runs));
	html_table(page, "runs", "Runs of this plan", HEADINGS("Run", "<Started", "<Version", "<Complete", "<File"));
	json_array_foreach(runs, i, run)
	{
		html_row(page, NULL);
		html_cell_value(page, run, "run", 0);
		html_cell(page, "%s", value_string(run, "started"));
		html_cell(page, "%s", value_string(run, "firmware"));
		html_cell(page, "%s", value_true(run, "complete") ? "yes" : "no");
		html_cell(page, "%s", value_string(run, "path"));
		html_close(page);
	}
	html_table_end(page);
	html_close(page);
}

/* Small charts beside one another have a box around each pair. */
static void charts(struct page *page, const json_t *plan, bool answers)
{
	const json_t *list = json_object_get(plan, "series"), *series;
	bool open = answers;
	size_t i;

	json_array_foreach(list, i, series)
	{
		if (value_true(series, "answer") != answers)
			continue;
		if (!open) {
			html_element(page, "h3", NULL, "Beside the answers");
			html_open_class(page, "div", "pair");
			open = true;
		}
		html_trend_series(page, json_object_get(plan, "runs"), series, answers);
	}
	if (open && !answers)
		html_close(page);
}

static void plan_section(struct page *page, size_t number, const json_t *plan)
{
	const json_t *runs = json_object_get(plan, "runs");
	const double bps = value_number(json_object_get(plan, "link"), "bits_per_second");

	html_open_class(page, "section", "test");
	html_attr(page, "id", "plan%zu", number);
	html_element(page, "h2", NULL, "Plan %zu: %s", number, value_string(plan, "dut"));
	html_element(page, "p", "lead", "%s. Tester %s, %s; %zu runs, %s to %s.", value_string(plan, "title"),
	             value_string(plan, "tester"), bps > 0 ? format_bit_rate((uint64_t)bps).text : "-",
	             json_array_size(runs), html_trend_date(json_array_get(runs, 0)).text,
	             html_trend_date(json_array_get(runs, json_array_size(runs) - 1)).text);
	charts(page, plan, true);
	charts(page, plan, false);
	runs_table(page, runs);
	html_close(page);
}

static void method(struct page *page)
{
	const json_t *method = json_object_get(page->report, "method");

	html_open(page, "section");
	html_attr(page, "id", "method");
	html_element(page, "h2", NULL, "Method");
	html_element(
	        page, "p", NULL,
	        "A step is where the level of a measure changed, by the %s (%s): of all places that divide the runs in "
	        "two, the one at which their ranks differ most. Its p is how often runs in a random order have one as "
	        "clear; further steps are looked for on both sides of it.",
	        value_string(method, "name"), value_string(method, "source"));
	html_element(
	        page, "p", NULL,
	        "The measures are judged together, by the step-up procedure of Benjamini and Hochberg (1995) at a "
	        "level "
	        "of %.4g%%: where nothing ever changed, one trend in a hundred marks a step in any of its measures. A "
	        "step of up to %.4g%%, or of no more than the resolution of the search, is not marked. A measure needs "
	        "%s runs, and a step %s on each side.",
	        100 * value_number(method, "level"), value_number(method, "tolerance_percent"),
	        value_text(method, "least_runs", 0).text, value_text(method, "least_side", 0).text);
	html_element(page, "p", NULL,
	             "Where the noise of a measure carries over from run to run, it is held against runs of such "
	             "noise. The last one or "
	             "two runs are too few for a step. A slow drift shows as one step or several, or as noise that "
	             "carries over. A "
	             "step says when, not why: the device, its settings, the tester or the room may have changed.");
	html_close(page);
}

static void contents(struct page *page)
{
	const json_t *plan;
	char id[40], text[120];
	size_t i;

	html_open_contents(page);
	html_link(page, "summary", "Summary");
	json_array_foreach(plans_of(page), i, plan)
	{
		snprintf(id, sizeof(id), "plan%zu", i + 1);
		snprintf(text, sizeof(text), "%zu\xc2\xa0%.80s", i + 1, value_string(plan, "dut"));
		html_link(page, id, text);
	}
	html_link(page, "method", "Method");
	html_close(page);
}

static void render(struct page *page)
{
	const json_t *plan;
	size_t i;

	html_begin(page, "Trend");
	html_header(page, "Trend", "%" JSON_INTEGER_FORMAT " runs", count_of(page, "runs"));
	contents(page);
	html_open(page, "main");
	summary(page);
	json_array_foreach(plans_of(page), i, plan) plan_section(page, i + 1, plan);
	method(page);
	html_close(page);
	html_footer(page, "the run files", true);
	html_end(page);
}

int report_html_trend(const json_t *trend, const char *path, struct error *error)
{
	struct page page = {.report = json_incref((json_t *)(uintptr_t)trend), .error = error};

	html_write(&page, path, render);
	json_decref(page.report);
	return page.status;
}
