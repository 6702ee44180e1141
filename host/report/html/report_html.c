/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one HTML file that needs nothing else: no script, no other file, no host. Charts are SVG in the page,
 * drawn by gnuplot when the report is made. */
#include <string.h>

#include "host/report/described.h"
#include "host/report/html/page.h"
#include "host/report/html/report_html.h"
#include "host/report/output_file.h"
#include "host/report/value.h"

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void section(void *page, const struct part *part)
{
	html_section(page, part);
}

static void each_part(struct page *page, void (*each)(void *page, const struct part *part))
{
	if (parts_each(page->report, each, page))
		html_fail(page, error_set(page->error, ERROR_INTERNAL, "--html: out of memory"));
}

static bool has_result(const json_t *results, unsigned test_number)
{
	const json_t *result;
	size_t i;

	json_array_foreach(results, i, result)
	{
		if (json_integer_value(json_object_get(result, "test_number")) == test_number)
			return true;
	}
	return false;
}

/* If a run ended early, or still goes on, its last test may have trials but no result yet. */
static void unfinished(struct page *page)
{
	unsigned last = 0;

	for (size_t i = 0; i < page->trial_count; i++) {
		const struct store_place *place = &page->trials[i].place;

		if (place->test_number == last ||
		    has_result(json_object_get(page->report, "results"), place->test_number))
			continue;
		last = place->test_number;
		html_open_class(page, "section", "test");
		html_attr(page, "id", "test%u", last);
		html_element(page, "h2", NULL, "%s", described_test_title(place->test));
		html_element(page, "p", "lead", "Test %u of the plan: no result yet.", last);
		html_trace(page, &(struct part){NULL, 0, last, place->test});
		html_close(page);
	}
}

static const struct {
	const char *id, *link, *title; /* title in the contents, and above the section */
	void (*write)(struct page *page);
} SECTIONS[] = {
        {"summary", "Summary", "Summary", html_summary}, /* the tests follow it */
        {"loss", "Frame loss", "Frame loss and latency over load", html_loss},
        {"setup", "Test set-up", "Test set-up", html_setup},
        {"events", "Events", "Events", html_events},
        {"plan", "Plan", "Plan", html_plan},
};
enum { SECTION_COUNT = sizeof(SECTIONS) / sizeof(SECTIONS[0]) };

static void contents_entry(void *user, const struct part *part)
{
	struct page *page = user;

	html_open(page, "a");
	html_attr(page, "href", "#test%u", part->test_number);
	html_text(page, "%u\xc2\xa0%s", part->test_number, described_title(part->results[0]));
	html_close(page);
}

static void contents(struct page *page)
{
	html_open_contents(page);
	for (size_t i = 0; i < SECTION_COUNT; i++) {
		html_link(page, SECTIONS[i].id, SECTIONS[i].link);
		if (i == 0)
			each_part(page, contents_entry);
	}
	html_close(page);
}

static void sections(struct page *page)
{
	for (size_t i = 0; i < SECTION_COUNT; i++) {
		html_open(page, "section");
		html_attr(page, "id", "%s", SECTIONS[i].id);
		html_element(page, "h2", NULL, "%s", SECTIONS[i].title);
		SECTIONS[i].write(page);
		html_close(page);
		if (i > 0)
			continue;
		each_part(page, section);
		unfinished(page);
	}
}

/* The title as the plan gives it. */
static const char *title_of(const struct page *page)
{
	const char *title = json_string_value(json_object_get(json_object_get(page->report, "info"), "title"));

	return title ? title : "Benchmark report";
}

static void render(struct page *page)
{
	char title[300];

	snprintf(title, sizeof(title), "%.250s: benchmark report", file_name(value_string(page->report, "plan_path")));
	html_begin(page, title);
	html_header(page, title_of(page), "%s", file_name(value_string(page->report, "plan_path")));
	contents(page);
	html_open(page, "main");
	sections(page);
	html_close(page);
	html_footer(page, "the run file", true);
	html_end(page);
}

int report_html_check(const char *path, struct error *error)
{
	int status = output_file_check("--html", path, error);

	if (!status && chart_check(error)) {
		error_prefix(error, "--html: ");
		status = error->code;
	}
	return status;
}

int report_html(const json_t *report, struct store *store, const char *path, struct error *error)
{
	struct page page = {.report = json_deep_copy(report),
	                    .store = store,
	                    .link_bps = value_number(json_object_get(report, "link"), "bits_per_second"),
	                    .error = error};

	page.status = page.report ? html_trials_load(&page) : error_set(error, ERROR_INTERNAL, "--html: out of memory");
	if (!page.status) {
		html_add_received_gaps(&page);
		html_write(&page, path, render);
	}
	json_decref(page.report);
	html_trials_free(&page);
	return page.status;
}
