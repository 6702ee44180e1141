/* SPDX-License-Identifier: Apache-2.0 */
/* A chart as data, and the figure in the page. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

struct html_series *chart_series(struct html_chart *chart, enum result_mark mark, unsigned colour, const char *format,
                                 ...)
{
	struct html_series *series;
	va_list arguments;

	if (chart->series_count >= MOST_SERIES) {
		chart->failed = true;
		return &chart->series[MOST_SERIES - 1];
	}
	series = &chart->series[chart->series_count++];
	*series = (struct html_series){.mark = mark, .colour = colour};
	va_start(arguments, format);
	vsnprintf(series->title, sizeof(series->title), format, arguments);
	va_end(arguments);
	return series;
}

void chart_look(struct html_series *series, unsigned number)
{
	series->colour = 1 + (number - 1) % COLOURS;
	series->shape = number;
}

static struct html_point *add_point(struct html_chart *chart, struct html_series *series, double x, double low,
                                    double y, double high)
{
	if (!isfinite(x) || !isfinite(low) || !isfinite(y) || !isfinite(high))
		return NULL;
	if ((series->count & (series->count - 1)) == 0) { /* capacity doubles */
		size_t room = series->count ? 2 * series->count : 1;
		struct html_point *grown = realloc(series->points, room * sizeof(*grown));

		if (!grown) {
			chart->failed = true;
			return NULL;
		}
		series->points = grown;
	}
	series->points[series->count] = (struct html_point){x, y, fmin(low, y), fmax(high, y), NULL, series->apart};
	series->apart = false;
	return &series->points[series->count++];
}

static void set_label(struct html_point *point, const char *format, va_list arguments)
{
	if (point && format && vasprintf(&point->label, format, arguments) < 0)
		point->label = NULL;
}

void chart_point(struct html_chart *chart, struct html_series *series, double x, double y, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_label(add_point(chart, series, x, y, y, y), format, arguments);
	va_end(arguments);
}

void chart_gap(struct html_series *series)
{
	series->apart = true;
}

void chart_range(struct html_chart *chart, struct html_series *series, double x, double low, double y, double high,
                 const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_label(add_point(chart, series, x, low, y, high), format, arguments);
	va_end(arguments);
}

void chart_tic(struct html_chart *chart, double at, const char *format, ...)
{
	va_list arguments;

	if (chart->tic_count >= MOST_TICS)
		return;
	va_start(arguments, format);
	vsnprintf(chart->tic_text[chart->tic_count], sizeof(chart->tic_text[0]), format, arguments);
	va_end(arguments);
	chart->tics[chart->tic_count++] = at;
}

/* gnuplot's arithmetic ends there; no measured value is beyond. */
static bool fits_axis(double value, bool logarithmic)
{
	return fabs(value) <= 1e18 && (!logarithmic || value >= 1e-12);
}

/* A tic for every size, with a text where the logarithmic axis has room for one. The last size always has its text. */
void chart_size_tics(struct html_chart *chart, const struct part *part)
{
	double first = 0, last = 0, shown = 0, room;

	chart->x_log = true;
	chart->x_label = "frame size, octets (with FCS; logarithmic)";
	for (size_t i = 0; i < part->count; i++) {
		double octets = value_number(part->results[i], "frame_octets");

		if (!fits_axis(octets, true))
			continue;
		first = first > 0 ? fmin(first, octets) : octets;
		last = fmax(last, octets);
	}
	if (last == 0)
		return;
	room = pow(last / first, 0.055);
	for (size_t i = 0; i < part->count && chart->tic_count + 1 < MOST_TICS; i++) {
		double octets = value_number(part->results[i], "frame_octets");
		bool fits = octets > shown * room && last > octets * room;

		if (!fits_axis(octets, true) || octets == last ||
		    (chart->tic_count && octets == chart->tics[chart->tic_count - 1]))
			continue;
		chart_tic(chart, octets, fits ? "%.0f" : "", octets);
		shown = fits ? octets : shown;
	}
	chart_tic(chart, last, "%.0f", last);
}

struct chart_scale chart_scale_rate(double largest_fps)
{
	if (largest_fps >= 1e6)
		return (struct chart_scale){1e6, "million frames/s"};
	return largest_fps >= 1e3 ? (struct chart_scale){1e3, "thousand frames/s"}
	                          : (struct chart_scale){1, "frames/s"};
}

struct chart_scale chart_scale_time(double largest_s)
{
	if (largest_s >= 1)
		return (struct chart_scale){1, "s"};
	if (largest_s >= 1e-3)
		return (struct chart_scale){1e-3, "ms"};
	return largest_s >= 1e-6 ? (struct chart_scale){1e-6, "\xc2\xb5s"} : (struct chart_scale){1e-9, "ns"};
}

