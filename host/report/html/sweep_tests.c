/* SPDX-License-Identifier: Apache-2.0 */
/* A table for each test of a sweep: its answer by frame size, run by run, beside the settings of the run. */
#include <libxml/uri.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/report/described.h"
#include "host/report/html/sweep_page.h"
#include "host/report/value.h"

/* Runs have the same tests unless the settings change them; then a run without one has no value. */
static bool same_test(const json_t *a, const json_t *b)
{
	return json_equal(json_object_get(a, "test_number"), json_object_get(b, "test_number")) &&
	       !strcmp(value_string(a, "test"), value_string(b, "test")) && described(a) == described(b);
}

static bool same_place(const json_t *a, const json_t *b)
{
	return !strcmp(value_place(a).text, value_place(b).text) && !strcmp(value_goal(a).text, value_goal(b).text);
}

static void add_unless(json_t *list, json_t *result, bool (*same)(const json_t *a, const json_t *b))
{
	const json_t *other;
	size_t i;

	json_array_foreach(list, i, other)
	{
		if (same(other, result))
			return;
	}
	json_add_shared(list, result);
}

/* A result of each test: all of them that are like `of`, or NULL: like none. */
static json_t *firsts(const struct page *page, const json_t *of, bool (*same)(const json_t *a, const json_t *b))
{
	json_t *list = json_array(), *point, *result;
	size_t i, j;

	json_array_foreach(html_sweep_points(page), i, point)
	{
		json_array_foreach(json_object_get(point, "results"), j, result)
		{
			if (!of || same_test(of, result))
				add_unless(list, result, same);
		}
	}
	return list;
}

static const json_t *find(const json_t *point, const json_t *test, const json_t *place)
{
	const json_t *result;
	size_t i;

	json_array_foreach(json_object_get(point, "results"), i, result)
	{
		if (same_test(test, result) && same_place(place, result))
			return result;
	}
	return NULL;
}

json_t *html_sweep_tests(const struct page *page)
{
	return firsts(page, NULL, same_test);
}

/* The number links to the point's own report, if that was written beside the run file. */
static void number_cell(struct page *page, const json_t *point)
{
	const char *report = json_string_value(json_object_get(point, "html_file"));
	xmlChar *target = report ? xmlURIEscapeStr(BAD_CAST report, BAD_CAST "/") : NULL;

	html_open(page, "th");
	html_attr(page, "scope", "row");
	if (target) {
		html_open(page, "a");
		html_attr(page, "href", "%s", (const char *)target);
	}
	html_text(page, "%s", value_text(point, "number", 0).text);
	if (target)
		html_close(page);
	html_close(page);
	xmlFree(target);
}

static const struct metric *answer_of(const json_t *test)
{
	const struct result_description *description = described(test);

	return description ? description_metric(description, description->answer) : NULL;
}

/* NULL: the value needs no word. */
static const char *badge_of(const json_t *result)
{
	if (!result)
		return NULL;
	return value_true(result, "skipped")  ? "not tested"
	       : !value_true(result, "valid") ? value_not_valid(result)
	       : html_sweep_is_bad(result)    ? "FAIL"
	       : described_has_flags(result)  ? "see remarks"
	                                      : NULL;
}

static void value_cell(struct page *page, const json_t *result, const struct metric *answer)
{
	const char *badge = badge_of(result);
	const json_t *value = result && answer ? described_value(result, answer->key) : NULL;

	if (!badge) {
		html_cell_number(page, answer ? answer->key : "value",
		                 json_is_number(value) ? json_number_value(value) : NAN,
		                 answer ? (int)answer->places : 0);
		return;
	}
	html_open(page, "td");
	if (json_is_number(value)) {
		html_open(page, "data");
		html_attr(page, "value", "%s", value_digits(value).text);
		html_text(page, "%s", html_grouped(json_number_value(value), (int)answer->places).text);
		html_close(page);
		html_text(page, " ");
	}
	html_element(page, "span",
	             value_true(result, "skipped") ? "badge muted"
	             : html_sweep_is_bad(result)   ? "badge bad"
	                                           : "badge warn",
	             "%s", badge);
	html_close(page);
}

static void state_cell(struct page *page, const json_t *point)
{
	const bool remarks = described_any_has_flags(point);
	const char *class = html_sweep_passes(point)    ? (remarks ? "badge warn" : "badge good")
	                    : html_sweep_is_done(point) ? "badge bad"
	                                                : "badge warn";

	html_open_class(page, "td", "text");
	html_element(page, "span", class, "%s",
	             html_sweep_passes(point)    ? (remarks ? "passed, see remarks" : "passed")
	             : html_sweep_is_done(point) ? "failed"
	                                         : value_string(point, "state"));
	html_close(page);
}

static void row(struct page *page, const json_t *point, const json_t *test, const json_t *places)
{
	const json_t *axis, *place;
	size_t i;

	html_row(page, NULL);
	number_cell(page, point);
	json_array_foreach(json_object_get(page->report, "vary"), i, axis)
	        html_cell(page, "%s", value_string(json_object_get(point, "settings"), json_string_value(axis)));
	json_array_foreach(places, i, place) value_cell(page, find(point, test, place), answer_of(test));
	state_cell(page, point);
	html_close(page);
}

/* Columns: the run, its settings, the answer at each place, its state. */
static void table(struct page *page, const char *name, const char *caption, const json_t *test, const json_t *places)
{
	const json_t *axes = json_object_get(page->report, "vary"), *one;
	const size_t count = json_array_size(axes) + json_array_size(places) + 2;
	const char **headings = calloc(count + 1, sizeof(*headings));
	struct format_text *texts = calloc(json_array_size(axes) + json_array_size(places) + 1, sizeof(*texts));
	size_t columns = 0, i;

	if (headings && texts) {
		headings[columns++] = "Run";
		json_array_foreach(axes, i, one)
		{
			snprintf(texts[columns - 1].text, sizeof(texts->text), "<%.60s", json_string_value(one));
			headings[columns] = texts[columns - 1].text;
			columns++;
		}
		json_array_foreach(places, i, one)
		{
			snprintf(texts[columns - 1].text, sizeof(texts->text), "%.40s%.20s", value_place(one).text,
			         value_goal(one).text);
			headings[columns] = texts[columns - 1].text;
			columns++;
		}
		headings[columns] = "<Result";
		html_table(page, name, caption, headings);
		json_array_foreach(html_sweep_points(page), i, one) row(page, one, test, places);
		html_table_end(page);
	} else {
		html_fail(page, error_set(page->error, ERROR_INTERNAL, "out of memory"));
	}
	free(texts);
	free(headings);
}

void html_sweep_section(struct page *page, size_t number, const json_t *test)
{
	json_t *places = firsts(page, test, same_place);
	const struct metric *answer = answer_of(test);
	char caption[200], name[40];

	html_open_class(page, "section", "test");
	html_attr(page, "id", "test%zu", number);
	html_element(page, "h2", NULL, "%s %s", value_text(test, "test_number", 0).text, described_title(test));
	snprintf(caption, sizeof(caption), "%s%s%s by frame size in octets", answer ? answer->heading : "Results",
	         answer && *metric_unit_word(answer->unit) ? ", " : "", answer ? metric_unit_word(answer->unit) : "");
	snprintf(name, sizeof(name), "sweep%zu", number);
	table(page, name, caption, test, places);
	html_close(page);
	json_decref(places);
}
