/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput: the graph of RFC 2544 section 26.1 (x the frame size, y the frame rate, one line for the theory and one
 * for the result), the table, and the latency of the trials that settled the results. */
#include <math.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

static void draw(struct page *page, const struct part *part, struct html_chart *chart)
{
	struct html_series *theory = chart_series(chart, MARK_DASHES, 2, "theoretical maximum of the link");
	struct html_series *measured = chart_series(chart, MARK_LINE_POINTS, 1, "throughput");
	struct html_series *invalid = chart_series(chart, MARK_POINTS, COLOUR_BAD, "not valid");
	double largest = 0;
	bool known = false; /* theory alone is no result */
	struct chart_scale scale;

	for (size_t i = 0; i < part->count; i++)
		largest = fmax(largest, fmax(value_number(part->results[i], "max_theoretical_fps"),
		                             value_number(part->results[i], "throughput_fps")));
	for (size_t i = 0; i < part->count; i++)
		known |= value_known(part->results[i], "throughput_fps");
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
		            value_number(result, "throughput_fps") / scale.factor, "%.0f octets: %s, %s of line rate",
		            octets, value_rate(result, "throughput_fps").text,
		            value_percent(result, "throughput_percent").text);
	}
	chart_size_tics(chart, part);
	if (chart_draw(page, chart))
		chart_end(page);
}

static void rates(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "Throughput, frames/s",
	                                       "Of line rate, %",
	                                       "Theoretical, frames/s",
	                                       "First lossy, frames/s",
	                                       "Resolution, frames/s",
	                                       "Final trial",
	                                       "Trials",
	                                       "<Valid"};

	html_table(page, "throughput", "Throughput over frame size", HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];

		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_value(page, result, "throughput_fps", 1);
		html_cell_value(page, result, "throughput_percent", 3);
		html_cell_value(page, result, "max_theoretical_fps", 1);
		html_cell_value(page, result, "first_lossy_fps", 1);
		html_cell_value(page, result, "resolution_fps", 1);
		html_cell_time(page, result, "final_trial_duration_s", 1);
		html_cell_value(page, result, "trials", 0);
		html_cell_valid(page, result);
		html_close(page);
	}
	html_table_end(page);
}

static void counters(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets", "Offered, frames", "Received",
	                                       "Lost",         "Duplicated",      "Reordered",
	                                       "Bad",          "Foreign",         "Latency min",
	                                       "Latency mean", "Latency max",     "Hidden overload, frames/s"};

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
		html_cell_time(page, result, "latency_min_ns", 1e-9);
		html_cell_time(page, result, "latency_mean_ns", 1e-9);
		html_cell_time(page, result, "latency_max_ns", 1e-9);
		html_cell_value(page, result, "hidden_overload_fps", 1);
		html_close(page);
	}
	html_table_end(page);
}

static void truth(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets",   "<Device under test", "Throughput, frames/s",
	                                       "True, frames/s", "Latency min",        "True latency"};
	bool any = false;

	for (size_t i = 0; i < part->count; i++)
		any |= json_is_object(json_object_get(part->results[i], "truth"));
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
		html_cell_value(page, result, "throughput_fps", 1);
		html_cell_value(page, known, "throughput_fps", 1);
		html_cell_time(page, result, "latency_min_ns", 1e-9);
		html_cell_time(page, known, "latency_ns", 1e-9);
		html_close(page);
	}
	html_table_end(page);
}

void html_throughput(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "throughput",
	        .title = "Throughput over frame size",
	        .description =
	                "The highest load without loss at each frame size, below the rate that the link allows at that "
	                "size (RFC 2544 section 26.1, RFC 5180 A.1). The points are in the table below.",
	};
	const char *program = value_string(json_object_get(page->report, "device"), "backend");

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
