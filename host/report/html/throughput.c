/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput: the graph of RFC 2544 section 26.1 (x the frame size, y the frame rate, one line for the theory and one
 * for the result), the table, and the latency of the trials that settled the results. */
#include <math.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/rate_words.h"
#include "host/report/value.h"

static void draw(struct page *page, const struct part *part, struct html_chart *chart)
{
	struct html_series *theory = chart_series(chart, MARK_DASHES, 2, "theoretical maximum of the link");
	const struct rate_words *words = rate_words(part->results[0]);
	struct html_series *measured = chart_series(chart, MARK_LINE_POINTS, 1, "%s", words->name);
	struct html_series *invalid = chart_series(chart, MARK_POINTS, COLOUR_BAD, "not valid");
	double largest = 0;
	bool known = false; /* theory alone is no result */
	struct chart_scale scale;

	for (size_t i = 0; i < part->count; i++)
		largest = fmax(largest, fmax(value_number(part->results[i], "max_theoretical_fps"),
		                             value_number(part->results[i], words->rate_key)));
	for (size_t i = 0; i < part->count; i++)
		known |= value_known(part->results[i], words->rate_key);
	if (!known)
		return;
	scale = chart_scale_rate(largest);
	snprintf(chart->y_label, sizeof(chart->y_label), "%s, a sending port", scale.unit);
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		bool valid = value_true(result, "valid");
		double octets = value_number(result, "frame_octets");

		chart_point(chart, theory, octets, value_number(result, "max_theoretical_fps") / scale.factor, NULL);
		if (!valid)
			chart_gap(measured);
		chart_point(chart, valid ? measured : invalid, octets,
		            value_number(result, words->rate_key) / scale.factor, "%.0f octets: %s, %s of line rate",
		            octets, value_rate(result, words->rate_key).text,
		            value_percent(result, words->percent_key).text);
	}
	chart_size_tics(chart, part);
	if (chart_draw(page, chart))
		chart_end(page);
}

/* "Throughput, frames/s" */
static struct format_text in_frames(const char *name)
{
	struct format_text text;

	snprintf(text.text, sizeof(text.text), "%s, frames/s", name);
	return text;
}

static struct format_text over_frame_size(const struct rate_words *words)
{
	struct format_text text;

	snprintf(text.text, sizeof(text.text), "%s over frame size", words->name);
	return text;
}

static void rates(struct page *page, const struct part *part)
{
	const struct rate_words *words = rate_words(part->results[0]);
	const struct format_text rate = in_frames(words->name), bound = in_frames(words->bound);
	const char *const HEADINGS[] = {"Size, octets",          rate.text,  "Of line rate, %",
	                                "Theoretical, frames/s", bound.text, "Resolution, frames/s",
	                                "Final trial",           "Trials",   "<Valid"};

	html_table(page, "throughput", over_frame_size(words).text, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];

		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_value(page, result, words->rate_key, 1);
		html_cell_value(page, result, words->percent_key, 3);
		html_cell_value(page, result, "max_theoretical_fps", 1);
		html_cell_value(page, result, words->bound_key, 1);
		html_cell_value(page, result, "resolution_fps", 1);
		html_cell_time(page, result, "final_trial_duration_s", 1, NULL);
		html_cell_value(page, result, "trials", 0);
		html_cell_valid(page, result);
		html_close(page);
	}
	html_table_end(page);
}

static const char *const LATENCIES[] = {"latency_min_ns", "latency_mean_ns", "latency_max_ns"};
enum { LATENCY_COUNT = sizeof(LATENCIES) / sizeof(LATENCIES[0]) };

static void counters(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets", "Offered, frames", "Received",
	                                       "Lost",         "Duplicated",      "Reordered",
	                                       "Bad",          "Foreign",         "Latency min",
	                                       "Latency mean", "Latency max",     "Hidden overload, frames/s"};
	const struct format_time_unit unit =
	        value_time_unit(part->results, part->count, LATENCIES, LATENCY_COUNT, 1e-9);

	html_table(page, "throughput_trial",
	           "The trial that settled each result, and what it may have hidden in the buffer", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i], *counts = json_object_get(result, "counters");

		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_value(page, counts, "offered_frames", 0);
		html_cell_value(page, counts, "received_frames", 0);
		html_cell_value(page, counts, "lost_frames", 0);
		html_cell_value(page, counts, "duplicated_frames", 0);
		html_cell_value(page, counts, "reordered_frames", 0);
		html_cell_value(page, counts, "bad_frames", 0);
		html_cell_value(page, counts, "foreign_frames", 0);
		for (size_t j = 0; j < LATENCY_COUNT; j++)
			html_cell_time(page, result, LATENCIES[j], 1e-9, &unit);
		html_cell_value(page, result, "hidden_overload_fps", 1);
		html_close(page);
	}
	html_table_end(page);
}

static void truth(struct page *page, const struct part *part)
{
	const struct rate_words *words = rate_words(part->results[0]);
	const struct format_text rate = in_frames(words->name);
	const char *const HEADINGS[] = {"Size, octets", "<Device under test", rate.text, "True throughput, frames/s",
	                                "Latency min",  "True latency"};
	struct format_time_unit unit;
	double smallest_ns = INFINITY;
	bool any = false;

	for (size_t i = 0; i < part->count; i++) {
		const json_t *known = json_object_get(part->results[i], "truth");

		any |= json_is_object(known);
		smallest_ns = value_smaller(smallest_ns, known, "latency_ns");
		smallest_ns = value_smaller(smallest_ns, part->results[i], "latency_min_ns");
	}
	unit = format_time_unit(smallest_ns * 1e-9);
	if (!any)
		return;
	html_table(page, "throughput_truth", "Measured, and what the simulated device really does", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i], *known = json_object_get(result, "truth");

		if (!json_is_object(known))
			continue;
		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell(page, "%s", value_string(known, "model"));
		html_cell_value(page, result, words->rate_key, 1);
		html_cell_value(page, known, "throughput_fps", 1);
		html_cell_time(page, result, "latency_min_ns", 1e-9, &unit);
		html_cell_time(page, known, "latency_ns", 1e-9, &unit);
		html_close(page);
	}
	html_table_end(page);
}

void html_throughput(struct page *page, const struct part *part)
{
	const struct rate_words *words = rate_words(part->results[0]);
	struct html_chart chart = {.name = "throughput"};
	const char *program = value_string(json_object_get(page->report, "device"), "backend");

	snprintf(chart.title, sizeof(chart.title), "%s over frame size", words->name);
	snprintf(chart.description, sizeof(chart.description), "%s", words->description);
	/* Section 26.1: text accompanying the graph says protocol, data stream format and media. */
	html_element(page, "p", NULL,
	             "Medium: %s Ethernet. Frames: %s. Sizes are those of the whole frame, with FCS. Load: %s.",
	             format_bit_rate((uint64_t)page->link_bps).text,
	             !strcmp(program, "exec") ? "as the external program makes them"
	                                      : "UDP echo over IPv4 (RFC 2544 Appendix C.2.6.4)",
	             value_string(json_object_get(part->results[0], "parameters"), "load"));
	draw(page, part, &chart);
	rates(page, part);
	html_latency(page, part);
	counters(page, part);
	html_latency_spread(page, part);
	truth(page, part);
}
