/* SPDX-License-Identifier: Apache-2.0 */
/* A chart as data, made ready to be drawn. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/report/chart/draw.h"

struct chart_series *chart_series(struct chart *chart, enum result_mark mark, unsigned colour, const char *format, ...)
{
	struct chart_series *series;
	va_list arguments;

	if (chart->series_count >= MOST_SERIES) {
		chart->failed = true;
		return &chart->series[MOST_SERIES - 1];
	}
	series = &chart->series[chart->series_count++];
	*series = (struct chart_series){.mark = mark, .colour = colour};
	va_start(arguments, format);
	vsnprintf(series->title, sizeof(series->title), format, arguments);
	va_end(arguments);
	return series;
}

void chart_look(struct chart_series *series, unsigned number)
{
	series->colour = 1 + (number - 1) % COLOURS;
	series->shape = number;
}

struct chart_point *chart_range(struct chart *chart, struct chart_series *series, double x, double low, double y,
                                double high)
{
	struct chart_point *point;

	if (!isfinite(x) || !isfinite(low) || !isfinite(y) || !isfinite(high))
		return NULL;
	point = array_add(&series->points, series->count, sizeof(*point));
	if (!point) {
		chart->failed = true;
		return NULL;
	}
	*point = (struct chart_point){x, y, fmin(low, y), fmax(high, y), NULL, series->apart};
	series->apart = false;
	series->count++;
	return point;
}

struct chart_point *chart_point(struct chart *chart, struct chart_series *series, double x, double y)
{
	return chart_range(chart, series, x, y, y, y);
}

void chart_label(struct chart_point *point, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (point && vasprintf(&point->label, format, arguments) < 0)
		point->label = NULL;
	va_end(arguments);
}

void chart_gap(struct chart_series *series)
{
	series->apart = true;
}

void chart_tic(struct chart *chart, double at, const char *format, ...)
{
	va_list arguments;

	if (chart->tic_count >= MOST_TICS)
		return;
	va_start(arguments, format);
	vsnprintf(chart->tic_text[chart->tic_count], sizeof(chart->tic_text[0]), format, arguments);
	va_end(arguments);
	chart->tics[chart->tic_count++] = at;
}

bool chart_can_show(double value, bool logarithmic)
{
	return fabs(value) <= 1e18 && (!logarithmic || value >= 1e-12);
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

/* Axes hold all points with some room around them; gnuplot's own choice would complain about a range without width. */
static void fit(struct chart *chart)
{
	double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

	for (size_t i = 0; i < chart->series_count; i++) {
		for (size_t j = 0; j < chart->series[i].count; j++) {
			const struct chart_point *point = &chart->series[i].points[j];

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

void chart_free(struct chart *chart)
{
	for (size_t i = 0; i < chart->series_count; i++) {
		for (size_t j = 0; j < chart->series[i].count; j++)
			free(chart->series[i].points[j].label);
		free(chart->series[i].points);
	}
	chart->series_count = 0;
}

/* Removes points that the axes cannot show, and series without points, which have no place in the key either. */
static void prune(struct chart *chart)
{
	size_t kept = 0;

	for (size_t i = 0; i < chart->series_count; i++) {
		struct chart_series *series = &chart->series[i];
		size_t points = 0;

		for (size_t j = 0; j < series->count; j++) {
			struct chart_point *point = &series->points[j];

			if (chart_can_show(point->x, chart->x_log) && chart_can_show(point->low, chart->y_log) &&
			    chart_can_show(point->high, chart->y_log))
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

int chart_draw(struct chart *chart, xmlBufferPtr *svg, struct error *error)
{
	char *script, *drawn = NULL;
	int status;

	*svg = NULL;
	prune(chart);
	if (!chart->series_count)
		return 0;
	fit(chart);
	script = chart->failed ? NULL : chart_script(chart);
	status = script ? gnuplot_draw(script, &drawn, error) : error_set(error, ERROR_INTERNAL, "out of memory");
	if (!status)
		status = svg_adopt(drawn, chart, svg, error);
	free(script);
	free(drawn);
	return status;
}
