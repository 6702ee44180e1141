/* SPDX-License-Identifier: Apache-2.0 */
/* The script of a chart for gnuplot. It contains only numbers and words of our own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/chart/draw.h"

/* Shapes differ as colours do, for those who see no colours and for black and white paper: gnuplot's circle, square,
 * triangle, diamond, and the same hollow; then inverted triangle and pentagon, plus and star. The cross is for what is
 * bad. */
static const unsigned SHAPES[] = {7, 5, 9, 13, 6, 4, 8, 12, 11, 15, 10, 14, 1, 3};
enum { SHAPE_COUNT = sizeof(SHAPES) / sizeof(SHAPES[0]), CROSS = 2 };

/* Picture sizes as drawn; html.css limits how far they may be stretched or shrunk. LEFT: what lies left of the plot. */
enum { WIDTH = 960, HEIGHT = 380, SMALL_WIDTH = 480, SMALL_HEIGHT = 330, LEFT = 85, FONT = 13 };

/* A tic at every decade; if there are few decades, at 2 and 5 of each as well, so that more than one has a number. */
static void write_log_axis(const struct chart *chart, FILE *out)
{
	static const double STEPS[] = {1, 2, 5};
	double decades = log10(chart->y_high / chart->y_low);
	const char *before = "set ytics (";

	fprintf(out, "set logscale y 10\n");
	if (!(decades < 3))
		return;
	for (double decade = pow(10, floor(log10(chart->y_low))); decade <= chart->y_high; decade *= 10) {
		for (size_t i = 0; i < sizeof(STEPS) / sizeof(STEPS[0]); i++) {
			double at = decade * STEPS[i];

			if (at < chart->y_low || at > chart->y_high)
				continue;
			fprintf(out, "%s%.12g", before, at);
			before = ", ";
		}
	}
	fprintf(out, ")\n");
}

static void write_axes(const struct chart *chart, FILE *out)
{
	fprintf(out, "set xlabel \"%s\"\nset ylabel \"%s%s\" offset 1,0\n", chart->x_label, chart->y_label,
	        chart->y_log ? " (logarithmic)" : "");
	if (chart->x_log)
		fprintf(out, "set logscale x 2\n");
	if (chart->y_log)
		write_log_axis(chart, out);
	fprintf(out, "set xrange [%.12g:%.12g]\nset yrange [%.12g:%.12g]\n", chart->x_low, chart->x_high, chart->y_low,
	        chart->y_high);
	if (chart->bar_width > 0)
		fprintf(out, "set boxwidth %.6g absolute\n", chart->bar_width);
	for (size_t i = 0; i < chart->tic_count; i++)
		fprintf(out, "%s\"%s\" %.12g", i ? ", " : "set xtics (", chart->tic_text[i], chart->tics[i]);
	if (chart->tic_count)
		fprintf(out, ")\n");
}

/* gnuplot leaves out a bar without height, but it must keep its place. */
static double drawn_y(const struct chart *chart, const struct chart_series *series, double y)
{
	double least = (chart->y_high - chart->y_low) * 1e-6;

	return series->mark == MARK_BARS && fabs(y) < least ? least : y;
}

static void write_points(const struct chart *chart, FILE *out)
{
	for (size_t i = 0; i < chart->series_count; i++) {
		const struct chart_series *series = &chart->series[i];

		fprintf(out, "$s%zu << EOD\n", i);
		for (size_t j = 0; j < series->count; j++)
			fprintf(out, "%s%.12g %.12g %.12g %.12g\n", series->points[j].apart ? "\n" : "",
			        series->points[j].x, drawn_y(chart, series, series->points[j].y), series->points[j].low,
			        series->points[j].high);
		fprintf(out, "EOD\n");
	}
}

/* Styles that end in "pt " take the shape of their marks. */
static const char *const STYLES[] = {
        [MARK_LINE] = "1:2 with lines lw 2",
        [MARK_DASHES] = "1:2 with lines lw 1.6 dt (8,5)",
        [MARK_STEPS] = "1:2 with steps lw 1.2",
        [MARK_POINTS] = "1:2 with points ps 0.85 lw 2 pt ",
        [MARK_LINE_POINTS] = "1:2 with linespoints lw 2 ps 0.8 pt ",
        [MARK_DASHES_POINTS] = "1:2 with linespoints lw 1.6 dt (8,5) ps 0.8 pt ",
        [MARK_RANGES] = "1:2:3:4 with yerrorbars lw 1.6 ps 0.8 pt ",
        [MARK_BARS] = "1:2 with boxes fs solid 1 noborder",
};

static void write_series(const struct chart_series *series, size_t index, FILE *out)
{
	unsigned number = series->shape ? series->shape : series->colour;
	unsigned shape = series->colour == COLOUR_BAD ? CROSS : SHAPES[(number - 1) % SHAPE_COUNT];
	const char *style = STYLES[series->mark];

	fprintf(out, "%s$s%zu using %s", index ? ", " : "plot ", index, style);
	if (style[strlen(style) - 1] == ' ')
		fprintf(out, "%u", shape);
	fprintf(out, " lc rgb \"#0000%02x\"", series->colour);
	if (series->title[0])
		fprintf(out, " title \"%s\"", series->title);
	else
		fprintf(out, " notitle");
}

/* gnuplot puts more columns into the key than the picture has room for, and cuts off the last. Columns are as wide as
 * the longest title; a letter is assumed to be 0.6 font sizes wide, a sample with its margins 4.4. Every row of the key
 * takes height from the plot, so the picture grows with the rows. */
static void write_canvas(const struct chart *chart, FILE *out)
{
	int width = chart->small ? SMALL_WIDTH : WIDTH, height = chart->small ? SMALL_HEIGHT : HEIGHT, columns;
	size_t titles = 0, longest = 0;

	for (size_t i = 0; i < chart->series_count; i++) {
		size_t length = strlen(chart->series[i].title);

		titles += length > 0;
		longest = length > longest ? length : longest;
	}
	columns = (int)((width - LEFT) / (FONT * (0.6 * (double)longest + 4.4)));
	columns = columns > 0 ? columns : 1;
	height += titles ? ((int)titles - 1) / columns * 18 : 0;
	fprintf(out,
	        "set terminal svg size %d,%d dynamic noenhanced font \"sans,%d\"\n"
	        "set key outside top left horizontal Left reverse samplen 2.2 maxcols %d\n",
	        width, height, FONT, columns);
}

char *chart_script(const struct chart *chart)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	write_canvas(chart, out);
	fprintf(out,
	        "set encoding utf8\nset border 3\nset tics nomirror out scale 0.5\nset pointintervalbox 0\n"
	        "set grid xtics ytics lt 1 lw 0.6 lc rgb \"#0000%02x\"\nset errorbars small\n",
	        COLOUR_GRID);
	write_points(chart, out);
	write_axes(chart, out);
	for (size_t i = 0; i < chart->series_count; i++)
		write_series(&chart->series[i], i, out);
	fputc('\n', out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
