/* SPDX-License-Identifier: Apache-2.0 */
/* Back-to-back frames: Table 1 of RFC 9004 section 7, burst lengths, buffer times (section 6.4), proof of the bursts.
 */
#include <math.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

static bool skipped(const json_t *result)
{
	return value_true(result, "skipped");
}

static double largest(const struct part *part, const char *key)
{
	double most = 0;

	for (size_t i = 0; i < part->count; i++)
		most = fmax(most, value_number(part->results[i], key));
	return most;
}

static void draw_bursts(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "back_to_back",
	        .title = "Longest burst without loss over frame size",
	        .description = "Average of the searches at each frame size, with the shortest and the longest value "
	                       "that a search "
	                       "found (RFC 9004 section 6.4). The points are in Table 1.",
	        .y_label = "frames of burst, a sending port",
	};
	struct html_series *average = chart_series(&chart, MARK_RANGES, 1, "average, with minimum and maximum");
	struct html_series *invalid = chart_series(&chart, MARK_RANGES, COLOUR_BAD, "not valid");

	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];

		chart_range(&chart, value_true(result, "valid") ? average : invalid,
		            value_number(result, "frame_octets"), value_number(result, "min_frames"),
		            value_number(result, "average_frames"), value_number(result, "max_frames"),
		            "%s octets: average %s, minimum %s, maximum %s frames",
		            value_text(result, "frame_octets", 0).text, value_text(result, "average_frames", 2).text,
		            value_text(result, "min_frames", 0).text, value_text(result, "max_frames", 0).text);
	}
	chart_size_tics(&chart, part);
	if (chart_draw(page, &chart))
		chart_end(page);
}

/* Sizes that were left out keep their place, so that the axis is that of the other charts. */
static void draw_buffer(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "buffer_time",
	        .title = "Buffer time over frame size",
	        .description =
	                "Implied: the average burst over the maximum rate of the link. Corrected: less what the device "
	                "forwarded while the burst came in (RFC 9004 section 6.4). The values are in the table below.",
	        .x_label = "frame size, octets (with FCS)",
	        .bar_width = 0.34,
	        .x_low = 0.4,
	        .x_high = (double)part->count + 0.6,
	};
	struct chart_scale scale = chart_scale_time(largest(part, "implied_buffer_s"));
	struct html_series *implied = chart_series(&chart, MARK_BARS, 2, "implied");
	struct html_series *corrected = chart_series(&chart, MARK_BARS, 1, "corrected");

	snprintf(chart.y_label, sizeof(chart.y_label), "buffer time, %s", scale.unit);
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		struct format_text octets = value_text(result, "frame_octets", 0);
		double x = (double)i + 1;

		if (part->count <= MOST_TICS || i % (part->count / MOST_TICS + 1) == 0)
			chart_tic(&chart, x, "%.10s", octets.text);
		chart_point(&chart, implied, x - 0.18, value_number(result, "implied_buffer_s") / scale.factor,
		            "%s octets: implied %s", octets.text, html_time(result, "implied_buffer_s", 1).text);
		chart_point(&chart, corrected, x + 0.18, value_number(result, "corrected_buffer_s") / scale.factor,
		            "%s octets: corrected %s", octets.text, html_time(result, "corrected_buffer_s", 1).text);
	}
	if (chart_draw(page, &chart))
		chart_end(page);
}

static void table_1(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Frame Size, octets",
	                                       "Ave B2B Length, frames",
	                                       "Min",
	                                       "Max",
	                                       "StdDev",
	                                       "Corrected Buff Time, Sec",
	                                       "N",
	                                       "95% confidence from",
	                                       "to",
	                                       "<Valid"};

	html_table(page, "back_to_back", "Table 1: Back-to-Back Frame Results (RFC 9004 section 7)", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];

		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_value(page, result, "average_frames", 2);
		html_cell_value(page, result, "min_frames", 0);
		html_cell_value(page, result, "max_frames", 0);
		html_cell_value(page, result, "stddev_frames", 2);
		html_cell_value(page, result, "corrected_buffer_s", 10);
		html_cell_value(page, result, "repetitions", 0);
		html_cell_value(page, result, "confidence95_low_frames", 2);
		html_cell_value(page, result, "confidence95_high_frames", 2);
		html_cell_valid(page, result);
		html_close(page);
	}
	html_table_end(page);
}

