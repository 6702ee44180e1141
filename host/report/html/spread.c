/* SPDX-License-Identifier: Apache-2.0 */
/* How values spread: percentiles of latency over the frame size, and histograms of latency and of gaps, one a size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

enum { MOST_HISTOGRAMS = 24 };

/* -- percentiles -------------------------------------------------------------------------------------------------- */

static const struct {
	const char *key, *title;
} LEVELS[] = {{"latency_p50_ns", "50%"},
              {"latency_p90_ns", "90%"},
              {"latency_p99_ns", "99%"},
              {"latency_p99_9_ns", "99.9%"},
              {"latency_max_ns", "all"}};
enum { LEVEL_COUNT = sizeof(LEVELS) / sizeof(LEVELS[0]) };

static void percentile_table(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets", "50% within", "90%", "99%", "99.9%", "All within"};
	struct format_time_unit unit;
	double smallest_ns = INFINITY;

	for (size_t i = 0; i < part->count * LEVEL_COUNT; i++)
		smallest_ns = value_smaller(smallest_ns, part->results[i / LEVEL_COUNT], LEVELS[i % LEVEL_COUNT].key);
	unit = format_time_unit(smallest_ns * 1e-9);
	html_table(page, "latency_percentiles", "Latency that so many frames did not exceed", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		html_row(page, part->results[i]);
		html_cell_value(page, part->results[i], "frame_octets", 0);
		for (size_t level = 0; level < LEVEL_COUNT; level++)
			html_cell_time(page, part->results[i], LEVELS[level].key, 1e-9, &unit);
		html_close(page);
	}
	html_table_end(page);
}

static void percentiles(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "latency_percentiles",
	        .title = "Percentiles of latency",
	        .description = "The latency that 50, 90, 99, 99.9 percent and all of the frames did not exceed in the "
	                       "trial that settled each result, all ports together. Read from the histograms below, so "
	                       "up to a bin too high and never too low. The values are in the table below.",
	        .y_log = true,
	};
	struct chart_scale scale;
	double most = 0;

	for (size_t i = 0; i < part->count; i++)
		if (value_known(part->results[i], LEVELS[0].key))
			most = fmax(most, value_number(part->results[i], "latency_max_ns") * 1e-9);
	if (most == 0)
		return;
	scale = chart_scale_time(most);
	snprintf(chart.y_label, sizeof(chart.y_label), "latency, %s", scale.unit);
	for (size_t level = 0; level < LEVEL_COUNT; level++) {
		struct html_series *series =
		        chart_series(&chart, MARK_LINE_POINTS, 1 + (unsigned)level, "%s", LEVELS[level].title);

		for (size_t i = 0; i < part->count; i++) {
			const json_t *result = part->results[i];

			if (value_known(result, LEVELS[0].key))
				chart_point(&chart, series, value_number(result, "frame_octets"),
				            value_number(result, LEVELS[level].key) * 1e-9 / scale.factor,
				            "%s octets: %s within %s", value_text(result, "frame_octets", 0).text,
				            LEVELS[level].title, html_time(result, LEVELS[level].key, 1e-9).text);
		}
	}
	chart_size_tics(&chart, part);
	if (chart_draw(page, &chart)) {
		percentile_table(page, part);
		chart_end(page);
	}
}

/* -- histograms --------------------------------------------------------------------------------------------------- */

/* A list of bins in a result. */
struct kind {
	const char *list; /* its key; the chart and the table are named alike */
	const char *from, *to, *count;
	const char *title, *lead, *x_label, *y_label;
	const char *headings[3];
	bool times; /* edges are nanoseconds, shown in a unit that suits them */
};

static const struct kind LATENCIES = {
        .list = "latency_histogram",
        .from = "from_ns",
        .to = "to_ns",
        .count = "frames",
        .title = "Histogram of latency",
        .lead = "Frames by their latency in the trial that settled each result, all ports together. A bar stands in "
                "the middle of its bin.",
        .x_label = "latency",
        .y_label = "frames",
        .headings = {"From", "to below", "Frames"},
        .times = true,
};

static const struct kind GAPS = {
        .list = "gap_histogram",
        .from = "from_octets",
        .to = "to_octets",
        .count = "gaps",
        .title = "Histogram of gaps",
        .lead = "Every gap of the valid bursts as measured where they left, by its length. Frames begin on whole "
                "groups "
                "of octets, so gaps at the minimum are not all 12 octets: they are 12 on average.",
        .x_label = "gap",
        .y_label = "gaps",
        .headings = {"From, octets", "to below, octets", "Gaps"},
};