struct chart_scale chart_scale_unit(enum metric_unit unit, double largest)
{
	double seconds = html_unit_seconds(unit);
	struct chart_scale scale = {1, html_unit(unit)};

	if (unit == METRIC_FPS)
		return chart_scale_rate(largest);
	if (unit == METRIC_FRAMES && largest >= 1e6)
		return (struct chart_scale){1e6, "million frames"};
	if (seconds > 0) {
		scale = chart_scale_time(largest * seconds);
		scale.factor /= seconds;
	}
	return scale;
}

/* Axes hold all points with some room around them; gnuplot's own choice would complain about a range without width. */
static void fit(struct html_chart *chart)
{
	double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

	for (size_t i = 0; i < chart->series_count; i++) {
		for (size_t j = 0; j < chart->series[i].count; j++) {
			const struct html_point *point = &chart->series[i].points[j];

			x_low = fmin(x_low, point->x);
			x_high = fmax(x_high, point->x);
			y_low = fmin(y_low, point->low);
			y_high = fmax(y_high, point->high);
		}
	}
	chart->y_log &= y_high > 10 * y_low; /* else a logarithmic axis has no room for its numbers */
	if (chart->x_low == chart->x_high) {
		double room = x_high > x_low ? (x_high - x_low) * 0.05 : 0.5;

		chart->x_low = chart->x_log ? x_low / 1.15 : x_low - room;
		chart->x_high = chart->x_log ? x_high * 1.15 : x_high + room;
	}
	if (chart->y_low == chart->y_high) {
		chart->y_low = chart->y_log ? y_low / 1.3 : fmin(y_low * 1.08, 0);
		chart->y_high = chart->y_log ? y_high * 1.3 : y_high > 0 ? y_high * 1.08 : 1;
	}
}

static void free_points(struct html_chart *chart)
{
	for (size_t i = 0; i < chart->series_count; i++) {
		for (size_t j = 0; j < chart->series[i].count; j++)
			free(chart->series[i].points[j].label);
		free(chart->series[i].points);
	}
	chart->series_count = 0;
}

/* Removes points that the axes cannot show, and series without points, which have no place in the key either. */
static void prune(struct html_chart *chart)
{
	size_t kept = 0;

	for (size_t i = 0; i < chart->series_count; i++) {
		struct html_series *series = &chart->series[i];
		size_t points = 0;

		for (size_t j = 0; j < series->count; j++) {
			struct html_point *point = &series->points[j];

			if (fits_axis(point->x, chart->x_log) && fits_axis(point->low, chart->y_log) &&
			    fits_axis(point->high, chart->y_log))
				series->points[points++] = *point;
			else
				free(point->label);
		}
		series->count = points;
		if (points)
			chart->series[kept++] = *series;
		else
			free(series->points);
	}
	chart->series_count = kept;
}

static void write_figure(struct page *page, const struct html_chart *chart, const xmlBuffer *svg)
{
	html_open(page, "figure");
	html_attr(page, "data-chart", "%s", chart->name);
	if (chart->small)
		html_attr(page, "class", "small");
	html_open(page, "figcaption");
	html_element(page, "strong", NULL, "%s.", chart->title);
	if (!chart->small) /* for many charts of a kind, what they show is said once before them */
		html_text(page, " %s", chart->description);
	html_close(page);
	html_open_scroll(page, chart->title);
	html_markup(page, (const char *)xmlBufferContent(svg));
	html_close(page);
}

bool chart_draw(struct page *page, struct html_chart *chart)
{
	char *text = NULL, *drawn = NULL;
	xmlBufferPtr svg = NULL;
	bool done = false;

	prune(chart);
	if (chart->series_count && !page->status) {
		snprintf(chart->id, sizeof(chart->id), "chart%u", ++page->figures);
		fit(chart);
		text = chart_script(chart);
		if (!text || chart->failed)
			html_fail(page, error_set(page->error, ERROR_INTERNAL, "--html: out of memory"));
		if (!page->status)
			html_fail(page, gnuplot_draw(text, &drawn, page->error));
		if (!page->status)
			html_fail(page, svg_adopt(drawn, chart, &svg, page->error));
		done = !page->status;
		if (done)
			write_figure(page, chart, svg);
	}
	free(text);
	free(drawn);
	xmlBufferFree(svg);
	free_points(chart);
	return done;
}

void chart_end(struct page *page)
{
	html_close(page);
}
