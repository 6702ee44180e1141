/* SPDX-License-Identifier: Apache-2.0 */
/* The head of the HTML report: verdict, what was measured on what, every answer in one table, limits of the plan. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/html/page.h"
#include "host/report/latency_error.h"
#include "host/report/value.h"
#include "host/report/verdict.h"

/* One word for the run, and what it rests on. A plan without limits can be measured, but not passed. */
static void verdict(struct page *page, const struct result_counts *counts)
{
	const char *given = value_string(page->report, "verdict");
	const char *class = "good", *word = "VALID", *why = "Every result is valid. The plan sets no limits.";
	char left_out[120] = "", text[240];

	if (json_object_get(page->report, "incomplete")) {
		class = "bad", word = "INCOMPLETE",
		why = "The run did not reach its end; what was measured until then follows.";
	} else if (!strcmp(given, "pass")) {
		word = "PASS", why = "Every result is valid and within the limits of the plan.";
	} else if (!strcmp(given, "fail")) {
		class = "bad", word = "FAIL", why = "A result is invalid or not within the limits of the plan.";
	} else if (counts->results == 0) {
		class = "warn", word = "NO RESULTS", why = "Nothing was measured.";
	} else if (counts->invalid && counts->invalid == counts->unfinished) {
		class = "bad", word = "NOT FINISHED",
		why = "Not every result was reached within the limits of the plan; the reasons are given below.";
	} else if (counts->invalid) {
		class = "bad", word = "INVALID",
		why = "Not every result is an answer about the device; the reasons are given below.";
	}
	if (counts->skipped)
		snprintf(left_out, sizeof(left_out), " %zu of %zu sizes did not qualify and were not tested.",
		         counts->skipped, counts->results);
	snprintf(text, sizeof(text), "%s%s", why, left_out);
	html_verdict(page, class, word, text);
	if (json_object_get(page->report, "incomplete"))
		html_element(page, "p", "remarks bad", "Why: %s", value_string(page->report, "incomplete"));
}

/* "2026-11-21 09:45:00 UTC" */
static void time_tile(struct page *page, const char *name, const char *key)
{
	const char *time = value_string(page->report, key);
	char text[48];

	if (strlen(time) == strlen("2026-11-21T09:45:00Z")) {
		snprintf(text, sizeof(text), "%.10s %.8s UTC", time, time + strlen("2026-11-21T"));
		time = text;
	}
	html_tile(page, name, time);
}

/* The model of a simulated device is known; the device that a card measures has no name here. */
static const char *device_under_test(const json_t *report)
{
	const json_t *results = json_object_get(report, "results"), *result;
	size_t i;

	json_array_foreach(results, i, result)
	{
		const json_t *truth = json_object_get(result, "truth");

		if (json_is_object(truth))
			return value_string(truth, "model");
	}
	return NULL;
}

static void tiles(struct page *page, const struct result_counts *counts)
{
	const json_t *device = json_object_get(page->report, "device");
	char text[200];

	html_open_class(page, "dl", "tiles");
	if (counts->skipped)
		snprintf(text, sizeof(text), "%zu valid of %zu, %zu left out", counts->valid, counts->results,
		         counts->skipped);
	else
		snprintf(text, sizeof(text), "%zu valid of %zu", counts->valid, counts->results);
	html_tile(page, "Results", text);
	html_tile(page, "Link", page->link_bps > 0 ? format_bit_rate((uint64_t)page->link_bps).text : "-");
	html_tile(page, "Tester", value_string(device, "name"));
	if (device_under_test(page->report)) {
		snprintf(text, sizeof(text), "simulated: %.100s", device_under_test(page->report));
		html_tile(page, "Device under test", text);
	}
	snprintf(text, sizeof(text), "%zu", page->trial_count);
	html_tile(page, "Trials", text);
	time_tile(page, "Started", "started");
	time_tile(page, "Finished", "finished");
	html_close(page);
}