/* Room for a few narrow bars where there is only one. */
static void set_axis(struct html_chart *chart, double low, double high)
{
	const double room = fmax(high - low, 8 * chart->bar_width) * 0.06 + chart->bar_width;
	const double middle = (low + high) / 2, half = fmax((high - low) / 2, 4 * chart->bar_width);

	chart->x_low = fmax(0, middle - half - room);
	chart->x_high = middle + half + room;
}

static bool draw_histogram(struct page *page, const struct kind *kind, const json_t *list, double octets)
{
	struct html_chart chart = {.name = kind->list, .small = true, .y_log = true};
	struct html_series *series = chart_series(&chart, MARK_BARS, 1, "%s", "");
	struct chart_scale scale = {1, ""};
	double low = INFINITY, high = 0;
	char x_label[80];
	const json_t *bin;
	size_t i;

	json_array_foreach(list, i, bin)
	{
		high = fmax(high, value_number(bin, kind->to));
	}
	if (kind->times)
		scale = chart_scale_time(high * 1e-9);
	scale.factor = kind->times ? 1e-9 / scale.factor : 1;
	chart.bar_width = INFINITY;
	high = 0;
	json_array_foreach(list, i, bin)
	{
		const double from = value_number(bin, kind->from) * scale.factor;
		const double to = value_number(bin, kind->to) * scale.factor;

		low = fmin(low, (from + to) / 2);
		high = fmax(high, (from + to) / 2);
		chart.bar_width = fmin(chart.bar_width, to - from);
		chart_point(&chart, series, (from + to) / 2, value_number(bin, kind->count), "%.6g to %.6g %s: %s",
		            from, to, kind->times ? scale.unit : "octets",
		            html_grouped(value_number(bin, kind->count), 0).text);
	}
	set_axis(&chart, low, high);
	snprintf(x_label, sizeof(x_label), "%s, %s", kind->x_label, kind->times ? scale.unit : "octets");
	chart.x_label = x_label;
	snprintf(chart.y_label, sizeof(chart.y_label), "%s", kind->y_label); /* chart.c adds what the axis is */
	snprintf(chart.title, sizeof(chart.title), "%s, %.0f octets", kind->title, octets);
	snprintf(chart.description, sizeof(chart.description), "%s The values are in the table below.", kind->lead);
	return chart_draw(page, &chart);
}

static void histogram_table(struct page *page, const struct kind *kind, const json_t *list, double octets)
{
	struct format_time_unit unit;
	double smallest_ns = INFINITY;
	char caption[120];
	const json_t *bin;
	size_t i;

	json_array_foreach(list, i, bin)
	{
		smallest_ns = value_smaller(value_smaller(smallest_ns, bin, kind->from), bin, kind->to);
	}
	unit = format_time_unit(smallest_ns * 1e-9);
	snprintf(caption, sizeof(caption), "%s at %.0f octets", kind->title, octets);
	html_table(page, kind->list, caption, kind->headings, sizeof(kind->headings) / sizeof(kind->headings[0]));
	json_array_foreach(list, i, bin)
	{
		html_row(page, NULL);
		if (kind->times) {
			html_cell_time(page, bin, kind->from, 1e-9, &unit);
			html_cell_time(page, bin, kind->to, 1e-9, &unit);
		} else {
			html_cell_value(page, bin, kind->from, 0);
			html_cell_value(page, bin, kind->to, 0);
		}
		html_cell_value(page, bin, kind->count, 0);
		html_close(page);
	}
	html_table_end(page);
}

static void histograms(struct page *page, const struct part *part, const struct kind *kind)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < part->count && !page->status; i++) {
		const json_t *list = json_object_get(part->results[i], kind->list);
		const double octets = value_number(part->results[i], "frame_octets");

		if (json_array_size(list) == 0)
			continue;
		if (all++ == 0) {
			html_element(page, "h3", NULL, "%s", kind->title);
			html_element(page, "p", "lead", "%s", kind->lead);
			html_open_class(page, "div", "pair");
		}
		if (shown == MOST_HISTOGRAMS || !draw_histogram(page, kind, list, octets))
			continue;
		shown++;
		html_open_class(page, "details", "points");
		html_element(page, "summary", NULL, "Bins at %.0f octets", octets);
		histogram_table(page, kind, list, octets);
		html_close(page);
		chart_end(page);
	}
	if (all)
		html_close(page);
	if (all > shown)
		html_element(page, "p", NULL, "Of %zu histograms the first %zu are drawn. All are in the JSON.", all,
		             shown);
}

void html_latency_spread(struct page *page, const struct part *part)
{
	percentiles(page, part);
	histograms(page, part, &LATENCIES);
}

void html_gap_spread(struct page *page, const struct part *part)
{
	histograms(page, part, &GAPS);
}
