/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of chart_draw(). Private to host/report/chart. */
#ifndef FPGAUGE_REPORT_CHART_DRAW_H
#define FPGAUGE_REPORT_CHART_DRAW_H

#include "host/report/chart/chart.h"

/* The script for gnuplot to draw a chart whose axes are set. The caller's to free; NULL: out of memory. */
char *chart_script(const struct chart *chart);

/* Runs gnuplot over a script. *svg is the caller's to free. */
int gnuplot_draw(const char *script, char **svg, struct error *error);

/* Makes a part of a page from what gnuplot drew. *text is the caller's, by xmlBufferFree(). */
int svg_adopt(const char *svg, const struct chart *chart, xmlBufferPtr *text, struct error *error);

#endif
