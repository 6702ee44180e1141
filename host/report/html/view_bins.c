/* SPDX-License-Identifier: Apache-2.0 */
/* How values are distributed: the bins of each result as a histogram, with a table. */
#include <math.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/latency_error.h"
#include "host/report/value.h"

enum { MOST_HISTOGRAMS = 24 };

/* Makes room for a few narrow bars even if there is only one. */
static void set_axis(struct chart *chart, double low, double high)
{
	const double room = fmax(high - low, 8 * chart->bar_width) * 0.06 + chart->bar_width;
	const double middle = (low + high) / 2, half = fmax((high - low) / 2, 4 * chart->bar_width);

	chart->x_low = fmax(0, middle - half - room);
	chart->x_high = middle + half + room;
}

static bool draw_histogram(struct page *page, const struct result_bins *bins, const json_t *list, const char *frames)
{
	struct chart chart = {.name = bins->list, .small = true, .y_log = true};
	struct chart_series *series = chart_series(&chart, MARK_BARS, 1, "%s", "");
	struct chart_scale scale;
	double low = INFINITY, high = 0;
	char x_label[80];
	const json_t *bin;
	size_t i;

	json_array_foreach(list, i, bin)
	{
		high = fmax(high, value_number(bin, bins->to));
	}
	scale = html_scale(bins->unit, high);
	chart.bar_width = INFINITY;
	high = 0;
	json_array_foreach(list, i, bin)
	{
		const double from = value_number(bin, bins->from) / scale.factor;
		const double to = value_number(bin, bins->to) / scale.factor;

		/* The file may be one that somebody wrote: no bar, and no axis, can be made of it. It is in the
		 * table. */
		if (!(to > from))
			continue;
		low = fmin(low, (from + to) / 2);
		high = fmax(high, (from + to) / 2);
		chart.bar_width = fmin(chart.bar_width, to - from);
		chart_label(chart_point(&chart, series, (from + to) / 2, value_number(bin, bins->count)),
		            "%.6g to %.6g %s: %s", from, to, scale.unit,
		            html_grouped(value_number(bin, bins->count), 0).text);
	}
	set_axis(&chart, low, high);
	snprintf(x_label, sizeof(x_label), "%s, %s", bins->x_label, scale.unit);
	chart.x_label = x_label;
	snprintf(chart.y_label, sizeof(chart.y_label), "%s", bins->y_label); /* chart.c adds what kind of axis it is */
	snprintf(chart.title, sizeof(chart.title), "%s, %s", bins->title, frames);
	snprintf(chart.description, sizeof(chart.description), "%s The values are in the table below.", bins->lead);
	return html_figure(page, &chart);
}

static void histogram_table(struct page *page, const struct result_bins *bins, const json_t *list, const char *frames)
{
	const double seconds = html_unit_seconds(bins->unit);
	struct format_time_unit unit;
	double smallest = INFINITY;
	char caption[120];
	const json_t *bin;
	size_t i;

	json_array_foreach(list, i, bin)
	{
		smallest = value_smaller(value_smaller(smallest, bin, bins->from), bin, bins->to);
	}
	unit = format_time_unit(smallest * seconds);
	snprintf(caption, sizeof(caption), "%s at %s", bins->title, frames);
	html_table(page, bins->list, caption, HEADINGS(bins->headings[0], bins->headings[1], bins->headings[2]));
	json_array_foreach(list, i, bin)
	{
		html_row(page, NULL);
		if (seconds > 0) {
			html_cell_time(page, bin, bins->from, seconds, &unit);
			html_cell_time(page, bin, bins->to, seconds, &unit);
		} else {
			html_cell_value(page, bin, bins->from, 0);
			html_cell_value(page, bin, bins->to, 0);
		}
		html_cell_value(page, bin, bins->count, 0);
		html_close(page);
	}
	html_table_end(page);
}

void html_view_bins(struct page *page, const struct part *part, const struct result_bins *bins)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < part->count && !page->status; i++) {
		const json_t *list = json_object_get(part->results[i], bins->list);
		const struct format_text frames = value_frames(part->results[i]);

		if (json_array_size(list) == 0)
			continue;
		if (all++ == 0) {
			html_element(page, "h3", NULL, "%s", bins->title);
			html_element(page, "p", "lead", "%s%s", bins->lead,
			             latency_error_sentence(latency_error_of_keys(part->results[i], bins->list)).text);
			html_open_class(page, "div", "pair");
		}
		if (shown == MOST_HISTOGRAMS || !draw_histogram(page, bins, list, frames.text))
			continue;
		shown++;
		html_open_class(page, "details", "points");
		html_element(page, "summary", NULL, "Bins at %s", frames.text);
		histogram_table(page, bins, list, frames.text);
		html_close(page);
		html_close(page);
	}
	if (all)
		html_close(page);
	if (all > shown)
		html_element(page, "p", NULL, "Of %zu histograms the first %zu are drawn. All are in the JSON.", all,
		             shown);
}