static void buffer(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "Implied",
	                                       "Corrected",
	                                       "Actual",
	                                       "Buffer, frames",
	                                       "Right within, frames",
	                                       "From latency, frames",
	                                       "Buffer, octets",
	                                       "Throughput, frames/s",
	                                       "Filling rate, frames/s",
	                                       "Fill time",
	                                       "<Rate from"};
	static const char *const TIMES[] = {"implied_buffer_s", "corrected_buffer_s", "actual_buffer_s", "fill_time_s"};
	const struct format_time_unit unit =
	        value_time_unit(part->results, part->count, TIMES, sizeof(TIMES) / sizeof(TIMES[0]), 1);

	html_table(page, "buffer",
	           "Buffer (times: RFC 9004 section 6.4; actual: at the rate the plan asks for, section 7)", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];

		if (skipped(result))
			continue;
		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_time(page, result, "implied_buffer_s", 1, &unit);
		html_cell_time(page, result, "corrected_buffer_s", 1, &unit);
		html_cell_time(page, result, "actual_buffer_s", 1, &unit);
		html_cell_value(page, result, "buffer_frames", 1);
		html_cell_value(page, result, "corrected_buffer_error_frames", 1);
		html_cell_value(page, result, "latency_buffer_frames", 1);
		html_cell_value(page, result, "buffer_octets", 0);
		html_cell_value(page, result, "throughput_fps", 1);
		html_cell_value(page, result, "filling_rate_fps", 1);
		html_cell_time(page, result, "fill_time_s", 1, &unit);
		html_cell(page, "%s", value_string(result, "throughput_source"));
		html_close(page);
	}
	html_table_end(page);
}

/* RFC 9004 section 6.3: each value must be made available. Runs of the same value are told once. */
static void values(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "<Values of the searches, in order (value \xc3\x97 times in a row)"};

	html_table(page, "searches", "Longest burst of every search, frames (RFC 9004 section 6.3)", HEADINGS, 2);
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i], *list = json_object_get(result, "values_frames");
		size_t count = json_array_size(list);

		if (skipped(result))
			continue;
		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_open_class(page, "td", "text wrap");
		html_attr(page, "data-key", "values_frames");
		for (size_t j = 0, end; j < count; j = end) {
			json_int_t value = json_integer_value(json_array_get(list, j));

			for (end = j + 1; end < count && json_integer_value(json_array_get(list, end)) == value;)
				end++;
			html_text(page,
			          end - j > 1 ? "%s%" JSON_INTEGER_FORMAT " \xc3\x97 %zu" : "%s%" JSON_INTEGER_FORMAT,
			          j ? ", " : "", value, end - j);
		}
		html_close(page);
		html_close(page);
	}
	html_table_end(page);
}

static void truth(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets", "<Device under test", "Longest burst, frames",
	                                       "True, frames", "Buffer, frames",     "True buffer, frames"};
	bool any = false;

	for (size_t i = 0; i < part->count; i++)
		any |= json_is_object(json_object_get(part->results[i], "truth")) && !skipped(part->results[i]);
	if (!any)
		return;
	html_table(page, "back_to_back_truth", "Measured, and what the simulated device really has", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i], *known = json_object_get(result, "truth");

		if (!json_is_object(known) || skipped(result))
			continue;
		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell(page, "%s", value_string(known, "model"));
		html_cell_value(page, result, "average_frames", 2);
		html_cell_value(page, known, "longest_burst_frames", 0);
		html_cell_value(page, result, "buffer_frames", 1);
		html_cell_value(page, known, "buffer_frames", 0);
		html_close(page);
	}
	html_table_end(page);
}

void html_back_to_back(struct page *page, const struct part *part)
{
	bool tested = false;

	for (size_t i = 0; i < part->count; i++)
		tested |= !skipped(part->results[i]);
	if (!tested)
		html_element(page, "p", NULL, "No frame size qualifies (RFC 9004 section 6.1); the reasons follow.");
	draw_bursts(page, part);
	table_1(page, part);
	if (!tested)
		return;
	draw_buffer(page, part);
	buffer(page, part);
	html_gaps(page, part);
	values(page, part);
	truth(page, part);
}
