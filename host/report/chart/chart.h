/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as data, and the SVG that gnuplot makes of them, for an HTML page. A chart knows nothing of results. */
#ifndef FPGAUGE_REPORT_CHART_CHART_H
#define FPGAUGE_REPORT_CHART_CHART_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/result/description.h"

/* A plan may have 16 goals of MLRsearch, each with two bounds, besides trials of three outcomes. */
enum { MOST_GOALS = 16, MOST_SERIES = 2 * MOST_GOALS + 3, MOST_TICS = 12 };

/* Colours are classes of the page's style sheet: stroke-1, fill-1, color-1. */
enum { COLOURS = 8, COLOUR_GOOD = 9, COLOUR_BAD = 10, COLOUR_MUTED = 11, COLOUR_GRID = 15 };

struct chart_point {
	double x, y, low, high;
	char *label; /* shown when the pointer rests on it; NULL: none */
	bool apart;  /* no line from the point before it */
};

struct chart_series {
	char title[64]; /* only our own words and numbers, as it goes to gnuplot. "": not in the key */
	enum result_mark mark;
	unsigned colour; /* 1 to COLOURS, or one of the others */
	unsigned shape;  /* shape of its marks, from 1; 0: the one that belongs to the colour */
	struct chart_point *points;
	size_t count;
	bool apart; /* the next point will be */
};

struct chart {
	char id[32];      /* identifies it in the page */
	const char *name; /* name for tests and style sheets */
	char title[160], description[600];
	const char *x_label;
	char y_label[64];                    /* our own words */
	double x_low, x_high, y_low, y_high; /* ends of the axes; equal: from the points */
	bool x_log, y_log;                   /* y_log: if the values span more than a decade */
	bool small;                          /* two of them fit side by side */
	double bar_width;
	double tics[MOST_TICS]; /* tics of the x axis; none: gnuplot's */
	char tic_text[MOST_TICS][16];
	size_t tic_count;
	struct chart_series series[MOST_SERIES];
	size_t series_count;
	bool failed;
};

struct chart_series *chart_series(struct chart *chart, enum result_mark mark, unsigned colour, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
/* Colour and shape of the series `number`, from 1: no two have both the same; the first 14 differ in shape alone. */
void chart_look(struct chart_series *series, unsigned number);
/* NULL: not added, because it is not finite. */
struct chart_point *chart_range(struct chart *chart, struct chart_series *series, double x, double low, double y,
                                double high);
struct chart_point *chart_point(struct chart *chart, struct chart_series *series, double x, double y);
void chart_label(struct chart_point *point, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_gap(struct chart_series *series); /* nothing is known between the points before and after */
void chart_tic(struct chart *chart, double at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Returns whether an axis can show it. gnuplot's arithmetic ends there; no measured value is beyond. */
bool chart_can_show(double value, bool logarithmic);

/* The scale in which the largest value is 1 to 1000, and its name. */
struct chart_scale {
	double factor;
	const char *unit;
};
struct chart_scale chart_scale_rate(double largest_fps);
struct chart_scale chart_scale_time(double largest_s);

/* Draws, as a part of a page; *svg is the caller's, by xmlBufferFree(). NULL: there is no point. */
int chart_draw(struct chart *chart, xmlBufferPtr *svg, struct error *error);
/* Fails unless gnuplot is there and can draw SVG. */
int chart_check(struct error *error);
void chart_free(struct chart *chart); /* frees what it contains */

#endif