/* Shows what the plan says about the run, but its title, which is the heading of the page. */
static void info(struct page *page)
{
	json_t *texts = json_object_get(page->report, "info"), *text;
	const char *key;
	char name[40];

	if (json_object_size(texts) <= (json_object_get(texts, "title") != NULL))
		return;
	html_open_class(page, "dl", "parameters info");
	json_object_foreach(texts, key, text)
	{
		if (!strcmp(key, "title"))
			continue;
		snprintf(name, sizeof(name), "%c%.30s", toupper((unsigned char)*key), key + (*key != 0));
		html_open(page, "div");
		html_element(page, "dt", NULL, "%s", strcmp(key, "dut") ? name : "Device under test");
		html_open(page, "dd");
		html_value(page, key, text);
		html_close(page);
		html_close(page);
	}
	html_close(page);
}

/* "2 Throughput", as in the contents: a plan may have two tests of a kind. */
static void test_cell(struct page *page, const json_t *result)
{
	char text[320];

	snprintf(text, sizeof(text), "%s\xc2\xa0%.100s%s%s", value_text(result, "test_number", 0).text,
	         described_title(result), value_modifier(result).text, value_goal(result).text);
	html_cell_head(page, text);
}

/* The answer of the test. An unknown test shows all its values in its own section. */
static void answer_row(struct page *page, const json_t *result)
{
	const struct result_description *description = described(result);
	const struct metric *answer = description ? description_metric(description, description->answer) : NULL;
	const char *percent = description && description->answer_percent ? description->answer_percent : "";

	html_row(page, result);
	test_cell(page, result);
	html_cell_value(page, result, "frame_octets", 0);
	html_cell_value(page, result, answer ? answer->key : "", answer ? (int)answer->places : 0);
	html_cell(page, "%s",
	          !answer                    ? "see the test"
	          : description->answer_unit ? description->answer_unit
	                                     : metric_unit_word(answer->unit));
	html_cell_value(page, result, percent, 3);
	html_cell_valid(page, result);
	html_close(page);
}

/* The error of the first answer that is a latency. */
static struct format_text latency_error_of_answers(const json_t *results)
{
	struct format_text text = {""};
	const json_t *result;
	size_t i;

	json_array_foreach(results, i, result)
	{
		const struct result_description *description = described(result);

		if (!*text.text && description)
			text = latency_error_of_keys(result, description->answer);
	}
	return text;
}

static void answers(struct page *page, const json_t *results)
{
	const json_t *result;
	char caption[100];
	size_t i;

	if (json_array_size(results) == 0)
		return;
	snprintf(caption, sizeof(caption), "Results at a glance%s", latency_error_of_answers(results).text);
	html_table(page, "summary", caption,
	           HEADINGS("<Test", "Size, octets", "Answer", "<Unit", "Of line rate, %", "<Verdict"));
	json_array_foreach(results, i, result)
	{
		answer_row(page, result);
	}
	html_table_end(page);
}

static void limit(struct page *page, const json_t *result, const json_t *one)
{
	const char *met = value_met(result, one);
	const char *class = value_true(result, "skipped") ? "badge muted"
	                    : strcmp(met, "met")          ? "badge bad"
	                                                  : "badge good";

	html_row(page, result);
	test_cell(page, result);
	html_cell_value(page, result, "frame_octets", 0);
	html_cell(page, "%s", value_string(one, "key"));
	html_cell(page, "%s", value_relation(one));
	html_cell_digits(page, "limit", json_object_get(one, "limit"));
	html_cell_digits(page, "value", json_object_get(one, "value"));
	html_open_class(page, "td", "text");
	html_element(page, "span", class, "%s", met);
	html_close(page);
	html_close(page);
}

static void limits(struct page *page, const json_t *results)
{
	const json_t *result, *one;
	size_t i, j;

	if (!json_is_string(json_object_get(page->report, "verdict")))
		return;
	html_element(page, "h3", NULL, "Required by the plan");
	html_table(page, "requirements",
	           "Limits of the plan and what was measured; units as the names of the values end",
	           HEADINGS("<Test", "Size, octets", "<Value", "<", "Required", "Measured", "<Verdict"));
	json_array_foreach(results, i, result)
	{
		json_array_foreach(json_object_get(result, "requirements"), j, one) limit(page, result, one);
	}
	html_table_end(page);
}

void html_summary(struct page *page)
{
	const json_t *results = json_object_get(page->report, "results");
	struct result_counts counts = verdict_counts(results);

	verdict(page, &counts);
	tiles(page, &counts);
	info(page);
	answers(page, results);
	limits(page, results);
}
