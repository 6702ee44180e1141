/* SPDX-License-Identifier: Apache-2.0 */
/* One test of the plan: what it is, its charts and tables by the description of its results, remarks, the course of its
 * searches, parameters, all values. */
#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/frames.h"
#include "host/report/html/page.h"
#include "host/report/modifiers.h"
#include "host/report/template.h"
#include "host/report/value.h"

static void modifier(void *user, const char *name, const char *words)
{
	html_text(user, " Modifier %s: %s.", name, words);
}

/* RFC 2544 section 26.1: text accompanying the graph says protocol, data stream format and media. */
static void conditions(struct page *page, const struct part *part)
{
	const json_t *result = part_tested(part);
	const json_t *parameters = json_object_get(result, "parameters"), *load = json_object_get(parameters, "load");
	const bool program = !strcmp(value_string(json_object_get(page->report, "device"), "backend"), "exec");
	char *traffic;

	html_open(page, "p");
	html_text(page, "Medium: %s Ethernet. Frames: %s. Sizes are those of the whole frame, with FCS.",
	          page->link_bps > 0 ? format_bit_rate((uint64_t)page->link_bps).text : "-",
	          program ? "as the external program makes them" : frames_text(parameters).text);
	if (program && !frames_are_plain(parameters))
		html_text(page, " It was asked for %s.", frames_text(parameters).text);
	traffic = template_text("[pattern!pairs {pattern}, {direction}, addresses for each pair of ports: {addresses}]"
	                        "[, seed {seed}]",
	                        parameters, result);
	if (traffic)
		html_text(page, " Traffic: %s.", traffic);
	free(traffic);
	if (json_is_string(load))
		html_text(page, " Load: %s.", json_string_value(load));
	modifiers_each(part, modifier, page);
	html_close(page);
}

/* A list that is opened by its first entry: screen readers would announce an empty one. */
struct remarks {
	struct page *page;
	bool any;
};

/* heading NULL: none. */
static void remark(struct remarks *remarks, const json_t *result, const char *class, const char *heading,
                   const char *text)
{
	struct page *page = remarks->page;

	if (!remarks->any)
		html_open_class(page, "ul", "remarks");
	remarks->any = true;
	html_open_class(page, "li", class);
	html_element(page, "strong", NULL, "%s", value_frames(result).text);
	html_text(page, "%s: %s%s%s", value_goal(result).text, heading ? heading : "", heading ? ": " : "", text);
	html_close(page);
}

/* Why a result is invalid or was left out, and its flags. */
static void doubts(struct remarks *remarks, const json_t *result)
{
	const json_t *flags = json_object_get(result, "flags"), *flag;
	size_t i;

	if (json_is_string(json_object_get(result, "why_invalid")))
		remark(remarks, result, value_true(result, "skipped") ? "muted" : "bad", NULL,
		       value_string(result, "why_invalid"));
	json_array_foreach(flags, i, flag)
	{
		remark(remarks, result, "warn", NULL, json_is_string(flag) ? json_string_value(flag) : "-");
	}
}

static void described_remarks(struct remarks *remarks, const json_t *result,
                              const struct result_description *description)
{
	const struct result_line *line = description ? description->remarks : NULL;

	for (; line && line->text && !value_true(result, "skipped"); line++) {
		char *text = template_text(line->text, result, json_object_get(result, "parameters"));

		if (text)
			remark(remarks, result, NULL, line->heading, text);
		free(text);
	}
}

static void all_remarks(struct page *page, const struct part *part, const struct result_description *description)
{
	struct remarks remarks = {page, false};
	char text[MODIFIERS_TEXT];

	for (size_t i = 0; i < part->count; i++) {
		doubts(&remarks, part->results[i]);
		described_remarks(&remarks, part->results[i], description);
		for (unsigned n = 0; n < MODIFIERS_REMARKS; n++)
			if (modifiers_remark(part->results[i], n, text))
				remark(&remarks, part->results[i], NULL, NULL, text);
	}
	if (remarks.any)
		html_close(page);
}

struct charts {
	struct page *page;
	const struct result_description *description;
	const struct result_chart *chart;
};

static void draw_chart(void *user, const struct part *part)
{
	const struct charts *charts = user;

	html_view_chart(charts->page, part, charts->description, charts->chart);
}

void html_views(struct page *page, const struct part *part, const struct result_description *description)
{
	for (const struct result_view *view = description->views; view->chart || view->table || view->bins; view++) {
		struct charts charts = {page, description, view->chart};

		if (view->chart && part_each_modifier(part, draw_chart, &charts))
			html_fail(page, error_set(page->error, ERROR_INTERNAL, "--html: out of memory"));
		if (view->table)
			html_view_table(page, part, description, view->table);
		if (view->bins)
			html_view_bins(page, part, view->bins);
	}
}

/* Trials that no search asked for are all in the table of a list. */
static bool searches(const struct part *part)
{
	return !json_is_null(json_object_get(json_object_get(part->results[0], "parameters"), "search"));
}

void html_section(struct page *page, const struct part *part)
{
	const struct result_description *description = described(part->results[0]);

	html_open_class(page, "section", "test");
	html_attr(page, "id", "test%u", part->test_number);
	html_element(page, "h2", NULL, "%s", described_title(part->results[0]));
	html_element(page, "p", "lead", "Test %u of the plan, %s.", part->test_number,
	             description ? description->clause : value_string(part->results[0], "rfc"));
	conditions(page, part);
	if (value_true(part_tested(part), "skipped"))
		html_element(page, "p", NULL, "No frame size qualifies; the reasons follow.");
	if (description)
		html_views(page, part, description);
	for (const struct result_listing *const *rows = description ? description->listings : NULL; rows && *rows;
	     rows++)
		html_view_rows(page, part, *rows);
	all_remarks(page, part, description);
	if (searches(part))
		html_trace(page, part);
	html_parameters(page, part);
	html_values(page, part);
	html_close(page);
}
