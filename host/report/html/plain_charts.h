/* SPDX-License-Identifier: Apache-2.0 */
/* Charts for programs that draw SVG by itself, without the style sheet of the page around it, as WeasyPrint does. */
#ifndef FPGAUGE_REPORT_HTML_PLAIN_CHARTS_H
#define FPGAUGE_REPORT_HTML_PLAIN_CHARTS_H

#include "host/base/error.h"

/* Rewrites a page: its charts get colours of their own, those of the style sheet on paper. */
int plain_charts(const char *path, struct error *error);

#endif
